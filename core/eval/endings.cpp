#include "eval/endings.hpp"

#include <algorithm>
#include <string_view>

#include "eval/endings_data.hpp"

namespace damka {

namespace {

constexpr int kStep = 5;         // percent per unit of the data
constexpr int kLeastShare = 12;  // percent of the score that remains in a certain draw
constexpr int kWholeFrom = 20;   // percent of decided endings from which the whole score remains
constexpr int kBonus = 80;       // hundredths of a man for a certain win

Endings::Ending ending_of(int won, int lost) {
    const int share = std::clamp((won + lost) * 100 / kWholeFrom, kLeastShare, 100);
    return {.won = static_cast<std::int8_t>(won),
            .lost = static_cast<std::int8_t>(lost),
            .share = static_cast<std::int16_t>(share * 256 / 100),
            .bonus = static_cast<std::int16_t>(kBonus * (won - lost) / 100)};
}

bool captures_on_all_lines(const Rules& rules) {
    return (rules.capture_lines & kDiagonal) && (rules.capture_lines & kOrthogonal);
}

std::string_view family_of(const Rules& rules) {
    if (!rules.flying_kings) {
        return rules.men_take_kings ? endings_data::kAmerican : endings_data::kItalian;
    }
    if (rules.all_squares) return endings_data::kTurkish;
    if (captures_on_all_lines(rules)) return endings_data::kFrisian;
    if (rules.land_adjacent) return endings_data::kDama64;
    if (rules.land_killing) return endings_data::kKiller;
    if (rules.width > 8) return endings_data::kInternational;
    return rules.men_capture_back ? endings_data::kRussian : endings_data::kCzech;
}

}  // namespace

std::unique_ptr<const Endings> Endings::of(const Rules& rules) {
    if (rules.objective != Objective::normal) return nullptr;
    return std::unique_ptr<const Endings>(new Endings(family_of(rules)));
}

Endings::Endings(std::string_view data) {
    std::size_t at = 0;
    const auto next = [&] { return kStep * (data[at++] - 'a'); };
    for (const int road : {0, -1, 1}) {
        if (at == data.size()) {
            endings_[static_cast<std::size_t>(road + 1)] = endings_[1];
            continue;
        }
        // The stronger side first, as tools/endings.py writes them.
        for (int first = 1; first < kPieces; ++first) {
            for (int second = 1; second <= first && first + second <= kPieces; ++second) {
                for (int kings = 0; kings <= first; ++kings) {
                    const int most = first == second ? kings : second;
                    for (int theirs = 0; theirs <= most; ++theirs) {
                        if (kings + theirs == 0) continue;
                        const std::size_t strong = place({kings, first - kings});
                        const std::size_t weak = place({theirs, second - theirs});
                        const int won = next();
                        const int lost = next();
                        const auto to = static_cast<std::size_t>(road + 1);
                        endings_[to][strong][weak] = ending_of(won, lost);
                        endings_[2 - to][weak][strong] = ending_of(lost, won);
                    }
                }
            }
        }
    }
}

}  // namespace damka
