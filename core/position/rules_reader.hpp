// Rules from numbers, as damka.rules.parameters gives them for the fields of the record.
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

// Reads one set of rules; what is not played is named.
class RulesReader {
   public:
    // Sets `rules` to what `numbers(field)` gives for each field: a span of one number, and of any
    // for the precedence. Returns null, or what the kernel does not play, such as "board".
    template <class Numbers>
    static const char* read(Rules& rules, Numbers&& numbers) {
        const char* refused = nullptr;
        for_each_field(rules, [&]<class T>(const Field& field, T& value) {
            if (refused) return;
            const std::span<const long> given = numbers(field);
            const bool within = std::ranges::all_of(
                given, [&](long n) { return field.least <= n && n <= field.most; });
            bool fits = within;
            if constexpr (std::is_same_v<T, Ranking>) {
                fits = fits && ranking(given, value);
            } else {
                fits = fits && given.size() == 1;
                if (fits) set(value, given[0]);
            }
            if (!fits) refused = field.name;
        });
        return refused ? refused : check(rules);
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
        // Early kings leave no room for what a capture is worth.
        if (times(PrecedenceKey::king_early) &&
            (times(PrecedenceKey::value) || times(PrecedenceKey::points))) {
            return false;
        }
        out = Ranking::of(order, order + keys.size());
        return true;
    }

    // What does not hold of a field by itself. The record's checker lets nothing else through; here
    // it keeps the kernel's memory safe, whoever asks.
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
        // Early kings are counted where only pieces inside the border can be taken.
        if (r.ranking.early && r.capture_lines != kDiagonal) return "precedence";
        return nullptr;
    }
};

// Whether draws can be counted by these numbers.
inline bool are_countable(const DrawRules& draws) {
    const auto within = [](int n, int most) { return 0 <= n && n <= most; };
    const auto spans = [&](const Force& force) {
        return std::ranges::all_of(
            std::array{force.men, force.kings, force.pieces},
            [&](const Span& span) { return within(span.least, 1000) && within(span.most, 1000); });
    };
    return within(draws.repetition, kNoLimit) && within(draws.same_move, kNoLimit) &&
           within(draws.no_progress_plies, kNoLimit) &&
           draws.material.size() <= kMaxMaterialDraws &&
           std::ranges::all_of(draws.material, [&](const MaterialDraw& draw) {
               return within(draw.plies, kNoLimit) && spans(draw.strong) && spans(draw.weak) &&
                      within(draw.pieces.least, 1000) && within(draw.pieces.most, 1000);
           });
}

}  // namespace damka
