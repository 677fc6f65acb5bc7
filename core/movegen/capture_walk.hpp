// Capture generation for one side: walks every route, ranks it by the precedence, and merges
// equivalent routes. capture_limits.hpp has the limits. Compiled once for every variant, by the
// source files captures_*.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_set>

#include "movegen/capture_limits.hpp"
#include "movegen/captures.hpp"
#include "movegen/jump_lookup.hpp"
#include "movegen/jump_masks.hpp"
#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"
#include "position/variant.hpp"

namespace damka {

// Writes the legal captures to a list. With Counting, captures that cannot coincide with others are
// only counted.
template <class V, Side S, bool Counting>
class CaptureWalk {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;

   public:
    CaptureWalk(const Rules& rules, const Turn<Bits>& turn,
                MoveListOf<typename V::Bits>& out) noexcept
        : rules_(rules),
          turn_(turn),
          vacant_(Shape::kBoard & ~turn.occupied()),
          man_targets_(man_targets(rules, turn)),
          out_(out) {}

    // Generates everything; returns the number of counted captures that are not in the list.
    std::uint64_t run(const JumpMasks<V, S, false>& man_jumps) noexcept {
        if (turn_.kings) {
            if constexpr (V::kCanFly) {
                if (V::flies(rules_)) for_each(turn_.kings, [&](int from) { flying_king(from); });
            }
            if constexpr (V::kCanHop) {
                if (!V::flies(rules_)) {
                    short_pieces<true>(turn_.kings, {rules_, turn_.enemies(), vacant_});
                }
            }
        }
        short_pieces<false>(turn_.men, man_jumps);
        if (aborted_) [[unlikely]]
            ++capture_limits().unfinished;
        return counted_;
    }

    // The number of branches in the walked routes.
    std::uint32_t branches() const noexcept { return branches_; }

   private:
    struct Hash {
        std::size_t operator()(const typename V::Move& m) const noexcept {
            const unsigned end = m.from | unsigned{m.to} << 8 | unsigned{m.crowns} << 16;
            return static_cast<std::size_t>(zobrist::mix_bits(m.captured, zobrist::mix(end)));
        }
    };
    using Index = std::unordered_set<typename V::Move, Hash>;

    // Out of line: index_ is rarely needed, and inlining the deletion would slow the walk.
    struct Delete {
        [[gnu::cold, gnu::noinline]] void operator()(Index* index) const noexcept { delete index; }
    };

    static constexpr Bits kCrown = crowning_row<V, S>();

    // A position with more branches may take a millisecond, so the limits are checked.
    static constexpr std::uint32_t kManyBranches = 2000;
    static constexpr std::size_t kLongList = 64;

    // The men or short kings that can jump, and the squares from which one that has jumped can
    // continue, are computed for all of them at once.
    template <bool King>
    void short_pieces(Bits pieces, const JumpMasks<V, S, King>& jumps) noexcept {
        Bits on = jumps.any(rules_);
        const Bits movers = on & pieces;
        if constexpr (!King) on = rules_.continuing(on, kCrown);
        const Directions ways = jump_ways<V, S, King>(rules_);
        for_each(movers, [&](int from) {
            begin(from, King);
            for_each(
                JumpLookup<Shape>::landings(from, targets<King>(), ways) & vacant_, [&](int to) {
                    const Bits taken = between<Shape>(from, to);
                    const Rank rank = base_rank_ + worth(taken, 0);
                    if (Shape::one(to) & on) {
                        follow<King>(from, to, taken, rank, 1);
                    } else {
                        add(Shape::one(to), taken, rank, 1, !King && (Shape::one(to) & kCrown));
                    }
                });
        });
    }

    // Sets up the walk of one piece. Its start square is empty from now on.
    void begin(int from, bool king) noexcept {
        from_ = static_cast<std::uint8_t>(from);
        king_ = king;
        base_rank_ = king ? rules_.ranking.with_king : 0;
        empty_ = vacant_ | Shape::one(from);
    }

    // Continues with short jumps from `at` after n captures, the last one from `before`. Usually
    // there is only one continuation.
    template <bool King>
    void follow(int before, int at, Bits captured, Rank rank, int n) noexcept {
        while (true) {
            const Bits bit = Shape::one(at);
            if (!King && (bit & kCrown) && rules_.promotion != Promotion::pass) {
                return follow_crowned(before, at, captured, rank, n);
            }
            const Directions ways = jump_ways<V, S, King>(rules_);
            Bits next = JumpLookup<Shape>::landings(at, targets<King>() & ~captured, ways) & empty_;
            if (!next) return add(bit, captured, rank, n, !King && (bit & kCrown));
            Bits taken = between<Shape>(at, lowest(next));
            for (; next & (next - 1); next &= next - 1) {
                if (++branches_ > max_branches_ && exceeds_limits()) [[unlikely]]
                    return;
                follow<King>(at, lowest(next), captured | taken, rank + worth(taken, n), n + 1);
                taken = between<Shape>(at, lowest(next & (next - 1)));
            }
            captured |= taken;
            rank += worth(taken, n++);
            before = at;
            at = lowest(next);
        }
    }

    // Continues after a man has reached its crowning row during a capture: if the rules let it
    // continue there, it has a king's directions.
    [[gnu::noinline]] void follow_crowned(int before, int at, Bits captured, Rank rank,
                                          int n) noexcept {
        const Bits bit = Shape::one(at);
        if (rules_.promotion == Promotion::stop) return add(bit, captured, rank, n, true);
        if constexpr (V::kCanFly) {
            if (V::flies(rules_)) {
                Direction last = 0;
                while (!(Shape::line(last, before) & bit)) ++last;
                return fly_on(bit, bit, last, captured, rank, n, true);
            }
        }
        if constexpr (V::kCanHop) hop_as_crowned(at, captured, rank, n);
    }

    template <bool King>
    Bits targets() const noexcept {
        return King ? turn_.enemies() : man_targets_;
    }

    // The rank of the n-th captured piece of a route.
    Rank worth(Bits taken, int n) const noexcept {
        return rules_.ranking.of_capture((taken & turn_.enemy_kings) != 0, n);
    }

    // Continues, or stops, as the short king that a man has become during the capture.
    void hop_as_crowned(int at, Bits captured, Rank rank, int n) noexcept {
        const Directions ways = jump_ways<V, S, true>(rules_);
        const Bits next =
            JumpLookup<Shape>::landings(at, turn_.enemies() & ~captured, ways) & empty_;
        if (!next) return add(Shape::one(at), captured, rank, n, true);
        if (++branches_ > max_branches_ && exceeds_limits()) [[unlikely]]
            return;
        for_each(next, [&](int to) {
            const Bits taken = between<Shape>(at, to);
            hop_as_crowned(to, captured | taken, rank + worth(taken, n), n + 1);
        });
    }

    void flying_king(int from) noexcept {
        begin(from, true);
        if constexpr (V::kOnlyDiagonal) {
            for (Direction d = 0; d < 4; ++d) fly(from, d, 0, base_rank_, 0, false);
        } else {
            for_directions(rules_.capture_lines,
                           [&](Direction d) { fly(from, d, 0, base_rank_, 0, false); });
        }
    }

    template <class F>
    static void for_directions(Directions directions, F&& f) {
        for (; directions; directions &= directions - 1) f(std::countr_zero(directions));
    }

    // Tries to capture from `at` in direction d at any distance; false if there is no capture.
    [[gnu::noinline]] bool fly(int at, Direction d, Bits captured, Rank rank, int n,
                               bool crowned) noexcept {
        const Bits full = rules_.remove_at_once ? ~(empty_ | captured) : ~empty_;
        const Bits first = nearest(d, Shape::line(d, at) & full);
        const Bits taken = first & turn_.enemies() & ~captured;
        if (!taken) return false;
        const Bits behind = Shape::line(d, lowest(taken));
        Bits landings = before(d, behind, behind & full);
        if (!landings) return false;
        if (rules_.land_adjacent) landings = nearest(d, landings);
        const bool king_taken = (taken & turn_.enemy_kings) != 0;
        const Rank next = rank + rules_.ranking.of_capture(king_taken, n);
        const Bits ends = rules_.land_killing && king_taken ? nearest(d, landings) : landings;
        fly_on(landings, ends, d, captured | taken, next, n + 1, crowned);
        return true;
    }

    // A flying king may land on any of `landings` behind the piece just captured in direction d. If
    // it can continue from one of them, it may not stop on any; otherwise it may stop on `ends`.
    void fly_on(Bits landings, Bits ends, Direction d, Bits captured, Rank rank, int n,
                bool crowned) noexcept {
        if (++branches_ > max_branches_ && exceeds_limits()) [[unlikely]]
            return;
        // Straight ahead, every landing has the same continuation: test only the last one.
        bool on = fly(lowest(nearest(opposite(d), landings)), d, captured, rank, n, crowned);
        if (rules_.remove_at_once && rules_.u_turn) {
            on |= fly(lowest(nearest(d, landings)), opposite(d), captured, rank, n, crowned);
        }
        for_each(landings, [&](int at) {
            if constexpr (V::kOnlyDiagonal) {
                on |= fly(at, d ^ 1, captured, rank, n, crowned);
                on |= fly(at, d ^ 2, captured, rank, n, crowned);
            } else {
                const Directions line = 1u << d | 1u << opposite(d);
                for_directions(rules_.capture_lines & ~line, [&](Direction turned) {
                    on |= fly(at, turned, captured, rank, n, crowned);
                });
            }
        });
        if (on) return;
        if (Counting && n == 1) {
            if (reaches(rank)) counted_ += static_cast<std::uint64_t>(count(ends));
            return;
        }
        for_each(ends, [&](int to) { add(Shape::one(to), captured, rank, n, crowned); });
    }

    // Whether a route of this rank is among the best so far; a better one discards all earlier
    // ones.
    bool reaches(Rank rank) noexcept {
        if (rank < best_) return false;
        if (rank > best_) {
            best_ = rank;
            counted_ = 0;
            out_.clear();
            index_.reset();
        }
        return true;
    }

    void add(Bits to, Bits captured, Rank rank, int n, bool crowns) noexcept {
        if (!reaches(rank)) return;
        const typename V::Move move{captured, from_, static_cast<std::uint8_t>(lowest(to)), king_,
                                    crowns};
        if (n >= coincides_from()) {
            if (is_duplicate(move)) return;
        } else if (Counting) {
            ++counted_;
            return;
        }
        out_.push(move);
    }

    // The least number of captures for which two routes can coincide. Short jumps coincide only
    // around a ring of four, or of three where diagonals and orthogonals mix. A flying king that
    // captures two pieces in line reaches the same end by different landings.
    int coincides_from() const noexcept {
        if (V::flies(rules_) && (king_ || rules_.promotion == Promotion::go)) return 2;
        return ring_of<V>(rules_);
    }

    bool is_duplicate(const typename V::Move& move) noexcept {
        if (out_.size() < kLongList) [[likely]] {
            for (const auto& other : out_) {
                if (other == move) return true;
            }
            return false;
        }
        return is_in_long_list(move);
    }

    [[gnu::cold, gnu::noinline]] bool is_in_long_list(const typename V::Move& move) {
        if (!index_) index_.reset(new Index(out_.begin(), out_.end()));
        if (out_.size() == kMaxCaptures) abort_walk();
        return !index_->insert(move).second || aborted_;
    }

    // Whether the walk stops after many branches.
    [[gnu::cold, gnu::noinline]] bool exceeds_limits() noexcept {
        if (aborted_) return true;
        const CaptureLimits& limits = capture_limits();
        if (limits.next_check) *limits.next_check = 0;
        max_branches_ = limits.branches;
        if (branches_ > max_branches_) abort_walk();
        return aborted_;
    }

    void abort_walk() noexcept {
        aborted_ = true;
        max_branches_ = 0;
    }

    const Rules& rules_;
    const Turn<Bits> turn_;
    const Bits vacant_;
    const Bits man_targets_;
    MoveListOf<typename V::Bits>& out_;

    Rank best_ = 0;
    std::uint64_t counted_ = 0;

    // The piece being walked.
    Bits empty_ = 0;
    Rank base_rank_ = 0;
    std::uint8_t from_ = 0;
    bool king_ = false;

    std::uint32_t branches_ = 0;
    std::uint32_t max_branches_ = kManyBranches;
    bool aborted_ = false;
    std::unique_ptr<Index, Delete> index_;  // of a long list
};

template <class V, Side S>
void list_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                   const JumpMasks<V, S, false>& jumps,
                   MoveListOf<typename V::Bits>& list) noexcept {
    CaptureWalk<V, S, false>(rules, t, list).run(jumps);
}

template <class V, Side S>
std::uint64_t count_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                             const JumpMasks<V, S, false>& jumps) noexcept {
    MoveListOf<typename V::Bits> list;
    const std::uint64_t counted = CaptureWalk<V, S, true>(rules, t, list).run(jumps);
    return counted + list.size();
}

// Compiles both for a variant.
#define DAMKA_CAPTURES_OF(V, S)                                                     \
    template void list_captures<V, S>(const Rules&, const Turn<V::Bits>&,           \
                                      const JumpMasks<V, S, false>&,                \
                                      MoveListOf<V::Bits>&) noexcept;               \
    template std::uint64_t count_captures<V, S>(const Rules&, const Turn<V::Bits>&, \
                                                const JumpMasks<V, S, false>&) noexcept;
#define DAMKA_CAPTURES(V) DAMKA_CAPTURES_OF(V, Side::white) DAMKA_CAPTURES_OF(V, Side::black)

}  // namespace damka
