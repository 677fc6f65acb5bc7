// Reads rules from the field numbers of damka.rules.parameters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>

#include "position/draw_counters.hpp"
#include "position/rules.hpp"

namespace damka {

// Parses one rule set and names the first unsupported parameter.
class RulesReader {
   public:
    // Sets `rules` from `numbers(field)`: a span of one number per field, or of any length for the
    // precedence. Returns null, or the name of the unsupported part, such as "board".
    template <class Numbers>
    static const char* read(Rules& rules, Numbers&& numbers) {
        const char* unsupported = nullptr;
        for_each_field(rules, [&]<class T>(const Field& field, T& value) {
            if (unsupported) return;
            const std::span<const long> values = numbers(field);
            const bool within = std::ranges::all_of(
                values, [&](long n) { return field.least <= n && n <= field.most; });
            bool fits = within;
            if constexpr (std::is_same_v<T, Ranking>) {
                fits = fits && ranking(values, value);
            } else {
                fits = fits && values.size() == 1;
                if (fits) set(value, values[0]);
            }
            if (!fits) unsupported = field.name;
        });
        return unsupported ? unsupported : check(rules);
    }

   private:
    template <class T>
    static void set(T& value, long number) {
        if constexpr (std::is_same_v<T, Directions>) {
            value = number == 0 ? kDiagonal : number == 1 ? kOrthogonal : kEveryWay;
        } else {
            value = static_cast<T>(number);
        }
    }

    static bool ranking(std::span<const long> keys, Ranking& out) {
        PrecedenceKey order[8];
        const auto times = [&](PrecedenceKey key) {
            return std::ranges::count(keys, static_cast<long>(key));
        };
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto key = static_cast<PrecedenceKey>(keys[i]);
            if (i == std::size(order) || times(key) > 1) return false;
            order[i] = key;
        }
        // Early kings leave no bits for the value of a capture.
        if (times(PrecedenceKey::king_early) &&
            (times(PrecedenceKey::value) || times(PrecedenceKey::points))) {
            return false;
        }
        out = Ranking::of(order, order + keys.size());
        return true;
    }

    // Checks conditions that span several fields. Python and JavaScript reject such rules
    // earlier; this check ensures memory safety for every caller.
    static const char* check(const Rules& r) {
        const bool square = r.width == r.height && r.width % 2 == 0;
        if (r.all_squares ? r.width != 8 || r.height != 8
                          : !square && (r.width != 10 || r.height != 8)) {
            return "board";
        }
        if (2 * (r.rows + r.rows_behind) >= r.height) return "start";
        const bool fits = r.all_squares
                              ? r.move_lines != kDiagonal && r.capture_lines != kDiagonal
                              : r.move_lines == kDiagonal && r.capture_lines != kOrthogonal;
        if (!fits) return "board with these lines";
        // Early kings require that only pieces inside the border can be captured.
        if (r.ranking.early && r.capture_lines != kDiagonal) return "precedence";
        return nullptr;
    }
};

// Whether the draw counters support these numbers.
inline bool are_countable(const DrawRules& draws) {
    const auto within = [](int n, int most) { return 0 <= n && n <= most; };
    const auto spans = [&](const Force& force) {
        return std::ranges::all_of(
            std::array{force.men, force.kings, force.pieces},
            [&](const Span& span) { return within(span.least, 1000) && within(span.most, 1000); });
    };
    return within(draws.repetition, kNoLimit) && within(draws.same_move, kNoLimit) &&
           within(draws.no_progress_plies, kNoLimit) && within(draws.game_plies, kNoLimit) &&
           draws.material.size() <= kMaxMaterialDraws &&
           std::ranges::all_of(draws.material, [&](const MaterialDraw& draw) {
               return within(draw.plies, kNoLimit) && spans(draw.strong) && spans(draw.weak) &&
                      within(draw.pieces.least, 1000) && within(draw.pieces.most, 1000);
           });
}

}  // namespace damka
