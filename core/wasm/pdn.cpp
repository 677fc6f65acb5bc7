// Games in Portable Draughts Notation.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pdn/game_text.hpp"
#include "pdn/play.hpp"
#include "position/read_position.hpp"
#include "wasm/objects.hpp"
#include "wasm/record.hpp"

namespace damka::wasm {

namespace {

constexpr std::size_t kLabels = 512;

bool take_labels(Reader& in, const Layout& layout, pdn::Labels& labels) {
    const unsigned char* table = in.bytes(kLabels);
    if (!table) return false;
    std::memcpy(labels.numbers.data(), table, labels.numbers.size());
    table += labels.numbers.size();
    bool fits = true;
    const auto check = [&](std::uint8_t square) { fits = fits && square <= layout.squares; };
    for (auto& file : labels.letters) {
        std::memcpy(file.data(), table, file.size());
        table += file.size();
        for (const std::uint8_t square : file) check(square);
    }
    for (const std::uint8_t square : labels.numbers) check(square);
    return fits;
}

// Requests the position of a FEN from the host.
bool set_up(void* data, std::string_view fen, WidePosition& out) {
    const auto& layout = *static_cast<const Layout*>(data);
    // Twice the length of the text, plus the side to move.
    const std::int32_t answer = request_host(HostRequest::setup, Writer().text(fen).size());
    if (answer < 0) return false;
    Reader in(answer / 2);
    return read_position(layout, in.text(in.left()), static_cast<Side>(answer % 2), out);
}

void put_at(Writer& out, std::size_t at) { out.put(static_cast<std::uint32_t>(at)); }

// Writes the offset and the length of a part of the text.
void put_part(Writer& out, std::string_view text, std::string_view part) {
    put_at(out, part.empty() ? 0 : static_cast<std::size_t>(part.data() - text.data()));
    put_at(out, part.size());
}

void put_position(Writer& out, const Layout& layout, const WidePosition& p) {
    out.put(static_cast<std::uint8_t>(index(p.turn)));
    for (int square = 1; square <= layout.squares; ++square) {
        out.put(piece_at(p, layout.bit(square)));
    }
    for (const Streak& streak : p.streaks) {
        out.put(streak.moves);
        out.put(static_cast<std::uint8_t>(streak.moves ? layout.square(streak.bit) : 0));
    }
}

}  // namespace

// Finds the first game at or after an offset of the text in the input; with `last` 0, more text may
// follow. Returns 0 if there is no game, and 1 if more text is needed.
//
// Writes 32-bit numbers: offsets of the game, its moves, its end and the next game, number of
// damaged tags and of valid ones; for each valid tag offset and length of name and value; for each
// damaged one its fault, start and end.
DAMKA_API(damka_pdn_find)
std::int32_t damka_pdn_find(std::int32_t n, std::int32_t at, std::int32_t last) {
    return guarded([&]() -> std::int32_t {
        Reader in(n);
        const std::string_view text = in.text(in.left());
        if (!in.whole()) return kNoInput;
        if (at < 0 || static_cast<std::size_t>(at) > text.size()) return kBadNumber;
        pdn::GameText game;
        pdn::find_game(text, static_cast<std::size_t>(at), last != 0, game);
        if (game.state == pdn::GameText::State::none) return 0;
        if (game.state == pdn::GameText::State::unfinished) return 1;
        Writer out;
        for (const std::size_t place : {game.begin, game.moves, game.end, game.next}) {
            put_at(out, place);
        }
        put_at(out, game.damages.size());
        put_at(out, game.tags.size());
        for (const pdn::Tag& tag : game.tags) {
            put_part(out, text, tag.name);
            put_part(out, text, tag.value);
        }
        for (const auto& each : game.damages) {
            out.put(static_cast<std::uint32_t>(each.fault));
            put_at(out, each.begin);
            put_at(out, each.end);
        }
        return out.size();
    });
}

// Plays the movetext from `begin` to `end` by the rules. The input is the record of the start, the
// labels of squares (512 bytes: pdn::Labels), the length of the result tag (32 bits) and the
// result, and the text. `flags`: 1 for the tree of moves, 2 for quiet moves despite a compulsory
// capture, 4 for continuing after a fault. Requests set-up positions from the host.
//
// Writes 32-bit numbers: moves of the main line, offset and length of its result (-1 and 0 for the
// tag's), number of problems and of events. Then the problems, 32-bit numbers: fault, start, end,
// depth, whether it ends its line, start and end of the rest; and if it does, the side to move (a
// byte), the pieces, and for White and Black the length and the square of the king's streak. Then
// the events: a byte for the kind, and for a move the move with its route, for a comment its offset
// and length, for a NAG its number (32 bits), for a setup side and pieces.
DAMKA_API(damka_pdn_play)
std::int32_t damka_pdn_play(std::int32_t handle, std::int32_t n, std::int32_t begin,
                            std::int32_t end, std::int32_t flags) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        const GameRules& game = rules->game;
        const Layout& layout = layout_of(game.rules());
        Reader in(n);
        if (in.left() < kRecord) return kNoInput;
        GameSnapshot start;
        if (!take_record(in, game, start)) return kBadRecord;
        pdn::Labels labels;
        if (in.left() < kLabels) return kNoInput;
        if (!take_labels(in, layout, labels)) return kBadNumber;
        const auto size = in.take<std::uint32_t>();
        // Copies: the host may write to the input.
        const std::string result(in.text(size));
        const std::string copy(in.text(in.left()));
        const std::string_view text = copy;
        if (!in.whole()) return kNoInput;
        if (begin < 0 || begin > end || static_cast<std::size_t>(end) > text.size()) {
            return kBadNumber;
        }
        std::vector<pdn::Event> events;
        const pdn::Request request{
            game.rules(),     labels,           start.position,
            result,           (flags & 2) != 0, (flags & 1) != 0 ? &events : nullptr,
            (flags & 4) != 0, set_up,           const_cast<Layout*>(&layout)};
        const pdn::Playthrough playthrough = pdn::play(
            request, text, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
        Writer out;
        put_at(out, playthrough.moves);
        if (playthrough.result.data() == result.data() && !result.empty()) {
            out.put(std::int32_t{-1}).put(std::int32_t{0});
        } else {
            put_part(out, text, playthrough.result);
        }
        put_at(out, playthrough.problems.size());
        put_at(out, events.size());
        for (const pdn::Problem& problem : playthrough.problems) {
            out.put(static_cast<std::uint32_t>(problem.fault));
            for (const std::size_t number :
                 {problem.begin, problem.end, problem.depth,
                  static_cast<std::size_t>(problem.stops), problem.rest, problem.line_end}) {
                put_at(out, number);
            }
            if (problem.stops) put_position(out, layout, problem.position);
        }
        for (const pdn::Event& event : events) {
            out.put(static_cast<std::uint8_t>(event.kind));
            switch (event.kind) {
                case pdn::Kind::move:
                    put_move_with_route(out, game.rules(), event.position, event.move);
                    break;
                case pdn::Kind::comment:
                    put_at(out, event.begin);
                    put_at(out, event.end - event.begin);
                    break;
                case pdn::Kind::nag: put_at(out, static_cast<std::size_t>(event.nag)); break;
                case pdn::Kind::setup: put_position(out, layout, event.position); break;
                default: break;
            }
        }
        return out.size();
    });
}

}  // namespace damka::wasm
