// The sets of pieces that a route can leave out as far as parity tells, the least first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "movegen/route_parity.hpp"
#include "movegen/word_set.hpp"
#include "position/geometry.hpp"
#include "position/rules.hpp"

namespace damka {

// A number of men and of kings that are left out, and what they are worth.
struct OmissionLevel {
    Rank worth;
    int men, kings;
};

inline constexpr double kMostOmissions = 500'000;

// The levels that are worth no more than `most`, the least first; none where there are too many
// sets. `men` and `kings` can be left out.
inline std::vector<OmissionLevel> omission_levels(const Ranking& ranking, int men, int kings,
                                                  Rank most) {
    std::vector<OmissionLevel> levels;
    double sets = 0;
    double of_men = 1;
    for (int m = 0; m <= men; of_men *= static_cast<double>(men - m) / (m + 1), ++m) {
        double of_kings = 1;
        for (int k = 0; k <= kings; of_kings *= static_cast<double>(kings - k) / (k + 1), ++k) {
            const Rank worth =
                ranking.piece * static_cast<Rank>(m + k) + ranking.king * static_cast<Rank>(k);
            if (worth > most) break;
            sets += of_men * of_kings;
            if (sets > kMostOmissions) return {};
            levels.push_back({worth, m, k});
        }
    }
    std::sort(levels.begin(), levels.end(),
              [](const OmissionLevel& a, const OmissionLevel& b) { return a.worth < b.worth; });
    return levels;
}

// What the routes from one square can leave out of all that can be taken.
template <class Bits>
class Omissions {
   public:
    // The routes begin on `from` and end on some of `stops`; they take men and kings of the enemy.
    Omissions(const RouteParity<Bits>& parity, Bits from, Bits men, Bits kings, Bits stops)
        : system_(parity.equations(from, men | kings)) {
        for_each(stops, [&](int bit) { ends_.insert(system_.basis.reduce(Bits{1} << bit)); });
        const auto list_changes = [&](Bits pieces, std::vector<Change>& changes) {
            for_each(pieces, [&](int bit) {
                changes.push_back({Bits{1} << bit, system_.basis.reduce(parity.one(bit))});
            });
        };
        list_changes(men, men_);
        list_changes(kings, kings_);
    }

    // Calls take(missed) with every set of a level that parity allows, until it returns false, or
    // `go_on`, which is called now and then, does.
    template <class Take, class GoOn>
    void for_sets(const OmissionLevel& level, Take&& take, GoOn&& go_on) {
        leave_out(level, 0, Bits{0}, system_.target, take, go_on);
    }

   private:
    // A piece, and what leaving it out changes.
    struct Change {
        Bits piece, target;
    };

    // Leaves out more pieces, from `start` on in the list of the men and then of the kings.
    template <class Take, class GoOn>
    bool leave_out(OmissionLevel left, std::size_t start, Bits missed, Bits target, Take& take,
                   GoOn& go_on) {
        if (left.men + left.kings == 0) return !ends_.contains(target) || take(missed);
        const bool men = left.men > 0;
        const auto& list = men ? men_ : kings_;
        --(men ? left.men : left.kings);
        const std::size_t more = static_cast<std::size_t>(men ? left.men : left.kings);
        for (std::size_t i = start; i + more < list.size(); ++i) {
            const bool next_list = men && left.men == 0;
            if (!leave_out(left, next_list ? 0 : i + 1, missed | list[i].piece,
                           target ^ list[i].target, take, go_on))
                return false;
        }
        return (++tried_ & 7) != 0 || go_on();
    }

    const ParityEquations<Bits> system_;
    WordSet<Bits> ends_;
    std::vector<Change> men_, kings_;
    std::uint32_t tried_ = 0;
};

}  // namespace damka
