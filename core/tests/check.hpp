// Test support: CHECK, rule sets, and random rules and positions.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka::tests {

inline long checks_done = 0;

inline void check(bool passed, const char* condition, const char* file, int line) {
    ++checks_done;
    if (passed) return;
    std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
    std::exit(1);
}

#define CHECK(condition) ::damka::tests::check((condition), #condition, __FILE__, __LINE__)

// A random number generator with the same sequence on every platform.
class Random {
   public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() { return zobrist::mix(state_++); }
    unsigned below(unsigned n) { return static_cast<unsigned>(next() % n); }
    bool chance(unsigned percent) { return below(100) < percent; }

   private:
    std::uint64_t state_;
};

struct NamedRules {
    const char* name;
    Rules rules;
};

inline Rules make_rules(int width, void (*change)(Rules&)) {
    Rules rules;
    rules.width = rules.height = width;
    rules.rows = width == 10 ? 4 : 3;
    change(rules);
    return rules;
}

inline Rules dama64() {
    return make_rules(8, [](Rules& r) {
        r.land_adjacent = true;
        r.ranking = Ranking::of({PrecedenceKey::with_king});
    });
}

inline Rules american() {
    return make_rules(8, [](Rules& r) {
        r.flying_kings = false;
        r.first = Side::black;
    });
}

inline Rules international() {
    return make_rules(10, [](Rules& r) {
        r.men_capture_back = true;
        r.promotion = Promotion::pass;
        r.ranking = Ranking::of({PrecedenceKey::count});
    });
}

inline Rules russian() {
    return make_rules(8, [](Rules& r) {
        r.men_capture_back = true;
        r.promotion = Promotion::go;
    });
}

inline Rules italian() {
    return make_rules(8, [](Rules& r) {
        r.dark_left = false;
        r.flying_kings = false;
        r.men_take_kings = false;
        r.ranking = Ranking::of({PrecedenceKey::count, PrecedenceKey::with_king,
                                 PrecedenceKey::kings, PrecedenceKey::king_early});
    });
}

inline Rules spanish() {
    return make_rules(8, [](Rules& r) {
        r.dark_left = false;
        r.ranking = Ranking::of({PrecedenceKey::count, PrecedenceKey::kings});
    });
}

inline Rules thai() {
    return make_rules(8, [](Rules& r) {
        r.rows = 2;
        r.land_adjacent = true;
        r.remove_at_once = true;
        r.first = Side::black;
    });
}

inline Rules frisian() {
    Rules rules = international();
    rules.capture_lines = kEveryWay;
    rules.ranking = Ranking::of({PrecedenceKey::value, PrecedenceKey::with_king});
    rules.king_streak = 3;
    return rules;
}

inline Rules killer() {
    Rules rules = international();
    rules.land_killing = true;
    return rules;
}

inline Rules turkish() {
    return make_rules(8, [](Rules& r) {
        r.all_squares = true;
        r.rows = 2;
        r.rows_behind = 1;
        r.move_lines = r.capture_lines = kOrthogonal;
        r.remove_at_once = true;
        r.u_turn = false;
        r.promotion = Promotion::pass;
        r.ranking = Ranking::of({PrecedenceKey::count});
    });
}

inline Rules canadian() {
    Rules rules = international();
    rules.width = rules.height = 12;
    rules.rows = 5;
    return rules;
}

// Random rules on a board that fits in 64 bits.
inline Rules random_rules(Random& random) {
    Rules r;
    static constexpr int sizes[][2] = {{6, 6}, {8, 8}, {8, 8}, {10, 10}, {10, 10}, {10, 8}};
    r.all_squares = random.chance(20);
    const auto& size = sizes[random.below(6)];
    r.width = r.all_squares ? 8 : size[0];
    r.height = r.all_squares ? 8 : size[1];
    r.rows = 1 + static_cast<int>(random.below(2));
    r.dark_left = random.chance(50);
    r.flying_kings = random.chance(70);
    r.men_capture_back = random.chance(50);
    if (r.all_squares) {
        r.move_lines = random.chance(50) ? kOrthogonal : kEveryWay;
        r.capture_lines = random.chance(50) ? kOrthogonal : kEveryWay;
    } else if (random.chance(30)) {
        r.capture_lines = kEveryWay;
    }
    r.men_take_kings = random.chance(70);
    r.land_adjacent = random.chance(20);
    r.land_killing = !r.land_adjacent && random.chance(30);
    r.remove_at_once = random.chance(50);
    r.u_turn = random.chance(50);
    r.promotion = static_cast<Promotion>(random.below(3));
    r.capture_is_free = random.chance(15);
    if (random.chance(5)) r.objective = Objective::breakthrough;
    if (random.chance(20)) r.king_streak = 1 + static_cast<int>(random.below(3));
    const PrecedenceKey fourth = r.capture_lines == kDiagonal && random.chance(60)
                                     ? PrecedenceKey::king_early
                                 : random.chance(50) ? PrecedenceKey::points
                                                     : PrecedenceKey::value;
    PrecedenceKey keys[] = {PrecedenceKey::count, PrecedenceKey::with_king, PrecedenceKey::kings,
                            fourth};
    for (unsigned i = 3; i > 0; --i) std::swap(keys[i], keys[random.below(i + 1)]);
    r.ranking = Ranking::of(keys, keys + random.below(5));
    return r;
}

// A random position without men on their crowning row.
template <class Bits = std::uint64_t>
PositionOf<Bits> random_position(const Rules& rules, Random& random) {
    const Layout& layout = layout_of(rules);
    PositionOf<Bits> p = empty_position<Bits>(random.chance(50) ? Side::white : Side::black);
    const unsigned density = 5 + random.below(45);
    for (int square = 1; square <= layout.squares; ++square) {
        if (!random.chance(density)) continue;
        const unsigned side = random.below(2);
        const int row = (square - 1) / (layout.squares / rules.height);
        const bool crowning = row == (side == 0 ? 0 : rules.height - 1);
        auto& kind = crowning || random.chance(30) ? p.kings : p.men;
        kind[side] |= Bits{1} << layout.bit(square);
    }
    p.key = p.compute_key();
    return p;
}

void perft_tests();
void streak_tests();
void game_result_tests();
void invariant_tests();
void route_tests();
void flat_tests();
void pdn_tests();
void batch_tests();
void capture_tests();
void search_tests();
void tablebase_tests();
void thread_pool_tests();
void weights_tests();

}  // namespace damka::tests
