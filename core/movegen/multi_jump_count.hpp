// Counting men's captures where the captured pieces do not affect the count.
#pragma once

#include <algorithm>
#include <cstdint>

#include "movegen/jump_lookup.hpp"
#include "movegen/jump_masks.hpp"
#include "position/geometry.hpp"
#include "position/rules.hpp"
#include "position/variant.hpp"

namespace damka {

// Counts men's captures of more than one piece.
template <class V, Side S>
class MultiJumps {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;

   public:
    MultiJumps(const Rules& rules, const Turn<Bits>& turn) noexcept
        : rules_(rules),
          men_(turn.men),
          targets_(man_targets(rules, turn)),
          vacant_(Shape::kBoard & ~turn.occupied()),
          stops_(rules.promotion == Promotion::stop ? crowning_row<V, S>() : Bits{0}),
          goes_(rules.promotion == Promotion::go ? crowning_row<V, S>() : Bits{0}) {}

    // `singles` captures of one piece, some of which land on `on` and continue. Returns -1 if there
    // are too many to count this way.
    [[gnu::noinline]] int count_with(int singles, Bits on) noexcept {
        for_each(on, [&](int at) {
            const Directions back = jump_ways_back<V, S, false>(rules_);
            for_each(JumpLookup<Shape>::landings(at, targets_, back) & men_, [&](int from) {
                --singles;
                from_ = from;
                empty_ = vacant_ | Shape::one(from);
                follow(at, between<Shape>(from_, at), 1);
            });
        });
        if (end_count_ > kCapacity) return -1;
        return rules_.ranking.piece ? longest_count_ : singles + longest_count_;
    }

   private:
    static constexpr unsigned kCapacity = 32;
    static constexpr int kManyBranches = 400;

    struct End {
        Bits captured;
        int at, from;
    };

    // Continues from `at` after n captures. Usually there is one continuation.
    void follow(int at, Bits captured, int n) noexcept {
        while (true) {
            // It continues as a king, whose jumps differ.
            if (Shape::one(at) & goes_) end_count_ = kCapacity + 1;
            Bits next{0};
            if (!(Shape::one(at) & stops_)) next = jumps_from(at, captured);
            if (!next) return end(at, captured, n);
            for (; next & (next - 1); next &= next - 1) {
                if (++branches_ > kManyBranches) [[unlikely]] {
                    end_count_ = kCapacity + 1;
                    return;
                }
                const int to = lowest(next);
                follow(to, captured | between<Shape>(at, to), n + 1);
            }
            const int to = lowest(next);
            captured |= between<Shape>(at, to);
            at = to;
            ++n;
        }
    }

    Bits jumps_from(int at, Bits captured) const noexcept {
        const Directions ways = jump_ways<V, S, false>(rules_);
        return JumpLookup<Shape>::landings(at, targets_ & ~captured, ways) & empty_;
    }

    void end(int at, Bits captured, int n) noexcept {
        if (rules_.ranking.piece) {
            if (n < longest_) return;
            if (n > longest_) {
                longest_ = n;
                longest_count_ = 0;
                if (end_count_ <= kCapacity) end_count_ = 0;
            }
        }
        if (n >= ring_of<V>(rules_) && !is_new(at, captured)) return;
        ++longest_count_;
    }

    // Two ways around a ring are the same move.
    bool is_new(int at, Bits captured) noexcept {
        for (unsigned i = 0; i < std::min(end_count_, kCapacity); ++i) {
            const End& other = ends_[i];
            if (other.captured == captured && other.at == at && other.from == from_) return false;
        }
        if (end_count_ < kCapacity) ends_[end_count_] = {captured, at, from_};
        ++end_count_;
        return true;
    }

    const Rules& rules_;
    const Bits men_;
    const Bits targets_;
    const Bits vacant_;
    const Bits stops_;  // crowning row, if men stop on it
    const Bits goes_;   // crowning row, if men continue from it
    int from_ = 0;
    Bits empty_{0};  // including the man's start square
    int longest_ = 0;
    int longest_count_ = 0;
    unsigned end_count_ = 0;
    int branches_ = 0;
    End ends_[kCapacity];
};

// Counts the captures of men if no other pieces can capture. Returns -1 if the captured pieces
// affect the count, if a man may continue as a king, or if there are too many captures; then every
// route must be walked and listed.
template <class V, Side S>
int count_short_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                         const JumpMasks<V, S, false>& jumps) noexcept {
    using Bits = typename V::Bits;
    constexpr Bits crown = crowning_row<V, S>();
    if (t.enemy_kings && rules.ranking.distinguishes_kings()) return -1;
    Bits on{0};
    int n = 0;
    jumps.for_ways(rules, [&](auto way) {
        const Bits landings = jumps.landings(way, t.men);
        on |= landings;
        n += count(landings);
    });
    if (rules.promotion == Promotion::go && (on & crown)) return -1;
    on &= rules.continuing(jumps.any(rules), crown);
    return on ? MultiJumps<V, S>(rules, t).count_with(n, on) : n;
}

}  // namespace damka
