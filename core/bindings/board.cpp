#include "bindings/board.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bindings/arrays.hpp"
#include "bindings/ruleset.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

PyTypeObject* move_class = nullptr;

nb::object list_of(Py_ssize_t n) {
    PyObject* list = PyList_New(n);
    if (!list) nb::raise_python_error();
    return nb::steal(list);
}

// --- legal moves ---

template <class V, Side S>
nb::object quiet_list(const Rules& rules, const PositionOf<typename V::Bits>& p) {
    using G = Generator<V>;
    using Bits = typename V::Bits;
    const SharedMoves& moves = shared_moves(rules);
    const Turn<Bits> t = G::pieces_of(p, S);
    const Bits kings = t.kings & ~resting(rules, p);
    nb::object list =
        list_of(static_cast<Py_ssize_t>(G::template count_quiets<S>(rules, t, kings)));
    Py_ssize_t n = 0;
    const auto put = [&](PyObject* move) {
        Py_INCREF(move);
        set_item(list, n++, move);
    };
    G::template for_quiets<S>(
        rules, t, kings, [&](Bits, Bits to, Direction d) { put(moves.man[d][lowest(to)]); },
        [&](Bits from, Bits to) { put(moves.king[lowest(from)][lowest(to)]); });
    return list;
}

// Calls f with the variant, the side to move and the position in the variant's words.
template <class F>
auto with_turn(const BoardValue& b, F&& f) {
    return visit(b.rules, [&](auto v) {
        const auto p = with_words<typename decltype(v)::Bits>(b.position);
        return with_side(p.turn, [&](auto s) { return f(v, s, p); });
    });
}

nb::object legal_moves(const BoardValue& b) {
    // A long search for captures lets other threads run, which may change the board.
    const WidePosition before = b.position;
    return with_turn(b, [&](auto v, auto s, const auto& p) -> nb::object {
        using V = decltype(v);
        using G = Generator<V>;
        if (is_over(b.rules, p)) return list_of(0);
        const auto t = G::pieces_of(p, s.value);
        const auto jumps = G::template man_jumps<s.value>(b.rules, t);
        if (!G::template can_capture<s.value>(b.rules, t, jumps)) {
            return quiet_list<V, s.value>(b.rules, p);
        }
        typename G::MoveList list;
        const CapturesListed listed;
        list_captures<V, s.value>(b.rules, t, jumps, list);
        listed.check();
        if (b.rules.capture_is_free) G::quiets(b.rules, p, list);
        nb::object objects = list_of(static_cast<Py_ssize_t>(list.size()));
        for (std::size_t i = 0; i < list.size(); ++i) {
            nb::object move = to_python(b.rules, before, with_words<Wide>(list[i]));
            set_item(objects, static_cast<Py_ssize_t>(i), move.release().ptr());
        }
        return objects;
    });
}

bool has_legal_moves(const BoardValue& b) {
    return with_turn(b, [&](auto v, auto, const auto& p) {
        return Generator<decltype(v)>::can_move(b.rules, p);
    });
}

nb::object quiet_moves(const BoardValue& b) {
    return with_turn(b, [&](auto v, auto s, const auto& p) -> nb::object {
        if (is_over(b.rules, p)) return list_of(0);
        return quiet_list<decltype(v), s.value>(b.rules, p);
    });
}

// --- playing ---

// The kernel's form of a quiet move, if the rules know it in this position.
template <class V, Side S>
std::optional<WideMove> find_quiet(const Rules& rules, const PositionOf<typename V::Bits>& p,
                                   const MoveValue& m) {
    using G = Generator<V>;
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;
    const Layout& layout = layout_of(rules);
    if (m.start > layout.squares || m.end > layout.squares) return std::nullopt;
    const Turn<Bits> t = G::pieces_of(p, S);
    const int from = layout.bit(m.start);
    const int to = layout.bit(m.end);
    const Bits origin = Shape::one(from);
    const Bits target = Shape::one(to);
    const Bits empty = G::vacant(t);
    const bool king = (t.kings & ~resting(rules, p) & origin) != 0;
    Bits reached = 0;
    const auto step = [&](auto way) { reached |= Shape::step(way, origin); };
    if (t.men & origin) {
        for_ways<V, S, Going::man_moves>(rules, step);
    } else if (king && V::flies(rules)) {
        reached = G::reach(rules, from, empty);
    } else if (king) {
        for_ways<V, S, Going::king_moves>(rules, step);
    }
    const bool crowns = !king && (target & G::template crown<S>());
    if (!(reached & empty & target) || crowns != m.crowns) return std::nullopt;
    return WideMove{0, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to), king,
                    crowns};
}

template <class MoveList>
std::optional<WideMove> find_capture(const Rules& rules, const MoveList& list, const MoveValue& m) {
    const Layout& layout = layout_of(rules);
    if (m.start > layout.squares || m.end > layout.squares) return std::nullopt;
    for (unsigned i = 0; i < m.taken; ++i) {
        if (m.captures[i] > layout.squares) return std::nullopt;
    }
    const WideMove wanted = to_bits(layout, m);
    for (const auto& move : list) {
        if (const WideMove found = with_words<Wide>(move); found == wanted) return found;
    }
    return std::nullopt;
}

enum class Allow { legal, offences };

std::optional<WideMove> find(const BoardValue& b, const MoveValue& m, Allow allow) {
    return with_turn(b, [&](auto v, auto s, const auto& p) -> std::optional<WideMove> {
        using V = decltype(v);
        using G = Generator<V>;
        if (is_over(b.rules, p)) return std::nullopt;
        const auto t = G::pieces_of(p, s.value);
        const auto jumps = G::template man_jumps<s.value>(b.rules, t);
        const bool due = G::template can_capture<s.value>(b.rules, t, jumps);
        if (!m.is_capture()) {
            if (due && allow == Allow::legal && !b.rules.capture_is_free) return std::nullopt;
            return find_quiet<V, s.value>(b.rules, p, m);
        }
        if (!due) return std::nullopt;
        typename G::MoveList list;
        const CapturesListed listed;
        list_captures<V, s.value>(b.rules, t, jumps, list);
        listed.check();
        return find_capture(b.rules, list, m);
    });
}

// The pieces that may be huffed after a move: those that had to capture, where they then stand.
Wide offences_of(const BoardValue& b, const WideMove& m) {
    if (m.captured || !b.game_rules->huffing()) return 0;
    return with_turn(b, [&](auto v, auto s, const auto& p) -> Wide {
        using V = decltype(v);
        using G = Generator<V>;
        const auto t = G::pieces_of(p, s.value);
        const auto jumps = G::template man_jumps<s.value>(b.rules, t);
        if (!G::template can_capture<s.value>(b.rules, t, jumps)) return 0;
        typename G::MoveList list;
        const CapturesListed listed;
        list_captures<V, s.value>(b.rules, t, jumps, list);
        listed.check();
        Wide due = 0;
        for (const auto& capture : list) due |= Wide{1} << capture.from;
        const Wide from = Wide{1} << m.from;
        return due & from ? (due ^ from) | Wide{1} << m.to : due;
    });
}

// Plays a move object if the rules know it; otherwise returns null and changes nothing.
nb::object play(BoardValue& b, nb::handle object, Allow allow) {
    const MoveValue& m = *nb::inst_ptr<MoveValue>(object);
    const WidePosition before = b.position;
    const std::optional<WideMove> move = find(b, m, allow);
    if (!move) return nb::object();
    const Wide offences = offences_of(b, *move);
    // A long search for captures lets other threads run.
    if (!(b.position == before)) {
        throw std::runtime_error("another thread has changed this board meanwhile");
    }
    // A move object from elsewhere may be equal and still tell another route.
    nb::object kept = nb::borrow(object);
    if (m.taken > 1 || m.king != move->king) kept = to_python(b.rules, b.position, *move);
    b.plies.push_back({{b.position, b.status}, kept});
    b.position = make(b.rules, b.position, *move);
    b.game_rules->move(b.status, *move, b.position, offences);
    return kept;
}

nb::object as_move(nb::handle self, nb::handle move) {
    if (Py_TYPE(move.ptr()) == move_class) return nb::borrow(move);
    return self.attr("parse")(move);
}

nb::object push(nb::handle self, nb::handle move, Allow allow) {
    nb::object object = as_move(self, move);
    if (Py_TYPE(object.ptr()) != move_class) throw nb::type_error("a move is a Move or a text");
    nb::object played;
    {
        nb::ft_object_guard guard(self);
        played = play(board_of(self), object, allow);
    }
    if (!played.is_valid()) {
        self.attr("_refuse")(object);  // raises
        throw nb::value_error("the move is not legal");
    }
    return played;
}

void take_back(BoardValue& b) {
    b.position = b.plies.back().before;
    b.status = b.plies.back().status;
    b.plies.pop_back();
}

nb::object pop(nb::handle self) {
    nb::ft_object_guard guard(self);
    BoardValue& b = board_of(self);
    const bool waiting = b.status.has_huffed();  // for the move that follows the huff
    if (b.plies.size() <= (waiting ? 1u : 0u)) throw nb::index_error("no move to take back");
    if (waiting) take_back(b);
    nb::object move = b.plies.back().move;
    take_back(b);
    if (b.status.has_huffed()) take_back(b);
    return move;
}

// --- huffing ---

void huff(nb::handle self, int square) {
    nb::ft_object_guard guard(self);
    BoardValue& b = board_of(self);
    const Layout& layout = layout_of(b.rules);
    const bool on_board = square >= 1 && square <= layout.squares;
    const int bit = on_board ? layout.bit(square) : 0;
    if (!on_board || !(b.status.offences >> bit & 1)) {
        throw nb::value_error("no piece that may be huffed stands there: see `offences`");
    }
    b.plies.push_back({{b.position, b.status}, nb::none()});
    b.position = without(b.position, bit);
    b.game_rules->huff(b.status, bit, b.position);
}

void unhuff(nb::handle self) {
    nb::ft_object_guard guard(self);
    BoardValue& b = board_of(self);
    if (!b.status.has_huffed()) throw nb::index_error("no huff to take back");
    take_back(b);
}

nb::object pending_huff(const BoardValue& b) {
    if (!b.status.has_huffed()) return nb::none();
    return nb::int_(layout_of(b.rules).square(b.status.huffed));
}

nb::tuple offences(const BoardValue& b) {
    const Layout& layout = layout_of(b.rules);
    nb::list squares;
    for_each(b.status.offences, [&](int bit) { squares.append(layout.square(bit)); });
    squares.sort();
    return nb::tuple(squares);
}

// --- the end of a game ---

GameResult result_of(const BoardValue& b) {
    return b.game_rules->result(b.position, b.status, b.plies);
}

const char* ending_name(Ending ending) noexcept {
    static constexpr const char* names[] = {
        "",           "no_pieces", "no_moves",    "breakthrough",
        "repetition", "same_move", "no_progress", "material"};
    return names[static_cast<std::size_t>(ending)];
}

// (winner, reason), or None while the game is on.
nb::object result(const BoardValue& b) {
    const GameResult found = result_of(b);
    if (!found.is_over()) return nb::none();
    const nb::object winner =
        found.is_draw() ? nb::none() : nb::object(nb::str(side_name(found.winner)));
    return nb::make_tuple(winner, ending_name(found.ending));
}

// (plies without progress, occurrences of the situation, times of the move made most often in it).
nb::tuple counts(const BoardValue& b) {
    const Repetitions again = b.game_rules->repetitions(b.position, b.status, b.plies);
    return nb::make_tuple(b.status.counts.progress, again.occurrences, again.same_move);
}

// For each of the rules' draws by material the plies counted, or None where it is not fulfilled.
nb::tuple material_counts(const BoardValue& b) {
    const std::size_t n = b.game_rules->draws().material.size();
    nb::list list;
    for (std::size_t i = 0; i < n; ++i) list.append(nb::none());
    b.game_rules->for_material(b.status, [&](std::size_t i, int plies) { list[i] = plies; });
    return nb::tuple(list);
}

// --- the rest ---

// Without pieces, the start position.
void init_board(BoardValue* self, nb::object rules, nb::handle pieces, nb::handle turn) {
    std::shared_ptr<const GameRules> game = game_rules_of(rules);
    const Rules& native = game->rules();
    WidePosition position;
    if (pieces.is_none()) {
        position = start_position<Wide>(native);
    } else if (!read_pieces(layout_of(native), nb::cast<std::string_view>(pieces), read_side(turn),
                            position)) {
        throw nb::value_error("pieces: one of \"wbWB.\" for every square");
    }
    nb::object shared = nb::borrow(shared_moves(native).all);
    const GameStatus status = game->begin(position);
    new (self) BoardValue{
        std::move(rules), std::move(shared), native, std::move(game), position, status, {}};
}

// A board at a position, without the moves that led to it.
BoardValue at(const BoardValue& b, const WidePosition& position) {
    return {b.rules_object,
            b.move_list,
            b.rules,
            b.game_rules,
            position,
            b.game_rules->begin(position),
            {}};
}

std::string pieces_of(const BoardValue& b) { return pieces_text(b.rules, b.position); }

nb::object piece_on(const BoardValue& b, int square) {
    const Layout& layout = layout_of(b.rules);
    if (square < 1 || square > layout.squares) throw nb::value_error("not a square of this board");
    const char piece = piece_at(b.position, layout.bit(square));
    if (piece == '.') return nb::none();
    return nb::str(&piece, 1);
}

// A new object of the same Python class, with this value.
nb::object fresh(nb::handle self, BoardValue value) {
    nb::object copy = nb::inst_alloc(self.type());
    new (nb::inst_ptr<BoardValue>(copy)) BoardValue(std::move(value));
    nb::inst_mark_ready(copy);
    return copy;
}

nb::object copy_board(nb::handle self) {
    nb::ft_object_guard guard(self);
    return fresh(self, board_of(self));
}

nb::object with_pieces(nb::handle self, std::string_view pieces, nb::handle turn) {
    const BoardValue& b = board_of(self);
    WidePosition position;
    if (!read_pieces(layout_of(b.rules), pieces, read_side(turn), position)) {
        throw nb::value_error("pieces: one of \"wbWB.\" for every square");
    }
    return fresh(self, at(b, position));
}

nb::object remove(nb::handle self, int square) {
    nb::ft_object_guard guard(self);
    const BoardValue& b = board_of(self);
    const Layout& layout = layout_of(b.rules);
    if (square < 1 || square > layout.squares || piece_at(b.position, layout.bit(square)) == '.') {
        throw nb::value_error("no piece stands there");
    }
    return fresh(self, at(b, without(b.position, layout.bit(square))));
}

nb::object root(nb::handle self) {
    nb::ft_object_guard guard(self);
    const BoardValue& b = board_of(self);
    return fresh(self, at(b, b.plies.empty() ? b.position : b.plies.front().before));
}

nb::tuple stack(const BoardValue& b) {
    nb::list moves;
    for (const auto& ply : b.plies) {
        if (!ply.move.is_none()) moves.append(ply.move);
    }
    return nb::tuple(moves);
}

std::size_t move_count(const BoardValue& b) {
    return static_cast<std::size_t>(
        std::count_if(b.plies.begin(), b.plies.end(),
                      [](const BoardValue::Ply& ply) { return !ply.move.is_none(); }));
}

// The moves and huffs so far, in order: a huff is its square.
nb::tuple steps(const BoardValue& b) {
    const Layout& layout = layout_of(b.rules);
    nb::list list;
    for (std::size_t i = 0; i < b.plies.size(); ++i) {
        if (!b.plies[i].move.is_none()) {
            list.append(b.plies[i].move);
        } else {
            const GameStatus& after = i + 1 < b.plies.size() ? b.plies[i + 1].status : b.status;
            list.append(layout.square(after.huffed));
        }
    }
    return nb::tuple(list);
}

// (square, moves) of the kings that made their players' last moves, by square.
nb::tuple streaks(const BoardValue& b) {
    const Layout& layout = layout_of(b.rules);
    nb::list list;
    for (const Streak& streak : b.position.streaks) {
        if (streak.moves == 0) continue;
        list.append(nb::make_tuple(layout.square(streak.bit), static_cast<int>(streak.moves)));
    }
    list.sort();
    return nb::tuple(list);
}

bool equal(const BoardValue& a, const BoardValue& b) {
    return a.position == b.position && a.rules_object.equal(b.rules_object);
}

nb::list routes(const BoardValue& b, const MoveValue& m, std::size_t limit) {
    nb::list found;
    if (limit == 0) return found;
    const std::optional<WideMove> move = find(b, m, Allow::offences);
    if (!move) throw nb::value_error("not a move of this position");
    const auto add = [&](const Route& route) {
        nb::list squares;
        for (unsigned i = 0; i < route.length; ++i) {
            squares.append(static_cast<int>(route.squares[i]));
        }
        found.append(nb::tuple(squares));
        return found.size() < limit;
    };
    if (m.taken < 2) {
        add(to_value(b.rules, b.position, *move).known);
    } else {
        if (!walk_routes(b.rules, b.position, *move, add)) raise_too_complex();
    }
    return found;
}

}  // namespace

std::string pieces_text(const Rules& rules, const WidePosition& position) {
    const Layout& layout = layout_of(rules);
    std::string text;
    for (int square = 1; square <= layout.squares; ++square) {
        text += piece_at(position, layout.bit(square));
    }
    return text;
}

BoardValue& board_of(nb::handle object) {
    if (!nb::isinstance<BoardValue>(object)) throw nb::type_error("not a Board");
    return *nb::inst_ptr<BoardValue>(object);
}

void bind_board(nb::module_& m) {
    move_class = reinterpret_cast<PyTypeObject*>(nb::handle(m.attr("Move")).ptr());
    nb::class_<BoardValue> cls(m, "Board", "The native half of damka.Board.");
    cls.def("__init__", &init_board, "rules"_a, "pieces"_a.none(), "turn"_a.none())
        .def_prop_ro("rules", [](const BoardValue& b) { return b.rules_object; })
        .def_prop_ro("turn", [](const BoardValue& b) { return side_name(b.position.turn); })
        .def_prop_ro("key", [](const BoardValue& b) { return b.position.key; })
        .def_prop_ro("pieces", &pieces_of, nb::lock_self())
        .def_prop_ro("streaks", &streaks, nb::lock_self())
        .def_prop_ro("square_count", [](const BoardValue& b) { return layout_of(b.rules).squares; })
        .def_prop_ro("legal_moves", &legal_moves, nb::lock_self())
        .def_prop_ro("has_legal_moves", &has_legal_moves, nb::lock_self())
        .def_prop_ro("quiet_moves", &quiet_moves, nb::lock_self())
        .def_prop_ro("move_count", &move_count, nb::lock_self())
        .def_prop_ro("stack", &stack, nb::lock_self())
        .def_prop_ro("steps", &steps, nb::lock_self())
        .def_prop_ro(
            "is_over", [](const BoardValue& b) { return result_of(b).is_over(); }, nb::lock_self())
        .def_prop_ro("_result", &result, nb::lock_self())
        .def_prop_ro("_counts", &counts, nb::lock_self())
        .def_prop_ro("material_counts", &material_counts, nb::lock_self())
        .def_prop_ro("offences", &offences, nb::lock_self())
        .def_prop_ro("pending_huff", &pending_huff, nb::lock_self())
        .def("piece_at", &piece_on, "square"_a, nb::lock_self())
        .def(
            "push", [](nb::handle self, nb::handle move) { return push(self, move, Allow::legal); },
            "move"_a.none())
        .def(
            "push_unchecked",
            [](nb::handle self, nb::handle move) { return push(self, move, Allow::offences); },
            "move"_a.none())
        .def("pop", &pop)
        .def("huff", &huff, "square"_a)
        .def("unhuff", &unhuff)
        .def("copy", &copy_board)
        .def("__copy__", &copy_board)
        .def("__deepcopy__", [](nb::handle self, nb::handle) { return copy_board(self); })
        .def("with_pieces", &with_pieces, "pieces"_a, "turn"_a)
        .def("remove", &remove, "square"_a)
        .def("root", &root)
        .def("_routes", &routes, "move"_a, "limit"_a, nb::lock_self())
        .def("__eq__", &equal, nb::is_operator(), nb::lock_self(), nb::arg().lock())
        .def("__hash__", [](const BoardValue& b) {
            return static_cast<std::size_t>(zobrist::mix(b.position.key + layout_number(b.rules)));
        });
    bind_perft(cls);
    bind_arrays(cls);
}

}  // namespace damka::bindings
