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
#include "game/find_move.hpp"
#include "position/read_position.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

PyTypeObject* move_class = nullptr;

nb::object new_list(Py_ssize_t n) {
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
        new_list(static_cast<Py_ssize_t>(G::template count_quiets<S>(rules, t, kings)));
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

// Calls f with the variant, the side to move and the position in the variant's word type.
template <class F>
auto with_turn(const BoardValue& b, F&& f) {
    return visit(b.rules, [&](auto v) {
        const auto p = with_words<typename decltype(v)::Bits>(b.position);
        return with_side(p.turn, [&](auto s) { return f(v, s, p); });
    });
}

nb::object legal_moves(const BoardValue& b) {
    // A long capture search lets other threads run, which may change the board.
    const WidePosition before = b.position;
    return with_turn(b, [&](auto v, auto s, const auto& p) -> nb::object {
        using V = decltype(v);
        using G = Generator<V>;
        if (is_over(b.rules, p)) return new_list(0);
        const auto t = G::pieces_of(p, s.value);
        const auto jumps = G::template man_jumps<s.value>(b.rules, t);
        if (!G::template can_capture<s.value>(b.rules, t, jumps)) {
            return quiet_list<V, s.value>(b.rules, p);
        }
        typename G::MoveList list;
        const CaptureListGuard list_guard;
        list_captures<V, s.value>(b.rules, t, jumps, list);
        list_guard.check();
        if (b.rules.capture_is_free) G::quiets(b.rules, p, list);
        nb::object objects = new_list(static_cast<Py_ssize_t>(list.size()));
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
        if (is_over(b.rules, p)) return new_list(0);
        return quiet_list<decltype(v), s.value>(b.rules, p);
    });
}

// --- playing ---

// Returns the kernel's move if it is legal here.
std::optional<WideMove> find(const BoardValue& b, const MoveValue& m, Allow allow) {
    const Layout& layout = layout_of(b.rules);
    const auto outside = [&](unsigned square) {
        return square > static_cast<unsigned>(layout.squares);
    };
    if (outside(m.start) || outside(m.end) ||
        std::any_of(m.captures, m.captures + m.taken, outside)) {
        return std::nullopt;
    }
    const CaptureListGuard list_guard;
    const std::optional<WideMove> found = find_move(b.rules, b.position, to_bits(layout, m), allow);
    list_guard.check();
    return found;
}

// Plays a move object if it is legal; otherwise returns null and changes nothing.
nb::object play(BoardValue& b, nb::handle object, Allow allow) {
    const MoveValue& m = *nb::inst_ptr<MoveValue>(object);
    const WidePosition before = b.position;
    const std::optional<WideMove> move = find(b, m, allow);
    if (!move) return nb::object();
    Wide offences = 0;
    if (b.game_rules->huffing()) {
        const CaptureListGuard list_guard;
        offences = offences_after(b.rules, before, *move);
        list_guard.check();
    }
    // A long capture search lets other threads run.
    if (!(b.position == before)) {
        throw std::runtime_error("the board was changed by another thread");
    }
    // An equal move object of another position may have another route.
    nb::object played = nb::borrow(object);
    if (m.taken > 1 || m.king != move->king) played = to_python(b.rules, b.position, *move);
    b.plies.push_back({{b.position, b.status}, played});
    b.position = make(b.rules, b.position, *move);
    b.game_rules->move(b.status, *move, b.position, offences);
    return played;
}

nb::object as_move(nb::handle self, nb::handle move) {
    if (Py_TYPE(move.ptr()) == move_class) return nb::borrow(move);
    return self.attr("parse")(move);
}

nb::object push(nb::handle self, nb::handle move, Allow allow) {
    nb::object object = as_move(self, move);
    if (Py_TYPE(object.ptr()) != move_class) throw nb::type_error("a move must be a Move or a str");
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
    b.position = b.plies.back().position;
    b.status = b.plies.back().status;
    b.plies.pop_back();
}

nb::object pop(nb::handle self) {
    nb::ft_object_guard guard(self);
    BoardValue& b = board_of(self);
    const bool waiting = b.status.has_huffed();  // the move after the huff is not made yet
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
        throw nb::value_error("no piece on this square may be huffed: see `offences`");
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

// --- result ---

GameResult result_of(const BoardValue& b) {
    return b.game_rules->result(b.position, b.status, b.plies);
}

const char* ending_name(Ending ending) noexcept {
    static constexpr const char* names[] = {
        "",          "no_pieces",   "no_moves", "breakthrough", "repetition",
        "same_move", "no_progress", "material", "move_limit"};
    return names[static_cast<std::size_t>(ending)];
}

// Returns (winner, reason), or None if the game is not over.
nb::object result(const BoardValue& b) {
    const GameResult found = result_of(b);
    if (!found.is_over()) return nb::none();
    const nb::object winner =
        found.is_draw() ? nb::none() : nb::object(nb::str(side_name(found.winner)));
    return nb::make_tuple(winner, ending_name(found.ending));
}

// Returns (plies without progress, occurrences of the position, most plays of one move, plies of
// the game).
nb::tuple counts(const BoardValue& b) {
    const Repetitions again = b.game_rules->repetitions(b.position, b.status, b.plies);
    return nb::make_tuple(b.status.counts.progress, again.occurrences, again.same_move,
                          b.status.plies);
}

// Returns the counted plies of each draw by material, or None where its condition is not fulfilled.
nb::tuple material_counts(const BoardValue& b) {
    const std::size_t n = b.game_rules->draws().material.size();
    nb::list list;
    for (std::size_t i = 0; i < n; ++i) list.append(nb::none());
    b.game_rules->for_material(b.status, [&](std::size_t i, int plies) { list[i] = plies; });
    return nb::tuple(list);
}

// --- construction, copies and properties ---

// `pieces` and `turn` are None for the start position.
void init_board(BoardValue* self, nb::object rules, nb::handle pieces, nb::handle turn) {
    std::shared_ptr<const GameRules> game = game_rules_of(rules);
    const Rules& native = game->rules();
    WidePosition position;
    if (pieces.is_none()) {
        position = start_position<Wide>(native);
    } else if (!read_position(layout_of(native), nb::cast<std::string_view>(pieces),
                              read_side(turn), position)) {
        throw nb::value_error("pieces: one of \"wbWB.\" for every square");
    }
    nb::object shared = nb::borrow(shared_moves(native).all);
    const GameStatus status = game->begin(position);
    new (self) BoardValue{
        std::move(rules), std::move(shared), native, std::move(game), position, status, {}};
}

// Returns a board at a position with an empty stack.
BoardValue board_at(const BoardValue& b, const WidePosition& position) {
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

// Returns a new object of the same Python class with this value.
nb::object new_board(nb::handle self, BoardValue value) {
    nb::object copy = nb::inst_alloc(self.type());
    new (nb::inst_ptr<BoardValue>(copy)) BoardValue(std::move(value));
    nb::inst_mark_ready(copy);
    return copy;
}

nb::object copy_board(nb::handle self) {
    nb::ft_object_guard guard(self);
    return new_board(self, board_of(self));
}

nb::object with_pieces(nb::handle self, std::string_view pieces, nb::handle turn) {
    const BoardValue& b = board_of(self);
    WidePosition position;
    if (!read_position(layout_of(b.rules), pieces, read_side(turn), position)) {
        throw nb::value_error("pieces: one of \"wbWB.\" for every square");
    }
    return new_board(self, board_at(b, position));
}

nb::object remove(nb::handle self, int square) {
    nb::ft_object_guard guard(self);
    const BoardValue& b = board_of(self);
    const Layout& layout = layout_of(b.rules);
    if (square < 1 || square > layout.squares || piece_at(b.position, layout.bit(square)) == '.') {
        throw nb::value_error("the square is empty");
    }
    WidePosition position = without(b.position, layout.bit(square));
    position.streaks = {};  // the new board has no moves
    position.key = position.compute_key();
    return new_board(self, board_at(b, position));
}

nb::object root(nb::handle self) {
    nb::ft_object_guard guard(self);
    const BoardValue& b = board_of(self);
    return new_board(self, board_at(b, b.plies.empty() ? b.position : b.plies.front().position));
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

// Returns the moves and huffs so far, in order: a huff is its square.
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

// Returns (square, moves) of the kings with a streak, by square.
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
    nb::class_<BoardValue> cls(m, "Board",
                               R"(A position with its move stack: the native base of damka.Board.

`rules` are the rules, `pieces` a character for every square ("w", "b", "W", "B" or
"."), and `turn` the side to move; both are None for the start position.)",
                               nb::is_weak_referenceable());
    cls.def("__init__", &init_board, "rules"_a, "pieces"_a.none(), "turn"_a.none(),
            nb::sig("def __init__(self, rules: Rules, pieces: str | None, turn: Side | None) -> "
                    "None"))
        .def_prop_ro(
            "rules", [](const BoardValue& b) { return b.rules_object; },
            nb::for_getter(nb::sig("def rules(self, /) -> Rules")), "The rules of the game.")
        .def_prop_ro(
            "turn", [](const BoardValue& b) { return side_name(b.position.turn); },
            nb::for_getter(nb::sig("def turn(self, /) -> Side")),
            R"(The side to move: "W" or "B".)")
        .def_prop_ro(
            "key", [](const BoardValue& b) { return b.position.key; },
            R"(The Zobrist key of the position: 64 bits of pieces, side to move and king streaks.

Equal positions on the same kind of board have equal keys in every process; keys of
different positions differ except for rare collisions. Draw counters and the right to
huff are not included.)")
        .def_prop_ro("pieces", &pieces_of, nb::lock_self(),
                     R"(The pieces as text: a character for every square, from square 1 on.

"w" and "b" are men, "W" and "B" kings, "." is an empty square.)")
        .def_prop_ro(
            "streaks", &streaks, nb::lock_self(),
            nb::for_getter(nb::sig("def streaks(self, /) -> tuple[tuple[int, int], ...]")),
            R"(The kings with a streak of quiet moves that the rules limit, as (square, moves).

A king has a streak while its side also has men, moved that king last, and captured
nothing with it. It may not move once the streak has reached `rules.king_streak`. Empty
if the rules have no such limit.)")
        .def_prop_ro(
            "square_count", [](const BoardValue& b) { return layout_of(b.rules).squares; },
            "The number of playing squares, which are numbered from 1.")
        .def_prop_ro("legal_moves", &legal_moves, nb::lock_self(),
                     nb::for_getter(nb::sig("def legal_moves(self, /) -> list[Move]")),
                     R"(The legal moves: a new list, in an order that depends only on the position.

Captures with the same start, end and captured pieces are one move, whatever their
routes. If a capture is compulsory, the list has only the captures that take precedence.
It is empty if the side cannot move, or if the position ends the game: a king where the
first king wins.

Raises PositionTooComplexError, within a tenth of a second, for more than 20,000
captures or more than 200,000 branches of their routes.

>>> import damka
>>> board = damka.Board("international", "W:W32,33:B28,29")
>>> [move.hub() for move in board.legal_moves]
['32x34x28x29']
)")
        .def_prop_ro(
            "has_legal_moves", &has_legal_moves, nb::lock_self(),
            R"(Whether there is a legal move: faster than `legal_moves`, and never too complex.)")
        .def_prop_ro("quiet_moves", &quiet_moves, nb::lock_self(),
                     nb::for_getter(nb::sig("def quiet_moves(self, /) -> list[Move]")),
                     R"(The quiet moves, even if a capture is compulsory.

Under rules with huffing they can be played with `push_unchecked`.)")
        .def_prop_ro("move_count", &move_count, nb::lock_self(),
                     "The length of `stack`: the number of moves that `pop` can take back.")
        .def_prop_ro("stack", &stack, nb::lock_self(),
                     nb::for_getter(nb::sig("def stack(self, /) -> tuple[Move, ...]")),
                     "The moves made on this board, oldest first.")
        .def_prop_ro(
            "steps", &steps, nb::lock_self(),
            nb::for_getter(nb::sig("def steps(self, /) -> tuple[Move | int, ...]")),
            R"(The moves and huffs made on this board, oldest first; a huff is an int, its square.)")
        .def_prop_ro(
            "is_over", [](const BoardValue& b) { return result_of(b).is_over(); }, nb::lock_self(),
            R"(Whether the game has ended by its rules, in a win or a draw.

`result` is the result. Repetitions and counters cover only the moves made on this
board, so a board set up at a position starts counting there.

>>> import damka
>>> board = damka.Board("american", "W:W18:B14")
>>> board.push("18x9")
Move(18, 9, captures=(14,))
>>> board.is_over
True
)")
        .def_prop_ro("_result", &result, nb::lock_self(),
                     nb::for_getter(nb::sig("def _result(self, /) -> tuple[Side | None, Reason] | "
                                            "None")),
                     "(winner, reason), or None if the game is not over.")
        .def_prop_ro(
            "_counts", &counts, nb::lock_self(),
            nb::for_getter(nb::sig("def _counts(self, /) -> tuple[int, int, int, int]")),
            R"((plies without progress, occurrences of the position, most plays of one move, plies).)")
        .def_prop_ro(
            "material_counts", &material_counts, nb::lock_self(),
            nb::for_getter(nb::sig("def material_counts(self, /) -> tuple[int | None, ...]")),
            R"(The counted plies of each of `rules.material_draws`, or None.

None means that the pieces on the board do not fulfil the condition.)")
        .def_prop_ro("offences", &offences, nb::lock_self(),
                     nb::for_getter(nb::sig("def offences(self, /) -> tuple[int, ...]")),
                     R"(The squares of the pieces that the side to move may huff, ascending.

They belong to the opponent and failed to capture with the last move. Empty under rules
without huffing.)")
        .def_prop_ro("pending_huff", &pending_huff, nb::lock_self(),
                     nb::for_getter(nb::sig("def pending_huff(self, /) -> int | None")),
                     R"(The square huffed in this turn, before the move is made, or None.)")
        .def("piece_at", &piece_on, "square"_a, nb::lock_self(),
             nb::sig("def piece_at(self, square: int) -> str | None"),
             R"(Return the piece on a square: "w" or "b" a man, "W" or "B" a king, None if empty.

Raises ValueError for a number outside the board.)")
        .def(
            "push", [](nb::handle self, nb::handle move) { return push(self, move, Allow::legal); },
            "move"_a.none(), nb::sig("def push(self, move: Move | str) -> Move"),
            R"(Make a legal move and return it.

`move` is a Move or text that `parse` reads: "22-18", "22x15", "22x18x15", "c3-d4".
The returned Move has its `route` and `is_king` set.

Raises IllegalMoveError for a move that the rules forbid, InvalidMoveError and
AmbiguousMoveError for text like `parse`, TypeError for anything else, and
PositionTooComplexError if there are too many captures to search. The board is then
unchanged.

>>> import damka
>>> board = damka.Board("international")
>>> board.push("32-28")
Move(32, 28)
>>> board.push(board.legal_moves[0]) == board.stack[-1]
True
)")
        .def(
            "push_unchecked",
            [](nb::handle self, nb::handle move) { return push(self, move, Allow::offences); },
            "move"_a.none(), nb::sig("def push_unchecked(self, move: Move | str) -> Move"),
            R"(Make a move as `push` does, or a quiet move where a capture is compulsory.

The quiet move must be one of `quiet_moves`. Under rules with huffing, `offences`
afterwards has the pieces that should have captured. Raises as `push` does.)")
        .def("pop", &pop, nb::sig("def pop(self) -> Move"),
             R"(Take back the last move, and its huff, and return the move.

A pending huff is also taken back. Raises IndexError if no move was made.)")
        .def("huff", &huff, "square"_a, nb::sig("def huff(self, square: int) -> None"),
             R"(Remove the opponent's piece from a square of `offences`, before making a move.

The side to move does not change. Raises ValueError for another square.)")
        .def("unhuff", &unhuff, nb::sig("def unhuff(self) -> None"),
             R"(Take back the pending huff. Raises IndexError without one.)")
        .def("copy", &copy_board, nb::sig("def copy(self) -> Self"),
             R"(Return an independent board with the same position and stack.

`copy.copy` and `copy.deepcopy` do the same. The time is proportional to the number of
moves.)")
        .def("__copy__", &copy_board, nb::sig("def __copy__(self) -> Self"))
        .def(
            "__deepcopy__", [](nb::handle self, nb::handle) { return copy_board(self); }, "memo"_a,
            nb::sig("def __deepcopy__(self, memo: object) -> Self"))
        .def("with_pieces", &with_pieces, "pieces"_a, "turn"_a,
             nb::sig("def with_pieces(self, pieces: str, turn: Side) -> Self"),
             R"(Return a board with the same rules, other pieces and an empty stack.

`pieces` has the format of the property; "+SQUARE:MOVES" after it adds a king's streak.
Raises ValueError for an invalid text or side.)")
        .def("remove", &remove, "square"_a, nb::sig("def remove(self, square: int) -> Self"),
             R"(Return a board without the piece on a square and with an empty stack.

Raises ValueError for an empty square.)")
        .def("root", &root, nb::sig("def root(self) -> Self"),
             "Return a board at the position before the first move of `stack`.")
        .def("_routes", &routes, "move"_a, "limit"_a, nb::lock_self(),
             nb::sig("def _routes(self, move: Move, limit: int) -> list[tuple[int, ...]]"),
             "Return at most `limit` routes of a move: start, every landing square, end.")
        .def("__eq__", &equal, nb::arg("other").lock(), nb::is_operator(), nb::lock_self(),
             nb::sig("def __eq__(self, other: object, /) -> bool"),
             "Whether rules, pieces, side to move and king streaks are equal.")
        .def("__hash__", [](const BoardValue& b) {
            return static_cast<std::size_t>(zobrist::mix(b.position.key + layout_number(b.rules)));
        });
    bind_perft(cls);
    bind_arrays(cls);
}

}  // namespace damka::bindings
