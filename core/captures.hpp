// The captures of one side: every route is walked, ranked by the precedence, and merged with the
// routes that come to the same.
#pragma once

#include <algorithm>
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

// The fewest short jumps that lead back to where they began.
template <class V>
constexpr int ring_of(const Rules& rules) noexcept {
    return V::mixes(rules) ? 3 : 4;
}

// The square over which a short jump leads from one bit to another.
template <class Shape>
constexpr typename Shape::Bits between(int from, int to) noexcept {
    return typename Shape::Bits{1} << (static_cast<unsigned>(from + to) / 2);
}

// The square `home` when a short jump over one of `targets` leads to it, else nothing. A piece that
// walks round a ring comes back to where it began, which counts as occupied otherwise.
template <class V, Side S, bool King>
constexpr typename V::Bits way_home(const Rules& rules, int at, int home,
                                    typename V::Bits targets) noexcept {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;
    const Bits goal = Shape::kJumps[static_cast<unsigned>(at)] & Shape::one(home);
    if (!goal || !(between<Shape>(at, home) & targets)) return Bits{0};
    if constexpr (V::kFixed) {
        if (V::ways(S, King ? Going::king_captures : Going::man_captures) == kEveryWay) return goal;
    }
    bool allowed = false;
    Jumps<V, S, King>::for_ways(rules, [&](auto way) {
        allowed |= Shape::step(way, Shape::step(way, Shape::one(at))) == goal;
    });
    return allowed ? goal : Bits{0};
}

// Counts the captures of men that take more than one piece, where it does not matter which.
template <class V, Side S>
class Chains {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;

   public:
    Chains(const Rules& rules, const Turn<Bits>& turn,
           const Jumps<V, S, false>& jumps) noexcept
        : rules_(rules),
          turn_(turn),
          jumps_(jumps),
          targets_(man_targets(rules, turn)),
          stops_(rules.promotion == Promotion::stop ? crowning_row<V, S>() : Bits{0}),
          goes_(rules.promotion == Promotion::go ? crowning_row<V, S>() : Bits{0}),
          starts_(jumps.any(rules) & ~stops_) {}

    // Of `singles` captures of one piece those that lead to `on` go on. Returns -1 when there are
    // too many to count so.
    [[gnu::noinline]] int count_with(int singles, Bits on) noexcept {
        for_each(on, [&](int at) {
            Bits origins{0};
            jumps_.for_ways(rules_, [&](auto way) {
                origins |= jumps_.landings(way.back(), Shape::one(at)) & jumps_.from[way.value];
            });
            for_each(origins & turn_.men, [&](int from) {
                --singles;
                from_ = from;
                follow(at, between<Shape>(from_, at), 1);
            });
        });
        if (known_ > kRoom) return -1;
        return rules_.ranking.piece ? longest_count_ : singles + longest_count_;
    }

   private:
    static constexpr unsigned kRoom = 32;

    struct End {
        Bits captured;
        int at, from;
    };

    // Goes on from `at` after n captures. Most ways on are the only one.
    void follow(int at, Bits captured, int n) noexcept {
        while (true) {
            if (Shape::one(at) & goes_) known_ = kRoom + 1;  // as a king, by other ways
            Bits next{0};
            if (const Bits bit = Shape::one(at) & starts_) {
                jumps_.for_ways(rules_, [&](auto way) {
                    next |= jumps_.landings(way, bit & jumps_.from[way.value]);
                });
            }
            if (n + 1 >= ring_of<V>(rules_) && !(Shape::one(at) & stops_)) {
                next |= way_home<V, S, false>(rules_, at, from_, targets_);
            }
            int to = at;
            for (; next; next &= next - 1) {
                const int landing = lowest(next);
                if (between<Shape>(at, landing) & captured) continue;
                if (to != at) follow(to, captured | between<Shape>(at, to), n + 1);
                to = landing;
            }
            if (to == at) return end(at, captured, n);
            captured |= between<Shape>(at, to);
            at = to;
            ++n;
        }
    }

    void end(int at, Bits captured, int n) noexcept {
        if (rules_.ranking.piece) {
            if (n < longest_) return;
            if (n > longest_) {
                longest_ = n;
                longest_count_ = 0;
                if (known_ <= kRoom) known_ = 0;
            }
        }
        if (n >= ring_of<V>(rules_) && !is_new(at, captured)) return;
        ++longest_count_;
    }

    // Two ways round a ring come to the same.
    bool is_new(int at, Bits captured) noexcept {
        for (unsigned i = 0; i < std::min(known_, kRoom); ++i) {
            const End& other = ends_[i];
            if (other.captured == captured && other.at == at && other.from == from_) return false;
        }
        if (known_ < kRoom) ends_[known_] = {captured, at, from_};
        ++known_;
        return true;
    }

    const Rules& rules_;
    const Turn<Bits>& turn_;
    const Jumps<V, S, false>& jumps_;
    const Bits targets_;
    const Bits stops_;  // the crowning row, where men stop on it, …
    const Bits goes_;   // … and where they go on from it
    const Bits starts_;
    int from_ = 0;
    int longest_ = 0;
    int longest_count_ = 0;
    unsigned known_ = 0;
    End ends_[kRoom];
};

// Counts the captures of men where there are no other pieces to capture with. Returns -1 when it
// matters what is taken, when a man may go on as a king, or when there are too many captures to
// count so; then every route must be walked and listed.
template <class V, Side S>
int count_short_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                         const Jumps<V, S, false>& jumps) noexcept {
    using Bits = typename V::Bits;
    constexpr Bits crown = crowning_row<V, S>();
    if (t.enemy_kings && rules.ranking.tells_kings()) return -1;
    Bits on{0};
    int n = 0;
    jumps.for_ways(rules, [&](auto way) {
        const Bits movers = t.men & jumps.from[way.value];
        on |= jumps.landings(way, movers);
        n += count(movers);
    });
    if (rules.promotion == Promotion::go && (on & crown)) return -1;
    if (rules.promotion == Promotion::stop) on &= ~crown;
    on &= jumps.any(rules);
    return on ? Chains<V, S>(rules, t, jumps).count_with(n, on) : n;
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
        starts_by_way_ = jumps.from;
        Bits on = starts_;
        if constexpr (!King) {
            if (rules_.promotion == Promotion::stop) on &= ~kCrown;
            if (rules_.promotion == Promotion::go) on |= kCrown;
        }
        Bits landings{0};
        for_ways<King>([&](auto way) {
            landings |= jumps.landings(way, pieces & jumps.from[way.value]);
        });
        for_each(landings & on, [&](int at) {
            Bits origins{0};
            for_ways<King>([&](auto way) {
                origins |= jumps.landings(way.back(), Shape::one(at)) & jumps.from[way.value];
            });
            for_each(origins & pieces, [&](int from) {
                begin(from, King);
                const Bits taken = between<Shape>(from, at);
                const bool king_taken = (taken & turn_.enemy_kings) != 0;
                follow<King>(from, at, taken, base_rank_ + rules_.ranking.of_capture(king_taken, 0),
                             1);
            });
        });
        if (!singles_count<King>()) return;
        for_ways<King>([&](auto way) {
            const Bits landings = jumps.landings(way, pieces & jumps.from[way.value]);
            add_singles<King>(way, landings & ~on);
        });
    }

    // Whether a capture of one piece can still be the best.
    template <bool King>
    bool singles_count() const noexcept {
        const Ranking& ranking = rules_.ranking;
        return ranking.tells_kings() || (King ? ranking.with_king : 0) + ranking.piece >= best_;
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
            reaches(base + rules_.ranking.piece);
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

    // Goes on with short jumps from `at`, to which n captures have led, the last one from `before`.
    // Most ways on are the only one.
    template <bool King>
    void follow(int before, int at, Bits captured, Rank rank, int n) noexcept {
        while (true) {
            const Bits bit = Shape::one(at);
            if (!King && (bit & kCrown) && rules_.promotion != Promotion::pass) {
                return follow_crowned(before, at, captured, rank, n);
            }
            Bits next{0};
            if (bit & starts_) {
                for_ways<King>([&](auto way) {
                    next |= Jumps<V, S, King>::landings(way, bit & starts_by_way_[way.value]);
                });
            }
            if (n + 1 >= ring_of<V>(rules_)) {
                next |= way_home<V, S, King>(rules_, at, from_, targets<King>());
            }
            Bits taken{0};
            int to = 0;
            for (; next; next &= next - 1) {
                const Bits candidate = between<Shape>(at, lowest(next));
                if (candidate & captured) continue;
                if (taken) follow<King>(at, to, captured | taken, rank + worth(taken, n), n + 1);
                taken = candidate;
                to = lowest(next);
            }
            if (!taken) return add(bit, captured, rank, n, !King && (bit & kCrown));
            captured |= taken;
            rank += worth(taken, n++);
            before = at;
            at = to;
        }
    }

    // A man has reached its crowning row on the way. Where it goes on, it is a king now, with all a
    // king's rights, whatever men may do.
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
        if constexpr (V::kCanHop) hop_as_crowned(bit, captured, rank, n);
    }

    template <bool King>
    Bits targets() const noexcept {
        return King ? turn_.enemies() : man_targets_;
    }

    // What taking a piece as the n-th of a route adds to its rank.
    Rank worth(Bits taken, int n) const noexcept {
        return rules_.ranking.of_capture((taken & turn_.enemy_kings) != 0, n);
    }

    // Goes on, or stops, as the short king that a man has become on the way.
    void hop_as_crowned(Bits at, Bits captured, Rank rank, int n) noexcept {
        const Bits targets = turn_.enemies() & ~captured;
        bool on = false;
        for_ways<true>([&](auto way) {
            const Bits taken = Shape::step(way, at) & targets;
            const Bits to = Shape::step(way, taken) & empty_;
            if (!to) return;
            on = true;
            const bool king_taken = (taken & turn_.enemy_kings) != 0;
            hop_as_crowned(to, captured | taken,
                           rank + rules_.ranking.of_capture(king_taken, n), n + 1);
        });
        if (!on) add(at, captured, rank, n, true);
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
        return ring_of<V>(rules_);
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

    // Where pieces of the kind that is being walked can jump, in any direction and in each.
    Bits starts_ = 0;
    const Bits* starts_by_way_ = nullptr;

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
