#include "wasm/record.hpp"

#include <algorithm>
#include <array>

#include "movegen/routes.hpp"
#include "position/board_map.hpp"
#include "position/visit.hpp"

namespace damka::wasm {

namespace {

constexpr std::uint8_t kKing = 1;
constexpr std::uint8_t kCrowns = 2;
constexpr std::uint8_t kHasRoute = 4;

void put_word(Writer& out, Wide word) { out.put(low_half(word)).put(high_half(word)); }

Wide take_word(Reader& in) {
    const auto low = in.take<std::uint64_t>();
    return Wide{low} | Wide{in.take<std::uint64_t>()} << 64;
}

Wide board_of(const Rules& rules) {
    return visit(rules, [](auto v) { return Wide{decltype(v)::Shape::kBoard}; });
}

// Whether the pieces are those of a board, and the streaks those of its kings.
bool is_position(const Rules& rules, const WidePosition& p) {
    const Wide all = p.occupied();
    const int pieces = count(p.men[0]) + count(p.men[1]) + count(p.kings[0]) + count(p.kings[1]);
    if ((all & ~board_of(rules)) || count(all) != pieces) return false;
    for (const unsigned side : {0u, 1u}) {
        const Streak& streak = p.streaks[side];
        if (streak.moves > rules.king_streak) return false;
        if (!streak.moves && streak.bit) return false;
        if (streak.moves && (streak.bit >= 128 || !(p.kings[side] >> streak.bit & 1))) return false;
    }
    return p.key == p.compute_key();
}

bool is_on_board(const Rules& rules, const WideMove& m) {
    if (m.from >= 128 || m.to >= 128) return false;
    const Wide squares = m.captured | Wide{1} << m.from | Wide{1} << m.to;
    return !(squares & ~board_of(rules));
}

bool is_status(const GameRules& game, const WidePosition& p, const GameStatus& status) {
    const auto counts = [](int n) { return 0 <= n && n < 1 << 30; };
    if (!counts(status.counts.progress) || !counts(status.counts.reversible)) return false;
    if (!counts(status.plies)) return false;
    if (status.plies && !is_on_board(game.rules(), status.last_move)) return false;
    if (status.offences & ~p.pieces(other(p.turn))) return false;
    if (status.has_huffed() &&
        (status.huffed >= 128 || !(board_of(game.rules()) >> status.huffed & 1))) {
        return false;
    }
    return std::ranges::all_of(status.material.plies,
                               [](std::int16_t n) { return n >= MaterialCounts::kUnmet; });
}

void put_squares(Writer& out, const Layout& layout, const WideMove& move, std::uint8_t flags) {
    std::array<std::uint8_t, kMaxCaptured> captured;
    std::size_t n = 0;
    for_each(move.captured,
             [&](int bit) { captured[n++] = static_cast<std::uint8_t>(layout.square(bit)); });
    std::sort(captured.begin(), captured.begin() + n);
    out.put(static_cast<std::uint8_t>(layout.square(move.from)));
    out.put(static_cast<std::uint8_t>(layout.square(move.to)));
    if (move.king) flags |= kKing;
    if (move.crowns) flags |= kCrowns;
    out.put(flags).put(static_cast<std::uint8_t>(n)).bytes(captured.data(), n);
}

}  // namespace

void put_record(Writer& out, const GameRules& game, const WidePosition& p,
                const GameStatus& status) {
    for (const Wide word : {p.men[0], p.men[1], p.kings[0], p.kings[1]}) put_word(out, word);
    out.put(p.key);
    put_word(out, status.offences);
    out.put(status.counts.progress).put(status.counts.reversible);
    out.put(static_cast<std::uint8_t>(index(p.turn)));
    for (const Streak& streak : p.streaks) out.put(streak.moves).put(streak.bit);
    out.put(status.huffed);
    out.put(static_cast<std::uint8_t>(status.after_move ? 1 : 0));
    out.put(static_cast<std::uint8_t>(status.material.any ? 1 : 0));
    // Counters that the rules do not use are unset.
    const std::size_t counted = status.material.any ? game.draws().material.size() : 0;
    for (std::size_t i = 0; i < kMaxMaterialDraws; ++i) {
        out.put(i < counted ? status.material.plies[i] : std::int16_t{0});
    }
    put_word(out, status.last_move.captured);
    out.put(status.plies).put(status.last_move.from).put(status.last_move.to);
    out.put(std::uint16_t{0});
}

bool take_record(Reader& in, const GameRules& game, GameSnapshot& out) {
    const unsigned char* bytes = in.bytes(kRecord);
    if (!bytes) return false;
    Reader record(bytes, kRecord);
    WidePosition p{};
    for (Wide* word : {&p.men[0], &p.men[1], &p.kings[0], &p.kings[1]}) *word = take_word(record);
    p.key = record.take<std::uint64_t>();
    GameStatus status;
    status.offences = take_word(record);
    status.counts.progress = record.take<std::int32_t>();
    status.counts.reversible = record.take<std::int32_t>();
    const auto turn = record.take<std::uint8_t>();
    for (Streak& streak : p.streaks) {
        streak.moves = record.take<std::uint8_t>();
        streak.bit = record.take<std::uint8_t>();
    }
    status.huffed = record.take<std::uint8_t>();
    const auto after_move = record.take<std::uint8_t>();
    const auto any = record.take<std::uint8_t>();
    for (std::int16_t& plies : status.material.plies) plies = record.take<std::int16_t>();
    status.last_move.captured = take_word(record);
    status.plies = record.take<std::int32_t>();
    status.last_move.from = record.take<std::uint8_t>();
    status.last_move.to = record.take<std::uint8_t>();
    if (turn > 1 || after_move > 1 || any > 1) return false;
    p.turn = static_cast<Side>(turn);
    status.after_move = after_move != 0;
    status.material.any = any != 0;
    if (!is_position(game.rules(), p) || !is_status(game, p, status)) return false;
    out = {p, status};
    return true;
}

std::int32_t take_game(Reader& in, const GameRules& game, std::vector<GameSnapshot>& past,
                       GameSnapshot& now) {
    if (!in.whole() || in.left() == 0 || in.left() % kRecord != 0) return kNoInput;
    const std::size_t n = in.left() / kRecord - 1;
    const unsigned char* records = in.bytes(in.left());
    Reader last(records + n * kRecord, kRecord);
    if (!take_record(last, game, now)) return kBadRecord;
    // One more record identifies the last move.
    const auto count = static_cast<std::size_t>(now.status.counts.reversible) + 1;
    const std::size_t kept = game.needs_all_steps() ? n : std::min(n, count);
    past.resize(kept);
    Reader rest(records + (n - kept) * kRecord, kept * kRecord);
    for (GameSnapshot& each : past) {
        if (!take_record(rest, game, each)) return kBadRecord;
    }
    return kOk;
}

void put_move(Writer& out, const Layout& layout, const WideMove& move) {
    put_squares(out, layout, move, 0);
}

void put_move_with_route(Writer& out, const Rules& rules, const WidePosition& p,
                         const WideMove& move) {
    if (count(move.captured) < 2) return put_squares(out, layout_of(rules), move, 0);
    const Route route = first_route(rules, p, move);
    put_squares(out, layout_of(rules), move, kHasRoute);
    out.put(route.length).bytes(route.squares, route.length);
}

bool take_move(Reader& in, const Layout& layout, WideMove& out) {
    const auto on_board = [&](int square) { return 1 <= square && square <= layout.squares; };
    const int start = in.take<std::uint8_t>();
    const int end = in.take<std::uint8_t>();
    const int flags = in.take<std::uint8_t>();
    const std::size_t n = in.take<std::uint8_t>();
    const unsigned char* captured = in.bytes(n);
    if (!captured || !on_board(start) || !on_board(end) || n > kMaxCaptured) return false;
    out = {0, static_cast<std::uint8_t>(layout.bit(start)),
           static_cast<std::uint8_t>(layout.bit(end)), (flags & kKing) != 0,
           (flags & kCrowns) != 0};
    for (std::size_t i = 0; i < n; ++i) {
        if (!on_board(captured[i])) return false;
        out.captured |= Wide{1} << layout.bit(captured[i]);
    }
    return flags <= (kKing | kCrowns);
}

}  // namespace damka::wasm
