// The captures of one side: every route is walked, ranked by the precedence, and merged with the
// routes that come to the same.
#pragma once

#include <cstdint>

#include "crowd.hpp"
#include "geometry.hpp"
#include "moves.hpp"
#include "rules.hpp"

namespace damka {

// What is compiled apart because it is hot: the board's shape, whether kings fly, whether men
// capture backwards. Everything else in Rules is read at run time.
template <class ShapeType, bool Flying, bool Back>
struct Variant {
    using Shape = ShapeType;
    using Bits = typename ShapeType::Bits;
    using Move = MoveOf<Bits>;
    static constexpr bool flying = Flying;
    static constexpr bool back = Back;
};

// The pieces as the side to move sees them.
template <class Bits>
struct Turn {
    Bits men, kings, enemy_men, enemy_kings;

    constexpr Bits enemies() const noexcept { return enemy_men | enemy_kings; }
    constexpr Bits occupied() const noexcept { return men | kings | enemy_men | enemy_kings; }
};

// A direction known while compiling.
template <Direction D>
struct Way {
    static constexpr Direction value = D;
};

// Calls f(Way<D>) for the directions in which a man of side S, or any piece, may go.
template <Side S, class F>
constexpr void for_forward(F&& f) {
    if constexpr (S == Side::white) {
        f(Way<0>{});
        f(Way<1>{});
    } else {
        f(Way<2>{});
        f(Way<3>{});
    }
}

template <class F>
constexpr void for_all_ways(F&& f) {
    f(Way<0>{});
    f(Way<1>{});
    f(Way<2>{});
    f(Way<3>{});
}

template <class V, Side S, class F>
constexpr void for_man_captures(F&& f) {
    if constexpr (V::back) {
        for_all_ways(f);
    } else {
        for_forward<S>(f);
    }
}

// The squares from which a short jump in direction D over one of `targets` is possible.
template <class Shape, Direction D, class Bits>
constexpr Bits jumpers(Bits targets, Bits empty) noexcept {
    return Shape::template step<opposite(D)>(targets & Shape::template step<opposite(D)>(empty));
}

// The squares from which a man of side S, or with AllWays a short king, can jump: found for the
// whole board at once, by direction.
template <class V, Side S, bool AllWays>
struct Jumps {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;

    Bits from[kDirections];

    template <class F>
    static constexpr void for_ways(F&& f) {
        if constexpr (AllWays) {
            for_all_ways(f);
        } else {
            for_man_captures<V, S>(f);
        }
    }

    constexpr Jumps(Bits targets, Bits empty) noexcept {
        for_ways([&](auto way) { from[way.value] = jumpers<Shape, way.value>(targets, empty); });
    }

    constexpr Bits any() const noexcept {
        Bits all{0};
        for_ways([&](auto way) { all |= from[way.value]; });
        return all;
    }

    // Where `movers` land that jump in direction D.
    template <Direction D>
    static constexpr Bits landings(Bits movers) noexcept {
        return Shape::template step<D>(Shape::template step<D>(movers));
    }

    // Of the landings after a jump in direction D, those from which another jump is possible. Back
    // over the piece just taken never is, and the square left behind is only reached that way.
    template <Direction D>
    constexpr Bits going_on(Bits landings) const noexcept {
        Bits on{0};
        for_ways([&](auto way) {
            if constexpr (way.value != opposite(D)) on |= from[way.value];
        });
        return landings & on;
    }
};

template <class V, Side S>
constexpr typename V::Bits crowning_row() noexcept {
    return S == Side::white ? V::Shape::kTop : V::Shape::kBottom;
}

template <class Bits>
constexpr Bits man_targets(const Rules& rules, const Turn<Bits>& t) noexcept {
    return rules.men_take_kings ? t.enemies() : t.enemy_men;
}

// Counts the captures of men when each takes one piece and none can go on. Returns -1 when one can,
// or when it matters what is taken; then every route must be walked.
template <class V, Side S>
int count_single_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                          const Jumps<V, S, false>& jumps) noexcept {
    using Bits = typename V::Bits;
    constexpr Bits crown = crowning_row<V, S>();
    if (t.enemy_kings && rules.ranking.tells_kings()) return -1;
    Bits on{0};
    Bits crowned{0};
    int n = 0;
    jumps.for_ways([&](auto way) {
        constexpr Direction d = way.value;
        const Bits movers = t.men & jumps.from[d];
        const Bits landings = jumps.template landings<d>(movers);
        crowned |= landings & crown;
        on |= jumps.template going_on<d>(landings);
        n += count(movers);
    });
    if (rules.promotion == Promotion::stop) on &= ~crown;
    if (rules.promotion == Promotion::go) on |= crowned;
    return on ? -1 : n;
}

// Writes the legal captures to a list. With Counting, captures that cannot coincide with any other
// are only counted.
template <class V, Side S, bool Counting>
class Captures {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;

   public:
    Captures(const Rules& rules, const Turn<Bits>& turn, MoveListOf<typename V::Bits>& out) noexcept
        : rules_(rules),
          turn_(turn),
          vacant_(Shape::kBoard & ~turn.occupied()),
          man_targets_(man_targets(rules, turn)),
          out_(out) {}

    // Generates everything; returns the number of captures counted but not listed.
    std::uint64_t run(const Jumps<V, S, false>& man_jumps) noexcept {
        if (turn_.kings) {
            if constexpr (V::flying) {
                for_each(turn_.kings, [&](int from) { flying_king(from); });
            } else {
                short_pieces<true>(turn_.kings, {turn_.enemies(), vacant_});
            }
        }
        short_pieces<false>(turn_.men, man_jumps);
        return counted_;
    }

   private:
    static constexpr Bits kCrown = crowning_row<V, S>();

    // After so many jumps of flying kings, states met before are remembered and not walked again.
    static constexpr int kManyJumps = 400;
    static constexpr std::size_t kLongList = 64;

    template <bool King, class F>
    static constexpr void for_ways(F&& f) {
        if constexpr (King) {
            for_all_ways(f);
        } else {
            for_man_captures<V, S>(f);
        }
    }

    // First jumps of men, or of short kings, are found for all of them at once, and so is whether
    // they can go on; only those that can are followed one by one.
    template <bool King>
    void short_pieces(Bits pieces, const Jumps<V, S, King>& jumps) noexcept {
        if (!(jumps.any() & pieces)) return;
        Bits single[kDirections];
        jumps.for_ways([&](auto way) {
            constexpr Direction d = way.value;
            const Bits landings = jumps.template landings<d>(pieces & jumps.from[d]);
            Bits on = jumps.template going_on<d>(landings);
            if constexpr (!King) {
                if (rules_.promotion == Promotion::stop) on &= ~kCrown;
                if (rules_.promotion == Promotion::go) on |= landings & kCrown;
            }
            single[d] = landings & ~on;
            for_each(on, [&](int bit) {
                const Bits to = Shape::one(bit);
                const Bits taken = Shape::template step<opposite(d)>(to);
                const Bits origin = Shape::template step<opposite(d)>(taken);
                begin(lowest(origin), King);
                const bool king_taken = (taken & turn_.enemy_kings) != 0;
                const Rank rank = base_rank_ + rules_.ranking.of_capture(king_taken, 0);
                land<King, d>(to, taken, rank, 1);
            });
        });
        jumps.for_ways([&](auto way) { add_singles<King, way.value>(single[way.value]); });
    }

    template <bool King, Direction D>
    void add_singles(Bits landings) noexcept {
        if (!landings) return;
        constexpr Direction back = opposite(D);
        const Rank base = King ? rules_.ranking.with_king : 0;
        const auto add_one = [&](int bit) {
            const Bits to = Shape::one(bit);
            const Bits taken = Shape::template step<back>(to);
            const int from = lowest(Shape::template step<back>(taken));
            out_.push({taken, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(bit), King,
                       !King && (to & kCrown)});
        };
        if (!rules_.ranking.tells_kings()) [[likely]] {
            if (!reaches(base + rules_.ranking.piece)) return;
            if constexpr (Counting) {
                counted_ += static_cast<std::uint64_t>(count(landings));
            } else {
                for_each(landings, add_one);
            }
            return;
        }
        for_each(landings, [&](int bit) {
            const Bits taken = Shape::template step<back>(Shape::one(bit));
            const bool king_taken = (taken & turn_.enemy_kings) != 0;
            if (!reaches(base + rules_.ranking.of_capture(king_taken, 0))) return;
            if constexpr (Counting) {
                ++counted_;
            } else {
                add_one(bit);
            }
        });
    }

    // Sets up the walk of one piece. Its origin is empty from here on.
    void begin(int from, bool king) noexcept {
        from_ = static_cast<std::uint8_t>(from);
        king_ = king;
        base_rank_ = king ? rules_.ranking.with_king : 0;
        empty_ = vacant_ | Shape::one(from);
    }

    // A man or a short king has landed on `to` after n captures, the last in direction D.
    template <bool King, Direction D>
    void land(Bits to, Bits captured, Rank rank, int n) noexcept {
        if constexpr (!King) {
            if (to & kCrown) {
                if (rules_.promotion == Promotion::stop) return add(to, captured, rank, n, true);
                if (rules_.promotion == Promotion::go) {
                    // It is a king now, with all a king's rights, whatever men may do.
                    if constexpr (V::flying) {
                        return fly_on(to, D, captured, rank, n, true);
                    } else {
                        if (!hop_on<true, D>(to, captured, rank, n, true)) {
                            add(to, captured, rank, n, true);
                        }
                        return;
                    }
                }
            }
        }
        if (!hop_on<King, D>(to, captured, rank, n, false)) {
            add(to, captured, rank, n, !King && (to & kCrown));
        }
    }

    // Goes on from `at` with short jumps; false when there is none.
    template <bool King, Direction D>
    bool hop_on(Bits at, Bits captured, Rank rank, int n, bool crowned) noexcept {
        const Bits targets = (King ? turn_.enemies() : man_targets_) & ~captured;
        bool on = false;
        for_ways<King>([&](auto way) {
            constexpr Direction d = way.value;
            // Back over the piece just taken is never possible.
            if constexpr (d != opposite(D)) {
                const Bits taken = Shape::template step<d>(at) & targets;
                const Bits to = Shape::template step<d>(taken) & empty_;
                if (!to) return;
                on = true;
                const bool king_taken = (taken & turn_.enemy_kings) != 0;
                const Rank next = rank + rules_.ranking.of_capture(king_taken, n);
                if (King && crowned) {
                    if (!hop_on<true, d>(to, captured | taken, next, n + 1, true)) {
                        add(to, captured | taken, next, n + 1, true);
                    }
                } else {
                    land<King, d>(to, captured | taken, next, n + 1);
                }
            }
        });
        return on;
    }

    void flying_king(int from) noexcept {
        begin(from, true);
        for (Direction d = 0; d < kDirections; ++d) fly(from, d, 0, base_rank_, 0, false);
    }

    // Tries to capture from `at` in direction d, at any distance; false when there is nothing.
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
        fly_on(landings, d, captured | taken, next, n + 1, crowned);
        return true;
    }

    // A flying king may land on any of `landings`, all behind the piece it has just taken in
    // direction d. If it can go on from one of them, it may not stop on any.
    void fly_on(Bits landings, Direction d, Bits captured, Rank rank, int n,
                bool crowned) noexcept {
        if (++jumps_ > kManyJumps) [[unlikely]] {
            if (!is_new(landings, d, captured, rank)) return;
        }
        // Straight on it makes no difference from which landing: ask once, from the last.
        bool on = fly(lowest(nearest(opposite(d), landings)), d, captured, rank, n, crowned);
        if (rules_.remove_at_once && rules_.u_turn) {
            on |= fly(lowest(nearest(d, landings)), opposite(d), captured, rank, n, crowned);
        }
        for_each(landings, [&](int at) {
            on |= fly(at, d ^ 1, captured, rank, n, crowned);
            on |= fly(at, d ^ 2, captured, rank, n, crowned);
        });
        if (on) return;
        if (Counting && n == 1) {
            if (reaches(rank)) counted_ += static_cast<std::uint64_t>(count(landings));
            return;
        }
        for_each(landings, [&](int to) { add(Shape::one(to), captured, rank, n, crowned); });
    }

    // Whether a route of this rank is among the best so far; a better one ends all before it.
    bool reaches(Rank rank) noexcept {
        if (rank < best_) return false;
        if (rank > best_) {
            best_ = rank;
            counted_ = 0;
            out_.clear();
            indexed_ = false;
        }
        return true;
    }

    void add(Bits to, Bits captured, Rank rank, int n, bool crowns) noexcept {
        if (!reaches(rank)) return;
        const typename V::Move move{captured, from_, static_cast<std::uint8_t>(lowest(to)), king_,
                                    crowns};
        // Short jumps come back to the same squares only around a ring of four. A flying king that
        // takes two pieces in line comes to the same end by different landings.
        if (n >= (V::flying && (king_ || rules_.promotion == Promotion::go) ? 2 : 4)) {
            if (known(move)) return;
        } else if (Counting) {
            ++counted_;
            return;
        }
        out_.push(move);
    }

    bool known(const typename V::Move& move) noexcept {
        if (out_.size() < kLongList) [[likely]] {
            for (const auto& other : out_) {
                if (other == move) return true;
            }
            return false;
        }
        if (!indexed_) {
            ends_.clear();
            for (const auto& other : out_) ends_.insert(other.captured, end_of(other));
            indexed_ = true;
        }
        return !ends_.insert(move.captured, end_of(move));
    }

    static std::uint64_t end_of(const typename V::Move& move) noexcept {
        return static_cast<std::uint64_t>(move.from) | static_cast<std::uint64_t>(move.to) << 8 |
               static_cast<std::uint64_t>(move.crowns) << 16;
    }

    // What can follow depends on where the last piece was taken, in which direction, and on what
    // is captured; with `king_early` also on the order so far.
    [[gnu::noinline]] bool is_new(Bits landings, Direction d, Bits captured, Rank rank) noexcept {
        if (memory_of_ != from_) {
            states_.clear();
            memory_of_ = from_;
        }
        std::uint64_t state = static_cast<std::uint64_t>(lowest(nearest(d, landings))) * 4 +
                              static_cast<std::uint64_t>(d);
        if (const Rank early = rules_.ranking.early) {
            state |= (rank & ((early - 1) | early)) / (early >> (kMaxCaptured - 1)) << 9;
        }
        return states_.insert(captured, state);
    }

    const Rules& rules_;
    const Turn<Bits> turn_;
    const Bits vacant_;
    const Bits man_targets_;
    MoveListOf<typename V::Bits>& out_;

    Rank best_ = 0;
    std::uint64_t counted_ = 0;

    // The piece that is being walked.
    Bits empty_ = 0;
    Rank base_rank_ = 0;
    std::uint8_t from_ = 0;
    bool king_ = false;

    bool indexed_ = false;
    int memory_of_ = -1;
    int jumps_ = 0;
    Crowd states_;
    Crowd ends_;
};

}  // namespace damka
