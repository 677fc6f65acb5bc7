#include "move.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "movegen.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

// Made once, and kept by the module: nothing is added later, so threads share them freely.
struct Interned {
    QuietMoves quiet;
    PyObject* man_capture[2][kDirections][64];  // by side, direction and the bit of the end
    PyObject* king_capture[kDirections][64];
};

Interned interned[4];
PyTypeObject* move_type = nullptr;

std::size_t layout_number(const Rules& rules) noexcept {
    return (rules.width == 10 ? 2u : 0u) + (rules.dark_left ? 1u : 0u);
}

std::string number(int n) { return std::to_string(n); }

nb::object make_object(const MoveValue& value) {
    nb::object self = nb::inst_alloc(reinterpret_cast<PyObject*>(move_type));
    const std::size_t size = value.has_route ? offsetof(MoveValue, known) + sizeof(Route)
                                             : sizeof(MoveValue);
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
void intern(Interned& table, const Layout& layout, nb::list& keep) {
    const auto kept = [&](const MoveValue& value) {
        nb::object object = make_object(value);
        keep.append(object);
        return object.ptr();
    };
    for_each(Shape::kBoard, [&](int from) {
        for (Direction d = 0; d < kDirections; ++d) {
            const auto crown = d < 2 ? Shape::kTop : Shape::kBottom;
            for_each(Shape::line(d, from), [&](int to) {
                table.quiet.king[from][to] = kept(simple(layout, from, to, true, false));
            });
            const auto over = Shape::step(d, Shape::one(from)) & Shape::kBoard;
            if (!over) continue;
            const int next = lowest(over);
            table.quiet.man[d][next] =
                kept(simple(layout, from, next, false, (over & crown) != 0));
            const auto behind = Shape::step(d, over) & Shape::kBoard;
            if (!behind) continue;
            const int to = lowest(behind);
            const auto taking = [&](bool king, bool crowns) {
                MoveValue value = simple(layout, from, to, king, crowns);
                value.taken = 1;
                value.captures[0] = static_cast<std::uint8_t>(layout.square(next));
                return kept(value);
            };
            table.king_capture[d][to] = taking(true, false);
            PyObject* plain = taking(false, false);
            PyObject* crowning = behind & crown ? taking(false, true) : plain;
            // A man is crowned on its own side's last row only: White's lies up, Black's down.
            table.man_capture[index(Side::white)][d][to] = d < 2 ? crowning : plain;
            table.man_capture[index(Side::black)][d][to] = d < 2 ? plain : crowning;
        }
    });
}

// The direction of a single short jump, or -1.
Direction jump_direction(const Rules& rules, const Move& move) noexcept {
    const int near = rules.width / 2;
    const int span = move.to - move.from;
    if (span == -2 * (near + 1)) return 0;
    if (span == -2 * near) return 1;
    if (span == 2 * near) return 2;
    if (span == 2 * (near + 1)) return 3;
    return -1;
}

}  // namespace

const QuietMoves& quiet_moves_of(const Rules& rules) noexcept {
    return interned[layout_number(rules)].quiet;
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

MoveValue to_value(const Rules& rules, const Position& p, const Move& move) {
    const Layout& layout = layout_of(rules);
    MoveValue value = simple(layout, move.from, move.to, move.king, move.crowns);
    for_each(move.captured, [&](int bit) {
        value.captures[value.taken++] = static_cast<std::uint8_t>(layout.square(bit));
    });
    // On a mirrored board bits and squares run against each other within a row.
    std::sort(value.captures, value.captures + value.taken);
    if (value.taken > 1) {
        value.has_route = false;
        value.origin = {p, rules};
    }
    return value;
}

Move to_bits(const Layout& layout, const MoveValue& value) noexcept {
    Move move{0, static_cast<std::uint8_t>(layout.bit(value.start)),
              static_cast<std::uint8_t>(layout.bit(value.end)), value.king, value.crowns};
    for (unsigned i = 0; i < value.taken; ++i) {
        move.captured |= std::uint64_t{1} << layout.bit(value.captures[i]);
    }
    return move;
}

Route MoveValue::route() const {
    if (has_route) return known;
    const Move move = to_bits(layout_of(origin.rules), *this);
    return visit(origin.rules, [&](auto v) {
        return Routes<decltype(v)>(origin.rules, origin.position, move).first();
    });
}

nb::object to_python(const Rules& rules, const Position& p, const Move& move) {
    const Interned& table = interned[layout_number(rules)];
    if (!move.captured) {
        if (move.king) return nb::borrow(table.quiet.king[move.from][move.to]);
        const int start = layout_of(rules).square(move.from);
        for (Direction d = p.turn == Side::white ? 0 : 2;; ++d) {
            PyObject* object = table.quiet.man[d][move.to];
            if (!object) continue;
            if (nb::inst_ptr<MoveValue>(object)->start == start) return nb::borrow(object);
        }
    }
    if ((move.captured & (move.captured - 1)) == 0) {
        const Direction d = jump_direction(rules, move);
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
        PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLong(first[i]));
    }
    return nb::borrow<nb::tuple>(tuple);
}

nb::tuple captures_of(const MoveValue& m) { return squares(m.captures, m.taken); }

nb::tuple route_of(const MoveValue& m) {
    const Route route = m.route();
    return squares(route.squares, route.length);
}

constexpr int kMaxSquare = 72;

std::uint8_t checked_square(int square) {
    if (square < 1 || square > kMaxSquare) {
        throw nb::value_error("a square is a number from 1 to 72");
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
    if (crowns && is_king) throw nb::value_error("a king is not crowned again");
    if (captures.size() > kMaxCaptured) throw nb::value_error("at most 50 captures");
    for (const int square : captures) value.captures[value.taken++] = checked_square(square);
    std::sort(value.captures, value.captures + value.taken);
    if (std::adjacent_find(value.captures, value.captures + value.taken) !=
        value.captures + value.taken) {
        throw nb::value_error("a piece is captured once");
    }
    const std::vector<int> way = route.value_or(std::vector<int>{start, end});
    if (way.size() < 2 || way.size() > std::max<std::size_t>(captures.size(), 1) + 1 ||
        way.front() != start || way.back() != end) {
        throw nb::value_error("a route leads from start to end, with a landing for every capture");
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
        m, "Move", nb::is_final(), nb::pooled(256),
        "An immutable move: start, end, what it captures, whether it crowns.");
    cls.def("__init__", &init_move, "start"_a, "end"_a, "captures"_a = nb::tuple(), nb::kw_only(),
            "route"_a = nb::none(), "crowns"_a = false, "is_king"_a = false)
        .def_prop_ro("start", [](const MoveValue& v) { return v.start; })
        .def_prop_ro("end", [](const MoveValue& v) { return v.end; })
        .def_prop_ro("captures", &captures_of)
        .def_prop_ro("route", &route_of)
        .def_prop_ro("is_capture", &MoveValue::is_capture)
        .def_prop_ro("crowns", [](const MoveValue& v) { return v.crowns; })
        .def_prop_ro("is_king", [](const MoveValue& v) { return v.king; })
        .def("hub", &MoveValue::hub)
        .def("__str__", &MoveValue::text)
        .def("__repr__", &repr)
        .def("__hash__", &MoveValue::hash)
        .def("__eq__", [](const MoveValue& a, const MoveValue& b) { return a == b; },
             nb::is_operator())
        .def("__copy__", &same)
        .def("__deepcopy__", [](nb::handle self, nb::handle) { return same(self); })
        .def("__reduce__", &reduce);
    cls.attr("__module__") = "damka.move";
    move_type = reinterpret_cast<PyTypeObject*>(cls.ptr());

    // The module keeps the shared objects alive, and every Board keeps the module's list.
    nb::list keep;
    intern<Board8>(interned[0], Layout::of<Board8>(false), keep);
    intern<Board8>(interned[1], Layout::of<Board8>(true), keep);
    intern<Board10>(interned[2], Layout::of<Board10>(false), keep);
    intern<Board10>(interned[3], Layout::of<Board10>(true), keep);
    m.attr("_shared_moves") = keep;
}

}  // namespace damka::bindings
