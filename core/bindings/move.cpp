#include "bindings/move.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "movegen/movegen.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

// Created on first use and immutable, so threads share them without locks.
std::atomic<const SharedMoves*> shared_tables[kLayouts];

PyTypeObject* move_type = nullptr;
PyObject* module_list = nullptr;  // borrowed from the module

std::string number(int n) { return std::to_string(n); }

nb::object make_object(const MoveValue& value) {
    nb::object self = nb::inst_alloc(reinterpret_cast<PyObject*>(move_type));
    const std::size_t size =
        value.has_route ? offsetof(MoveValue, known) + sizeof(Route) : sizeof(MoveValue);
    std::memcpy(nb::inst_ptr<void>(self), &value, size);
    nb::inst_mark_ready(self);
    return self;
}

MoveValue simple(const Layout& layout, int from, int to, bool king, bool crowns) noexcept {
    MoveValue value;
    value.start = static_cast<std::uint8_t>(layout.square(from));
    value.end = static_cast<std::uint8_t>(layout.square(to));
    value.king = king;
    value.crowns = crowns;
    value.taken = 0;
    value.has_route = true;
    value.known.length = 2;
    value.known.squares[0] = value.start;
    value.known.squares[1] = value.end;
    return value;
}

template <class Shape>
void fill(SharedMoves& table, const Layout& layout, nb::list& objects) {
    const auto share = [&](const MoveValue& value) {
        nb::object object = make_object(value);
        objects.append(object);
        return object.ptr();
    };
    for (Direction d = 0; d < kDirections; ++d) {
        table.steps[d] = (d & 2) ? Shape::kShifts[d] : -Shape::kShifts[d];
    }
    for_each(Shape::kBoard, [&](int from) {
        for (Direction d = 0; d < kDirections; ++d) {
            for_each(Shape::line(d, from), [&](int to) {
                table.king[from][to] = share(simple(layout, from, to, true, false));
            });
            const auto over = Shape::step(d, Shape::one(from)) & Shape::kBoard;
            if (!over) continue;
            const int next = lowest(over);
            // A man is crowned only on the last row of its own side: White's is at the top, Black's
            // at the bottom. Sideways steps stay on a row without crowning.
            const auto crown = d == 5 || d == 6 ? over ^ over
                               : (d & 2)        ? Shape::kBottom
                                                : Shape::kTop;
            table.man[d][next] = share(simple(layout, from, next, false, (over & crown) != 0));
            const auto behind = Shape::step(d, over) & Shape::kBoard;
            if (!behind) continue;
            const int to = lowest(behind);
            const auto capture = [&](bool king, bool crowns) {
                MoveValue value = simple(layout, from, to, king, crowns);
                value.taken = 1;
                value.captures[0] = static_cast<std::uint8_t>(layout.square(next));
                return share(value);
            };
            table.king_capture[d][to] = capture(true, false);
            PyObject* plain = capture(false, false);
            const bool ends = (behind & (Shape::kTop | Shape::kBottom)) != 0;
            PyObject* crowning = ends ? capture(false, true) : plain;
            table.man_capture[0][d][to] = behind & Shape::kTop ? crowning : plain;
            table.man_capture[1][d][to] = behind & Shape::kBottom ? crowning : plain;
        }
    });
}

// The direction of a single short jump, or -1.
Direction jump_direction(const SharedMoves& table, const WideMove& move) noexcept {
    const int span = move.to - move.from;
    for (Direction d = 0; d < kDirections; ++d) {
        if (span == 2 * table.steps[d]) return d;
    }
    return -1;
}

}  // namespace

const SharedMoves& shared_moves(const Rules& rules) {
    std::atomic<const SharedMoves*>& slot = shared_tables[layout_number(rules)];
    if (const SharedMoves* existing = slot.load(std::memory_order_acquire)) [[likely]]
        return *existing;
    // No lock: creating objects may run arbitrary Python code. A second thread discards its table.
    auto table = std::make_unique<SharedMoves>();
    nb::list objects;
    visit(rules,
          [&](auto v) { fill<typename decltype(v)::Shape>(*table, layout_of(rules), objects); });
    table->all = objects.ptr();
    const SharedMoves* expected = nullptr;
    if (!slot.compare_exchange_strong(expected, table.get())) return *expected;
    if (PyList_Append(module_list, objects.ptr()) != 0) nb::raise_python_error();
    return *table.release();
}

std::string MoveValue::hub() const {
    std::string text = number(start) + (is_capture() ? "x" : "-") + number(end);
    for (unsigned i = 0; i < taken; ++i) text += "x" + number(captures[i]);
    return text;
}

std::string MoveValue::text() const {
    return number(start) + (is_capture() ? "x" : "-") + number(end);
}

std::size_t MoveValue::hash() const noexcept {
    std::uint64_t h = start * 512u + end * 2u + (crowns ? 1u : 0u);
    for (unsigned i = 0; i < taken; ++i) h = zobrist::mix(h) + captures[i];
    return static_cast<std::size_t>(zobrist::mix(h));
}

bool operator==(const MoveValue& a, const MoveValue& b) noexcept {
    return a.start == b.start && a.end == b.end && a.crowns == b.crowns && a.taken == b.taken &&
           std::memcmp(a.captures, b.captures, a.taken) == 0;
}

MoveValue to_value(const Rules& rules, const WidePosition& p, const WideMove& move) {
    const Layout& layout = layout_of(rules);
    MoveValue value = simple(layout, move.from, move.to, move.king, move.crowns);
    for_each(move.captured, [&](int bit) {
        value.captures[value.taken++] = static_cast<std::uint8_t>(layout.square(bit));
    });
    // On a mirrored board bits and squares have opposite orders within a row.
    std::sort(value.captures, value.captures + value.taken);
    if (value.taken > 1) {
        value.has_route = false;
        value.origin = {p, rules};
    }
    return value;
}

WideMove to_bits(const Layout& layout, const MoveValue& value) noexcept {
    WideMove move{0, static_cast<std::uint8_t>(layout.bit(value.start)),
                  static_cast<std::uint8_t>(layout.bit(value.end)), value.king, value.crowns};
    for (unsigned i = 0; i < value.taken; ++i) {
        move.captured |= Wide{1} << layout.bit(value.captures[i]);
    }
    return move;
}

Route MoveValue::route() const {
    if (has_route) return known;
    const WideMove move = to_bits(layout_of(origin.rules), *this);
    const Route route = first_route(origin.rules, origin.position, move);
    if (route.length == 0) raise_too_complex();
    return route;
}

void raise_too_complex() {
    const nb::object error = nb::module_::import_("damka.errors").attr("PositionTooComplexError");
    PyErr_SetNone(error.ptr());
    nb::raise_python_error();
}

nb::object to_python(const Rules& rules, const WidePosition& p, const WideMove& move) {
    const SharedMoves& table = shared_moves(rules);
    if (!move.captured) {
        if (move.king) return nb::borrow(table.king[move.from][move.to]);
        for (Direction d = 0; d < kDirections; ++d) {
            if (move.to - move.from == table.steps[d]) return nb::borrow(table.man[d][move.to]);
        }
    }
    if ((move.captured & (move.captured - 1)) == 0) {
        const Direction d = jump_direction(table, move);
        if (d >= 0) {
            return nb::borrow(move.king ? table.king_capture[d][move.to]
                                        : table.man_capture[index(p.turn)][d][move.to]);
        }
    }
    return make_object(to_value(rules, p, move));
}

namespace {

nb::tuple squares(const std::uint8_t* first, std::size_t n) {
    nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(n)));
    if (!tuple.is_valid()) nb::raise_python_error();
    for (std::size_t i = 0; i < n; ++i) {
        set_tuple_item(tuple, static_cast<Py_ssize_t>(i), PyLong_FromLong(first[i]));
    }
    return nb::borrow<nb::tuple>(tuple);
}

nb::tuple captures_of(const MoveValue& m) { return squares(m.captures, m.taken); }

nb::tuple route_of(const MoveValue& m) {
    const Route route = m.route();
    return squares(route.squares, route.length);
}

std::uint8_t checked_square(int square) {
    if (square < 1 || square > kMaxSquares) {
        throw nb::value_error("square: 1 to 72");
    }
    return static_cast<std::uint8_t>(square);
}

void init_move(MoveValue* self, int start, int end, const std::vector<int>& captures,
               const std::optional<std::vector<int>>& route, bool crowns, bool is_king) {
    MoveValue value;
    value.taken = 0;
    value.start = checked_square(start);
    value.end = checked_square(end);
    value.king = is_king;
    value.crowns = crowns;
    if (crowns && is_king) throw nb::value_error("crowns: the piece is already a king");
    if (captures.size() > kMaxCaptured) throw nb::value_error("at most 70 captures");
    for (const int square : captures) value.captures[value.taken++] = checked_square(square);
    std::sort(value.captures, value.captures + value.taken);
    if (std::adjacent_find(value.captures, value.captures + value.taken) !=
        value.captures + value.taken) {
        throw nb::value_error("captures: a square occurs twice");
    }
    const std::vector<int> way = route.value_or(std::vector<int>{start, end});
    if (way.size() < 2 || way.size() > std::max<std::size_t>(captures.size(), 1) + 1 ||
        way.front() != start || way.back() != end) {
        throw nb::value_error("route: expected start, a landing for every capture, and end");
    }
    value.has_route = true;
    value.known.length = 0;
    for (const int square : way) value.known.squares[value.known.length++] = checked_square(square);
    new (self) MoveValue(value);
}

nb::str repr(const MoveValue& m) {
    std::string text = "Move(" + number(m.start) + ", " + number(m.end);
    const auto listed = [&](const char* name, const std::uint8_t* first, unsigned n) {
        text += std::string(", ") + name + "=(";
        for (unsigned i = 0; i < n; ++i) text += (i ? ", " : "") + number(first[i]);
        text += n == 1 ? ",)" : ")";
    };
    if (m.taken) listed("captures", m.captures, m.taken);
    const Route route = m.route();
    if (route.length > 2) listed("route", route.squares, route.length);
    if (m.crowns) text += ", crowns=True";
    if (m.king) text += ", is_king=True";
    text += ")";
    return nb::str(text.c_str(), text.size());
}

nb::tuple reduce(const MoveValue& m) {
    return nb::make_tuple(
        nb::module_::import_("damka.move").attr("_rebuild"),
        nb::make_tuple(m.start, m.end, captures_of(m), route_of(m), m.crowns, m.king));
}

nb::object same(nb::handle self) { return nb::borrow(self); }

}  // namespace

void bind_move(nb::module_& m) {
    nb::class_<MoveValue> cls(
        m, "Move", nb::is_final(), nb::is_weak_referenceable(), nb::pooled(256),
        nb::sig("@final\nclass Move()"),
        R"(An immutable move: start, end, captured squares, and whether it crowns.

Boards create moves; programs rarely need to. Squares are numbered 1..n from White's top
left. `captures` are the squares of the captured pieces, `route` all visited squares
from start to end (default: only these two). `str(move)` has only start and end, "32-28"
or "32x14", which may be ambiguous: `Board.text` returns an unambiguous text. Moves are
equal, and have the same hash, if start, end, captures and crowns are equal; `route` and
`is_king` are ignored. Moves can be pickled; copies are the same object.

Raises ValueError for squares outside every board and for an impossible route.

>>> from damka import Move
>>> Move(22, 15, [18])
Move(22, 15, captures=(18,))
>>> Move(32, 28) == Move(32, 28, is_king=True)
True
>>> str(Move(22, 15, [18]))
'22x15'
)");
    cls.def("__init__", &init_move, "start"_a, "end"_a, "captures"_a = nb::tuple(), nb::kw_only(),
            "route"_a = nb::none(), "crowns"_a = false, "is_king"_a = false,
            nb::sig("def __init__(self, start: int, end: int, captures: Iterable[int] = (), *, "
                    "route: Iterable[int] | None = None, crowns: bool = False, "
                    "is_king: bool = False) -> None"))
        .def_prop_ro(
            "start", [](const MoveValue& v) { return v.start; }, "The start square.")
        .def_prop_ro(
            "end", [](const MoveValue& v) { return v.end; }, "The end square.")
        .def_prop_ro("captures", &captures_of,
                     nb::for_getter(nb::sig("def captures(self, /) -> tuple[int, ...]")),
                     "The squares of the captured pieces, ascending; empty for a quiet move.")
        .def_prop_ro("route", &route_of,
                     nb::for_getter(nb::sig("def route(self, /) -> tuple[int, ...]")),
                     R"(The visited squares: start, every landing square, end.

If several routes capture the same pieces, this is one of them; `Board.routes` lists
all. Raises PositionTooComplexError if finding one takes too long.)")
        .def_prop_ro("is_capture", &MoveValue::is_capture, "Whether the move is a capture.")
        .def_prop_ro(
            "crowns", [](const MoveValue& v) { return v.crowns; }, "Whether the move crowns a man.")
        .def_prop_ro(
            "is_king", [](const MoveValue& v) { return v.king; }, "Whether a king moves.")
        .def("hub", &MoveValue::hub, nb::sig("def hub(self) -> str"),
             R"(Return the move in the Hub protocol's notation, which names every captured square.

>>> from damka import Move
>>> Move(32, 14, [19, 28]).hub()
'32x14x19x28'
)")
        .def("__str__", &MoveValue::text, R"(Start and end: "32-28", or "32x14" for a capture.)")
        .def("__repr__", &repr)
        .def("__hash__", &MoveValue::hash)
        .def(
            "__eq__", [](const MoveValue& a, const MoveValue& b) { return a == b; }, "other"_a,
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__copy__", &same, nb::sig("def __copy__(self) -> Self"))
        .def(
            "__deepcopy__", [](nb::handle self, nb::handle) { return same(self); }, "memo"_a,
            nb::sig("def __deepcopy__(self, memo: object) -> Self"))
        .def("__reduce__", &reduce, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
    cls.attr("__module__") = "damka.move";
    move_type = reinterpret_cast<PyTypeObject*>(cls.ptr());

    nb::list lists;
    m.attr("_shared_moves") = lists;
    module_list = lists.ptr();
}

}  // namespace damka::bindings
