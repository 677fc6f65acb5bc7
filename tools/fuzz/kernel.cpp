// The kernel's reader of Portable Draughts Notation, fed with bytes by libFuzzer.
//
// The first byte selects the rules, the square names, and whether the text arrives in parts.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pdn/game_text.hpp"
#include "pdn/play.hpp"
#include "tests/check.hpp"

namespace damka::tests {

namespace {

pdn::Labels labels_of(const Rules& rules, bool letters) {
    pdn::Labels labels;
    const Layout& layout = layout_of(rules);
    for (int square = 1; square <= layout.squares; ++square) {
        labels.numbers[static_cast<std::size_t>(square)] = static_cast<std::uint8_t>(square);
        if (!letters) continue;
        // Letters of a board with squares of two colours: a1 at the bottom left.
        const int row = (square - 1) / (rules.width / 2);
        const int column = 2 * ((square - 1) % (rules.width / 2)) + (row % 2 ? 0 : 1);
        labels.letters[static_cast<std::size_t>(column + 1)]
                      [static_cast<std::size_t>(rules.height - row)] =
            static_cast<std::uint8_t>(square);
    }
    return labels;
}

// Longest text to split at every position.
constexpr std::size_t kSplitLimit = 60;

void read_all(const Rules& rules, const pdn::Labels& labels, std::string_view text, bool huff,
              bool tolerant) {
    std::vector<pdn::Event> events;
    WidePosition start = start_position<Wide>(rules);
    const pdn::Request request{rules,
                               labels,
                               start,
                               "4-6",
                               huff,
                               &events,
                               tolerant,
                               [](void* at, std::string_view fen, WidePosition& out) {
                                   if (fen.empty()) return false;
                                   out = *static_cast<const WidePosition*>(at);
                                   return true;
                               },
                               &start};
    pdn::GameText game;
    std::size_t at = 0;
    for (;;) {
        pdn::find_game(text, at, true, game);
        CHECK(game.state != pdn::GameText::State::unfinished);
        if (game.state != pdn::GameText::State::found) return;
        CHECK(at <= game.begin && game.begin <= game.moves && game.moves <= game.end);
        CHECK(game.end <= game.next && game.next > at && game.next <= text.size());
        at = game.next;
        events.clear();
        const pdn::Playthrough playthrough = pdn::play(request, text, game.moves, game.end);
        std::size_t last = game.moves;
        for (const pdn::Problem& problem : playthrough.problems) {
            CHECK(last <= problem.begin && problem.begin <= problem.end && problem.end <= game.end);
            last = problem.begin;
            if (!problem.stops) continue;
            CHECK(problem.rest <= problem.line_end && problem.line_end <= game.end);
        }
        if (playthrough.stopped() && !tolerant) continue;
        CHECK(playthrough.moves <= events.size());
        int depth = 0;
        for (const pdn::Event& event : events) {
            depth += event.kind == pdn::Kind::open;
            depth -= event.kind == pdn::Kind::close;
            CHECK(depth >= 0 && depth <= static_cast<int>(pdn::kMaxVariationDepth));
        }
    }
}

// In any prefix, a game is found whole or not yet.
void split(std::string_view text) {
    const std::string more = std::string(text) + std::string(pdn::kMaxTokenLength, ' ');
    const std::string_view all = more;
    pdn::GameText whole;
    pdn::find_game(all, 0, true, whole);
    pdn::GameText part;
    for (std::size_t size = pdn::kMaxTokenLength; size <= all.size(); ++size) {
        pdn::find_game(all.substr(0, size), 0, false, part);
        if (part.state != pdn::GameText::State::found) continue;
        CHECK(part.end == whole.end && part.next == whole.next && part.moves == whole.moves);
    }
}

}  // namespace

}  // namespace damka::tests

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace damka::tests;
    if (size == 0) return 0;
    static const damka::Rules kinds[] = {international(), dama64(), american()};
    const unsigned how = data[0];
    const damka::Rules& rules = kinds[how % 3];
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    read_all(rules, labels_of(rules, how & 4), text, how & 8, how & 32);
    if (how & 16 && size <= kSplitLimit) split(text);
    return 0;
}
