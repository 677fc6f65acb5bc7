// Retrograde analysis: builds the endgame tables of one material.
//
// The first pass evaluates every position once: positions without moves, and those whose moves all
// change the material (captures, crownings), get their value from other tables. Then level by
// level: the predecessors (by quiet moves) of positions that end in n plies are evaluated again,
// and may end in n + 1. Values only ever improve; positions without a value are draws.
//
// There is no retro move generator: the last mover's men are moved as if they were the other
// side's, and each candidate is then verified with forward moves.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "memory/parallel_for.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"
#include "tablebase/cursor.hpp"
#include "tablebase/index.hpp"
#include "tablebase/values.hpp"

namespace damka {

// A concurrent set of numbers.
class NumberSet {
   public:
    explicit NumberSet(std::uint64_t size)
        : words_((size + 63) / 64), bits_(std::make_unique<Word[]>(words_)) {}

    void add(std::uint64_t i) noexcept {
        Word& word = bits_[i / 64];
        const std::uint64_t bit = std::uint64_t{1} << i % 64;
        if (word.load(std::memory_order_relaxed) & bit) return;
        word.fetch_or(bit, std::memory_order_relaxed);
    }
    bool has(std::uint64_t i) const noexcept { return word(i / 64) >> i % 64 & 1; }
    std::uint64_t word(std::uint64_t i) const noexcept {
        return bits_[i].load(std::memory_order_relaxed);
    }
    void clear_word(std::uint64_t i) noexcept { bits_[i].store(0, std::memory_order_relaxed); }

   private:
    using Word = std::atomic<std::uint64_t>;
    std::size_t words_;
    std::unique_ptr<Word[]> bits_;
};

// Values of a material for one side to move.
template <class Bits>
struct HalfTableOf {
    HalfTableOf(const BoardMasksOf<Bits>& masks, const Material& material)
        : index(masks, material),
          values(std::make_unique<std::atomic<TableValue>[]>(index.size())),
          closed(index.size()),
          pending(index.size()) {}

    TableValue value(std::uint64_t i) const noexcept {
        return values[i].load(std::memory_order_relaxed);
    }

    IndexOf<Bits> index;
    std::unique_ptr<std::atomic<TableValue>[]> values;
    NumberSet closed;   // compulsory captures: decided in the first pass
    NumberSet pending;  // queued for another evaluation
};

template <class Bits>
class BuilderOf {
   public:
    using Position = PositionOf<Bits>;
    using Half = HalfTableOf<Bits>;

    // `store` has the tables of all successors.
    BuilderOf(const Rules& rules, const Material& material, StoreOf<Bits>& store, unsigned jobs,
              Progress& progress)
        : oracle_(rules, store), rules_(rules), threads_(jobs, progress) {
        const auto& masks = oracle_.masks();
        halves_[0] = std::make_unique<Half>(masks, material);
        if (!(material.own == material.their)) {
            halves_[1] = std::make_unique<Half>(masks, material.swapped());
        }
    }

    void run() {
        for_halves([&](std::size_t h) { evaluate_all(h); });
        for (int value = 1; value <= highest_.load(); ++value) {
            const auto limit = static_cast<TableValue>(value);
            for_halves([&](std::size_t h) { mark_predecessors(h, limit); });
            for_halves([&](std::size_t h) { reevaluate_pending(h, limit); });
        }
    }

    // The table of the material, and the one for the other side to move; null if both are the same.
    const Half& own() const { return *halves_[0]; }
    const Half* their() const { return halves_[1].get(); }
    // The largest value in both tables.
    int highest() const { return highest_.load(); }

   private:
    template <class F>
    void for_halves(F&& f) {
        f(0);
        if (halves_[1]) f(1);
    }

    // The table of the position after a quiet move.
    Half& opposite(std::size_t h) { return halves_[1] ? *halves_[h ^ 1] : *halves_[0]; }

    void evaluate_all(std::size_t h) {
        Half& half = *halves_[h];
        threads_.run(0, half.index.size(), [&](std::uint64_t begin, std::uint64_t end) {
            CursorOf<Bits> cursor(half.index);
            cursor.seek(begin);
            int highest = 0;
            for (std::uint64_t i = begin; i < end; ++i, cursor.next()) {
                bool closed = false;
                const TableValue v = evaluate(cursor.position(), opposite(h), 0, &closed);
                if (closed) half.closed.add(i);
                if (!v) continue;
                half.values[i].store(v, std::memory_order_relaxed);
                highest = std::max<int>(highest, v);
            }
            raise_highest(highest);
        });
    }

    // The value from other materials, and from values of this one up to `limit`.
    TableValue evaluate(const Position& p, const Half& next, TableValue limit, bool* closed) {
        MoveListOf<Bits> list;
        const auto& movegen = oracle_.movegen();
        movegen.moves(rules_, p, list);
        if (closed) *closed = !rules_.capture_is_free && !list.empty() && list[0].is_capture();
        SuccessorValues successors(rules_);
        for (const auto& m : list) {
            const bool converts = m.is_capture() || m.crowns;
            if (!converts && !limit) {
                successors.add_unknown();
                continue;
            }
            const Position child = movegen.make(rules_, p, m);
            if (converts) {
                successors.add(probe_other_material(child));
                continue;
            }
            const TableValue v = next.value(next.index.of(oracle_.masks().rotated(child)));
            if (v && v <= limit) {
                successors.add(v);
            } else {
                successors.add_unknown();
            }
        }
        return successors.value();
    }

    TableValue probe_other_material(const Position& p) {
        const int v = oracle_.value(p);
        if (v == StoreOf<Bits>::kMissing) {
            throw std::runtime_error("no table of " + Material::of(p).ordered().name());
        }
        return static_cast<TableValue>(v);
    }

    void mark_predecessors(std::size_t h, TableValue value) {
        const Half& half = *halves_[h];
        Half& before = opposite(h);
        threads_.run(value, half.index.size(), [&](std::uint64_t begin, std::uint64_t end) {
            CursorOf<Bits> cursor(half.index);
            for (std::uint64_t i = begin; i < end; ++i) {
                if (half.value(i) != value) continue;
                cursor.seek(i);
                mark_predecessors_of(cursor.position(), before);
            }
        });
    }

    // Marks White's positions from which a quiet move of Black's leads to `p`.
    void mark_predecessors_of(const Position& p, Half& before) {
        const auto& masks = oracle_.masks();
        const auto& index = before.index;
        // Seen from the other side, with the mover's pieces as Black's.
        Position last = empty_position<Bits>(Side::black);
        last.men = {masks.rotated(p.men[0]), masks.rotated(p.men[1])};
        last.kings = {masks.rotated(p.kings[0]), masks.rotated(p.kings[1])};
        MoveListOf<Bits> list;
        oracle_.movegen().quiets(rules_, last, list);
        Position q = empty_position<Bits>(Side::white);
        q.men[1] = last.men[0];
        q.kings[1] = last.kings[0];
        q.streaks[1] = masks.rotated(p).streaks[1];
        for (const auto& m : list) {
            const Bits squares = Bits{1} << m.from | Bits{1} << m.to;
            q.men[0] = m.king ? last.men[1] : last.men[1] ^ squares;
            q.kings[0] = m.king ? last.kings[1] ^ squares : last.kings[1];
            // The mover may have had any streak.
            const auto& [own, their] = index.streak_states();
            const std::uint64_t first = index.of(q);
            for (unsigned s = 0; s < own; ++s) before.pending.add(first + s * their);
        }
    }

    void reevaluate_pending(std::size_t h, TableValue limit) {
        Half& half = *halves_[h];
        threads_.run(limit, half.index.size(), [&](std::uint64_t begin, std::uint64_t end) {
            CursorOf<Bits> cursor(half.index);
            int highest = 0;
            for (std::uint64_t w = begin / 64; w * 64 < end; ++w) {
                std::uint64_t pending = half.pending.word(w);
                if (!pending) continue;
                half.pending.clear_word(w);
                for_each(pending & ~half.closed.word(w), [&](int bit) {
                    const std::uint64_t i = w * 64 + static_cast<unsigned>(bit);
                    const TableValue before = half.value(i);
                    if (before && before <= limit + 1) return;
                    cursor.seek(i);
                    const TableValue v = evaluate(cursor.position(), opposite(h), limit, nullptr);
                    if (!v || (before && before <= v)) return;
                    half.values[i].store(v, std::memory_order_relaxed);
                    highest = std::max<int>(highest, v);
                });
            }
            raise_highest(highest);
        });
    }

    void raise_highest(int value) {
        int current = highest_.load();
        while (current < value && !highest_.compare_exchange_weak(current, value)) {
        }
    }

    OracleOf<Bits> oracle_;
    const Rules rules_;
    ParallelFor threads_;
    std::array<std::unique_ptr<Half>, 2> halves_;
    std::atomic<int> highest_{0};
};

// The materials of up to `pieces` pieces, stronger side first, each after those that it can become:
// fewer pieces first, then fewer men.
inline std::vector<Material> table_materials(const Rules& rules, int pieces) {
    std::vector<Material> all;
    const bool kings = rules.objective != Objective::breakthrough;  // the first king wins
    for (int n = 2; n <= pieces; ++n) {
        for (int men = 0; men <= n; ++men) {
            if (!kings && men < n) continue;
            for (int own = n - 1; 2 * own >= n; --own) {
                for (int own_men = 0; own_men <= std::min(own, men); ++own_men) {
                    const Material m{{own_men, own - own_men},
                                     {men - own_men, n - own - men + own_men}};
                    if (m.their.kings < 0 || m.own < m.their) continue;
                    all.push_back(m);
                }
            }
        }
    }
    return all;
}

}  // namespace damka
