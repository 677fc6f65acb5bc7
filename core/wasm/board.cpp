// Positions and moves.
#include <algorithm>
#include <string>
#include <vector>

#include "game/find_move.hpp"
#include "game/move_index.hpp"
#include "game/observation.hpp"
#include "movegen/capture_limits.hpp"
#include "movegen/movegen_table.hpp"
#include "movegen/routes.hpp"
#include "position/board_map.hpp"
#include "position/read_position.hpp"
#include "wasm/objects.hpp"
#include "wasm/record.hpp"

namespace damka::wasm {

namespace {

// Whether every capture list since construction was complete.
class ListGuard {
   public:
    std::int32_t or_code(std::int32_t n) const noexcept {
        return capture_limits().unfinished == before_ ? n : kTooComplex;
    }

   private:
    std::uint64_t before_ = capture_limits().unfinished;
};

// Calls f(game, in, snapshot) with the rules and the first record of the input.
template <class F>
std::int32_t with_record(std::int32_t handle, std::int32_t n, F&& f) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        Reader in(n);
        if (in.left() < kRecord) return kNoInput;
        GameSnapshot now;
        if (!take_record(in, rules->game, now)) return kBadRecord;
        return f(rules->game, in, now);
    });
}

// Calls f(game, past, now) with the game in the input.
template <class F>
std::int32_t with_game(std::int32_t handle, std::int32_t n, F&& f) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        Reader in(n);
        std::vector<GameSnapshot> past;
        GameSnapshot now;
        if (const std::int32_t code = take_game(in, rules->game, past, now); code != kOk) {
            return code;
        }
        return f(rules->game, past, now);
    });
}

std::int32_t put_beginning(const GameRules& game, const WidePosition& p) {
    Writer out;
    put_record(out, game, p, game.begin(p));
    return out.size();
}

template <class Bits>
bool list_moves(const Rules& rules, const WidePosition& position, bool legal,
                std::vector<WideMove>& moves) {
    const ListGuard guard;
    const auto p = with_words<Bits>(position);
    const auto movegen = MoveGenTableOf<Bits>::of(rules);
    MoveListOf<Bits> list;
    if (legal) {
        movegen.moves(rules, p, list);
    } else if (!is_over(rules, p)) {
        movegen.quiets(rules, p, list);
    }
    for (const auto& move : list) moves.push_back(with_words<Wide>(move));
    return guard.or_code(kOk) == kOk;
}

// False if there are too many to list.
bool list_moves(const Rules& rules, const WidePosition& p, bool legal,
                std::vector<WideMove>& moves) {
    return rules.width == 12 ? list_moves<Wide>(rules, p, legal, moves)
                             : list_moves<std::uint64_t>(rules, p, legal, moves);
}

template <class Bits>
std::int32_t put_indices(const Rules& rules, const WidePosition& position) {
    const ListGuard guard;
    MoveListOf<Bits> list;
    MoveGenTableOf<Bits>::of(rules).moves(rules, with_words<Bits>(position), list);
    if (guard.or_code(kOk) != kOk) return kTooComplex;
    std::vector<MoveIndex> indices(list.size());
    if (!MoveIndexer<Bits>::of(rules).index(list.begin(), list.size(), indices.data())) {
        return kTooComplex;
    }
    Writer out;
    for (const MoveIndex each : indices) out.put(static_cast<std::int32_t>(each));
    return out.size();
}

bool on_board(const Layout& layout, std::int32_t square) {
    return 1 <= square && square <= layout.squares;
}

}  // namespace

// Writes the record of the start position.
DAMKA_API(damka_begin) std::int32_t damka_begin(std::int32_t handle) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        return put_beginning(rules->game, start_position<Wide>(rules->rules()));
    });
}

// Writes the record of a new game at a position. The input is one of "wbWB." for every square from
// 1, and "+SQUARE:MOVES" for each king with a streak; `turn` is 0 or 1.
DAMKA_API(damka_place)
std::int32_t damka_place(std::int32_t handle, std::int32_t n, std::int32_t turn) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        if (turn != 0 && turn != 1) return kBadNumber;
        Reader in(n);
        const std::string_view pieces = in.text(in.left());
        WidePosition p;
        if (!in.whole() ||
            !read_position(layout_of(rules->rules()), pieces, static_cast<Side>(turn), p)) {
            return kNoInput;
        }
        return put_beginning(rules->game, p);
    });
}

// Writes a record's pieces in the format of `damka_place`.
DAMKA_API(damka_pieces) std::int32_t damka_pieces(std::int32_t rules, std::int32_t n) {
    return with_record(rules, n, [](const GameRules& game, Reader&, const GameSnapshot& now) {
        const Layout& layout = layout_of(game.rules());
        Writer out;
        for (int square = 1; square <= layout.squares; ++square) {
            out.put(piece_at(now.position, layout.bit(square)));
        }
        return out.size();
    });
}

// Writes the legal moves of a record or, with `legal` 0, the quiet moves, including those that
// ignore a compulsory capture. The format is put_move's.
DAMKA_API(damka_moves)
std::int32_t damka_moves(std::int32_t rules, std::int32_t n, std::int32_t legal) {
    return with_record(rules, n, [&](const GameRules& game, Reader&, const GameSnapshot& now) {
        std::vector<WideMove> moves;
        if (!list_moves(game.rules(), now.position, legal != 0, moves)) {
            return static_cast<std::int32_t>(kTooComplex);
        }
        Writer out;
        const Layout& layout = layout_of(game.rules());
        for (const WideMove& move : moves) put_move(out, layout, move);
        return out.size();
    });
}

// Whether there is a legal move: 0 or 1, never kTooComplex.
DAMKA_API(damka_can_move) std::int32_t damka_can_move(std::int32_t rules, std::int32_t n) {
    return with_record(rules, n, [](const GameRules& game, Reader&, const GameSnapshot& now) {
        return game.can_move(now.position) ? 1 : 0;
    });
}

// Makes the move that follows the record in the input. With `offences`, also a quiet move despite a
// compulsory capture. Writes the new record and the move.
DAMKA_API(damka_play)
std::int32_t damka_play(std::int32_t rules, std::int32_t n, std::int32_t offences) {
    return with_record(
        rules, n, [&](const GameRules& game, Reader& in, const GameSnapshot& now) -> std::int32_t {
            const Layout& layout = layout_of(game.rules());
            WideMove requested;
            const bool known = take_move(in, layout, requested);
            if (!in.whole()) return kNoInput;
            if (!known) return kIllegal;
            const ListGuard guard;
            const auto move = find_move(game.rules(), now.position, requested,
                                        offences ? Allow::offences : Allow::legal);
            if (!move) return guard.or_code(kIllegal);
            const Wide due =
                game.huffing() ? offences_after(game.rules(), now.position, *move) : Wide{0};
            if (guard.or_code(kOk) != kOk) return kTooComplex;
            const WidePosition next = make(game.rules(), now.position, *move);
            GameStatus status = now.status;
            game.move(status, *move, next, due);
            Writer out;
            put_record(out, game, next, status);
            put_move(out, layout, *move);
            return out.size();
        });
}

// Removes a piece that may be huffed; writes the new record.
DAMKA_API(damka_huff)
std::int32_t damka_huff(std::int32_t rules, std::int32_t n, std::int32_t square) {
    return with_record(
        rules, n, [&](const GameRules& game, Reader&, const GameSnapshot& now) -> std::int32_t {
            const Layout& layout = layout_of(game.rules());
            if (!on_board(layout, square)) return kIllegal;
            const int bit = layout.bit(square);
            if (!(now.status.offences >> bit & 1)) return kIllegal;
            const WidePosition next = without(now.position, bit);
            GameStatus status = now.status;
            game.huff(status, bit, next);
            Writer out;
            put_record(out, game, next, status);
            return out.size();
        });
}

// Writes the record of a new game at the position without the piece on a square.
DAMKA_API(damka_remove)
std::int32_t damka_remove(std::int32_t rules, std::int32_t n, std::int32_t square) {
    return with_record(
        rules, n, [&](const GameRules& game, Reader&, const GameSnapshot& now) -> std::int32_t {
            const Layout& layout = layout_of(game.rules());
            if (!on_board(layout, square)) return kIllegal;
            const int bit = layout.bit(square);
            if (!(now.position.occupied() >> bit & 1)) return kIllegal;
            WidePosition next = without(now.position, bit);
            next.streaks = {};  // no moves have been made in the new game
            next.key = next.compute_key();
            return put_beginning(game, next);
        });
}

// Writes up to `limit` routes of the move that follows the record, in ascending order: the number
// of squares, and the squares, a byte each. The move may be any quiet move.
DAMKA_API(damka_routes)
std::int32_t damka_routes(std::int32_t rules, std::int32_t n, std::int32_t limit) {
    return with_record(
        rules, n, [&](const GameRules& game, Reader& in, const GameSnapshot& now) -> std::int32_t {
            const Layout& layout = layout_of(game.rules());
            if (limit < 1) return kBadNumber;
            WideMove requested;
            const bool known = take_move(in, layout, requested);
            if (!in.whole()) return kNoInput;
            if (!known) return kIllegal;
            const ListGuard guard;
            const auto move = find_move(game.rules(), now.position, requested, Allow::offences);
            if (!move) return guard.or_code(kIllegal);
            Writer out;
            if (count(move->captured) < 2) {
                out.put(std::uint8_t{2});
                out.put(static_cast<std::uint8_t>(layout.square(move->from)));
                out.put(static_cast<std::uint8_t>(layout.square(move->to)));
                return out.size();
            }
            std::int32_t found = 0;
            const bool all =
                walk_routes(game.rules(), now.position, *move, [&](const Route& route) {
                    out.put(route.length).bytes(route.squares, route.length);
                    return ++found < limit;
                });
            return all ? out.size() : kTooComplex;
        });
}

// Returns the result of the game in the input: 0 if it is not over, otherwise an `Ending`, + 256 if
// White has won, + 512 if Black has.
DAMKA_API(damka_result) std::int32_t damka_result(std::int32_t rules, std::int32_t n) {
    return with_game(rules, n, [](const GameRules& game, const auto& past, const auto& now) {
        const GameResult result = game.result(now.position, now.status, past);
        const auto ending = static_cast<std::int32_t>(result.ending);
        if (!result.is_over() || result.is_draw()) return ending;
        return ending + (result.winner == Side::white ? 256 : 512);
    });
}

// Writes 32-bit numbers: plies without progress, occurrences of the position, occurrences of the
// move made most often in it or in the game, plies of the game; then for every draw by material the
// counted plies, or -1 if its condition is not fulfilled.
DAMKA_API(damka_counts) std::int32_t damka_counts(std::int32_t rules, std::int32_t n) {
    return with_game(rules, n, [](const GameRules& game, const auto& past, const auto& now) {
        const Repetitions again = game.repetitions(now.position, now.status, past);
        std::vector<std::int32_t> plies(game.draws().material.size(), -1);
        game.for_material(now.status, [&](std::size_t i, int counted) { plies[i] = counted; });
        Writer out;
        out.put(now.status.counts.progress).put(again.occurrences).put(again.same_move);
        out.put(now.status.plies);
        for (const std::int32_t each : plies) out.put(each);
        return out.size();
    });
}

// Writes the observation planes of the game in the input, one byte per cell; see Plane.
DAMKA_API(damka_tensor) std::int32_t damka_tensor(std::int32_t rules, std::int32_t n) {
    return with_game(rules, n, [](const GameRules& game, const auto& past, const auto& now) {
        const int occurrences =
            now.status.counts.reversible ? game.occurrences(now.position, now.status, past) : 1;
        std::vector<std::uint8_t> planes(observation_size(game.rules()));
        PlaneWriter(game.rules()).write(now.position, now.status, occurrences, planes.data());
        return Writer().bytes(planes.data(), planes.size()).size();
    });
}

// Writes the index of every legal move of a record, in the order of `damka_moves`, as 32-bit
// numbers.
DAMKA_API(damka_indices) std::int32_t damka_indices(std::int32_t rules, std::int32_t n) {
    return with_record(rules, n,
                       [](const GameRules& game, Reader&, const GameSnapshot& now) -> std::int32_t {
                           const Rules& r = game.rules();
                           return r.width == 12 ? put_indices<Wide>(r, now.position)
                                                : put_indices<std::uint64_t>(r, now.position);
                       });
}

}  // namespace damka::wasm
