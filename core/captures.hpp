// The captures of one side: every route is walked, ranked by the precedence, and merged with the
// routes that come to the same.
#pragma once

#include <bit>
#include <cstdint>

#include "crowd.hpp"
#include "geometry.hpp"
#include "moves.hpp"
#include "rules.hpp"

namespace damka {

// Where pieces go: the four sets of directions that there are.
enum class Going : std::uint8_t { man_moves, man_captures, king_moves, king_captures };

constexpr Directions ways_of(const Rules& rules, Side side, Going going) noexcept {
    switch (going) {
        case Going::man_moves: return rules.man_moves(side);
        case Going::man_captures: return rules.man_captures(side);
        case Going::king_moves: return rules.move_lines;
        default: return rules.capture_lines;
    }
}

// What is compiled apart because it is hot: the board's shape, whether kings fly, whether men
// capture backwards, and the lines of captures; pieces move on diagonals. Everything else in Rules
// is read at run time.
template <class ShapeType, bool Flying, bool Back, Directions Captures = kDiagonal>
struct Variant {
    using Shape = ShapeType;
    using Bits = typename ShapeType::Bits;
    using Move = MoveOf<Bits>;

    static constexpr bool kFixed = true;
    static constexpr bool kCanFly = Flying;
    static constexpr bool kCanHop = !Flying;
    static constexpr bool kOnlyDiagonal = Captures == kDiagonal;
    static constexpr bool flies(const Rules&) noexcept { return Flying; }
    static constexpr bool mixes(const Rules&) noexcept { return Captures == kEveryWay; }

    static constexpr Directions ways(Side side, Going going) noexcept {
        Rules rules;
        rules.men_capture_back = Back;
        rules.capture_lines = Captures;
        return ways_of(rules, side, going);
    }
};

// What is compiled once for a shape because it is played less: all of that read at run time.
template <class ShapeType>
struct AnyVariant {
    using Shape = ShapeType;
    using Bits = typename ShapeType::Bits;
    using Move = MoveOf<Bits>;

    static constexpr bool kFixed = false;
    static constexpr bool kCanFly = true;
    static constexpr bool kCanHop = true;
    static constexpr bool kOnlyDiagonal = false;
    static constexpr bool flies(const Rules& rules) noexcept { return rules.flying_kings; }
    static constexpr bool mixes(const Rules& rules) noexcept {
        return rules.capture_lines == kEveryWay;
    }
};

// Calls f(way) for the directions in which a piece of side S may go.
template <class V, Side S, Going G, class F>
constexpr void for_ways(const Rules& rules, F&& f) {
    if constexpr (V::kFixed) {
        constexpr Directions ways = V::ways(S, G);
        if constexpr (ways >> 0 & 1) f(Way<0>{});
        if constexpr (ways >> 1 & 1) f(Way<1>{});
        if constexpr (ways >> 2 & 1) f(Way<2>{});
        if constexpr (ways >> 3 & 1) f(Way<3>{});
        if constexpr (ways >> 4 & 1) f(Way<4>{});
        if constexpr (ways >> 5 & 1) f(Way<5>{});
        if constexpr (ways >> 6 & 1) f(Way<6>{});
        if constexpr (ways >> 7 & 1) f(Way<7>{});
    } else {
        for (Directions ways = ways_of(rules, S, G); ways; ways &= ways - 1) {
            f(AnyWay{std::countr_zero(ways)});
        }
    }
}

// The pieces as the side to move sees them.
template <class Bits>
struct Turn {
    Bits men, kings, enemy_men, enemy_kings;

    constexpr Bits enemies() const noexcept { return enemy_men | enemy_kings; }
    constexpr Bits occupied() const noexcept { return men | kings | enemy_men | enemy_kings; }
};

// The squares from which a short jump over one of `targets` is possible.
template <class Shape, class AWay, class Bits>
constexpr Bits jumpers(AWay way, Bits targets, Bits empty) noexcept {
    return Shape::step(way.back(), targets & Shape::step(way.back(), empty));
}

// The squares from which a man of side S, or a short king, can jump: found for the whole board at
// once, by direction. A piece that has just jumped can jump on from them too: not back, as the
// square it left counts as occupied here, and onto that square only round a ring.
template <class V, Side S, bool King>
struct Jumps {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;

    Bits from[V::kOnlyDiagonal ? 4 : kDirections];

    template <class F>
    static constexpr void for_ways(const Rules& rules, F&& f) {
        damka::for_ways<V, S, King ? Going::king_captures : Going::man_captures>(rules, f);
    }

    constexpr Jumps(const Rules& rules, Bits targets, Bits empty) noexcept {
        for_ways(rules, [&](auto way) {
            from[way.value] = jumpers<Shape>(way, targets, empty);
        });
    }

    constexpr Bits any(const Rules& rules) const noexcept {
        Bits all{0};
        for_ways(rules, [&](auto way) { all |= from[way.value]; });
        return all;
    }

    // Where `movers` land that jump.
    template <class AWay>
    static constexpr Bits landings(AWay way, Bits movers) noexcept {
        return Shape::step(way, Shape::step(way, movers));
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

// Counts the captures of men, `singles` of one piece and those that can go on from the landings
// `on`, where only one man comes to each. Returns -1 when one takes more than two pieces.
template <class V, Side S>
[[gnu::noinline]] int count_double_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                                            const Jumps<V, S, false>& jumps,
                                            typename V::Bits on, int singles) noexcept {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;
    constexpr Bits crown = crowning_row<V, S>();
    const Directions ways = ways_of(rules, S, Going::man_captures);
    Bits starts{0};
    Bits two_starts{0};  // in two directions or more
    jumps.for_ways(rules, [&](auto way) {
        two_starts |= starts & jumps.from[way.value];
        starts |= jumps.from[way.value];
    });
    int doubles = 0;
    Bits last{0};
    Bits longer{0};
    jumps.for_ways(rules, [&](auto way) {
        const Bits movers = on & jumps.from[way.value];
        const Bits landings = jumps.landings(way, movers);
        doubles += count(movers);
        last |= landings;
        // One start is the jump back over the piece just taken, if men capture that way.
        longer |= landings & (ways >> opposite(way.value) & 1 ? two_starts : starts);
    });
    if (rules.promotion == Promotion::stop) {
        last &= ~crown;
        longer &= ~crown;
    }
    if (longer || (rules.promotion == Promotion::go && (last & crown))) return -1;
    if (V::mixes(rules)) {
        // Three jumps can lead back to where they began, which is free by then.
        const Jumps<V, S, false> home(rules, man_targets(rules, t), t.men & Shape::kBoard);
        if (last & home.any(rules)) return -1;
    }
    return rules.ranking.piece ? doubles : singles + doubles;
}

// Counts the captures of men when none takes more than two pieces. Returns -1 when one may, or when
// it matters what is taken; then every route must be walked.
template <class V, Side S>
int count_short_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                         const Jumps<V, S, false>& jumps) noexcept {
    using Bits = typename V::Bits;
    constexpr Bits crown = crowning_row<V, S>();
    if (t.enemy_kings && rules.ranking.tells_kings()) return -1;
    Bits on{0};
    Bits twice{0};  // where two men may land
    int n = 0;
    jumps.for_ways(rules, [&](auto way) {
        const Bits movers = t.men & jumps.from[way.value];
        const Bits landings = jumps.landings(way, movers);
        twice |= on & landings;
        on |= landings;
        n += count(movers);
    });
    const Bits crowned = on & crown;
    on &= jumps.any(rules);
    if (rules.promotion == Promotion::stop) on &= ~crown;
    if (rules.promotion == Promotion::go && crowned) return -1;
    if (!on) return n;
    if (twice & on) return -1;
    return count_double_captures<V, S>(rules, t, jumps, on, n - count(on));
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
        return counted_;
    }

   private:
    static constexpr Bits kCrown = crowning_row<V, S>();

    // After so many jumps of flying kings, states met before are remembered and not walked again.
    static constexpr int kManyJumps = 400;
    static constexpr std::size_t kLongList = 64;

    template <bool King, class F>
    constexpr void for_ways(F&& f) const {
        Jumps<V, S, King>::for_ways(rules_, f);
    }

    // First jumps of men, or of short kings, are found for all of them at once, and so is whether
    // they can go on; only those that can are followed one by one.
    template <bool King>
    void short_pieces(Bits pieces, const Jumps<V, S, King>& jumps) noexcept {
        starts_ = jumps.any(rules_);
        if (!(starts_ & pieces)) return;
        Bits single[kDirections];
        for_ways<King>([&](auto way) {
            const Bits landings = jumps.landings(way, pieces & jumps.from[way.value]);
            Bits on = landings & starts_;
            if constexpr (!King) {
                if (rules_.promotion == Promotion::stop) on &= ~kCrown;
                if (rules_.promotion == Promotion::go) on |= landings & kCrown;
            }
            single[way.value] = landings & ~on;
            for_each(on, [&](int bit) {
                const Bits to = Shape::one(bit);
                const Bits taken = Shape::step(way.back(), to);
                const Bits origin = Shape::step(way.back(), taken);
                begin(lowest(origin), King);
                const bool king_taken = (taken & turn_.enemy_kings) != 0;
                const Rank rank = base_rank_ + rules_.ranking.of_capture(king_taken, 0);
                land<King>(way, to, taken, rank, 1);
            });
        });
        for_ways<King>([&](auto way) { add_singles<King>(way, single[way.value]); });
    }

    template <bool King, class AWay>
    void add_singles(AWay way, Bits landings) noexcept {
        if (!landings) return;
        const Rank base = King ? rules_.ranking.with_king : 0;
        const auto add_one = [&](int bit) {
            const Bits to = Shape::one(bit);
            const Bits taken = Shape::step(way.back(), to);
            const int from = lowest(Shape::step(way.back(), taken));
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
            const Bits taken = Shape::step(way.back(), Shape::one(bit));
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

    // A man or a short king has landed on `to` after n captures, the last one going `way`.
    template <bool King, class AWay>
    void land(AWay way, Bits to, Bits captured, Rank rank, int n) noexcept {
        if constexpr (!King) {
            if (to & kCrown) {
                if (rules_.promotion == Promotion::stop) return add(to, captured, rank, n, true);
                if (rules_.promotion == Promotion::go) {
                    // It is a king now, with all a king's rights, whatever men may do.
                    if constexpr (V::kCanFly) {
                        if (V::flies(rules_)) {
                            return fly_on(to, to, way.value, captured, rank, n, true);
                        }
                    }
                    if constexpr (V::kCanHop) {
                        if (!hop_on<true>(way, to, captured, rank, n, true)) {
                            add(to, captured, rank, n, true);
                        }
                    }
                    return;
                }
            }
        }
        if (!hop_on<King>(way, to, captured, rank, n, false)) {
            add(to, captured, rank, n, !King && (to & kCrown));
        }
    }

    // Goes on from `at` with short jumps; false when there is none.
    template <bool King, class AWay>
    bool hop_on(AWay last, Bits at, Bits captured, Rank rank, int n, bool crowned) noexcept {
        if (!crowned && !(at & starts_) && !may_come_home(at)) return false;
        const Bits targets = (King ? turn_.enemies() : man_targets_) & ~captured;
        bool on = false;
        for_ways<King>([&](auto way) {
            // Back over the piece just taken is never possible.
            if (way.value == opposite(last.value)) return;
            const Bits taken = Shape::step(way, at) & targets;
            const Bits to = Shape::step(way, taken) & empty_;
            if (!to) return;
            on = true;
            const bool king_taken = (taken & turn_.enemy_kings) != 0;
            const Rank next = rank + rules_.ranking.of_capture(king_taken, n);
            if (King && crowned) {
                if (!hop_on<true>(way, to, captured | taken, next, n + 1, true)) {
                    add(to, captured | taken, next, n + 1, true);
                }
            } else {
                land<King>(way, to, captured | taken, next, n + 1);
            }
        });
        return on;
    }

    // Whether the square where the walk began is a jump away.
    bool may_come_home(Bits at) const noexcept {
        return (Shape::kJumps[static_cast<unsigned>(lowest(at))] >> from_ & 1) != 0;
    }

    void flying_king(int from) noexcept {
        begin(from, true);
        if constexpr (V::kOnlyDiagonal) {
            for (Direction d = 0; d < 4; ++d) fly(from, d, 0, base_rank_, 0, false);
        } else {
            for_directions(rules_.capture_lines, [&](Direction d) {
                fly(from, d, 0, base_rank_, 0, false);
            });
        }
    }

    template <class F>
    static void for_directions(Directions directions, F&& f) {
        for (; directions; directions &= directions - 1) f(std::countr_zero(directions));
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
        const Bits ends = rules_.land_killing && king_taken ? nearest(d, landings) : landings;
        fly_on(landings, ends, d, captured | taken, next, n + 1, crowned);
        return true;
    }

    // A flying king may land on any of `landings`, all behind the piece it has just taken in
    // direction d. If it can go on from one of them, it may not stop on any; else it may on `ends`.
    void fly_on(Bits landings, Bits ends, Direction d, Bits captured, Rank rank, int n,
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
        if (n >= coincides_from()) {
            if (known(move)) return;
        } else if (Counting) {
            ++counted_;
            return;
        }
        out_.push(move);
    }

    // How many captures it takes to come to the same in two ways. Short jumps do so only around a
    // ring of four, or of three where diagonals and orthogonals mix. A flying king that takes two
    // pieces in line comes to the same end by different landings.
    int coincides_from() const noexcept {
        if (V::flies(rules_) && (king_ || rules_.promotion == Promotion::go)) return 2;
        return V::mixes(rules_) ? 3 : 4;
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
        std::uint64_t state = static_cast<std::uint64_t>(lowest(nearest(d, landings))) * 8 +
                              static_cast<std::uint64_t>(d);
        if (const Rank early = rules_.ranking.early) {
            state |= (rank & ((early - 1) | early)) / (early >> (kMaxCapturedInside - 1)) << 10;
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

    Bits starts_ = 0;  // where pieces of the kind that is being walked can jump

    // The piece that is being walked.
    Bits empty_ = 0;
    Rank base_rank_ = 0;
    std::uint8_t from_ = 0;
    bool king_ = false;

    bool indexed_ = false;
    int memory_of_ = -1;
    int jumps_ = 0;
    CrowdOf<Bits> states_;
    CrowdOf<Bits> ends_;
};

}  // namespace damka
