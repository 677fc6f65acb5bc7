// Statistics over a whole endgame table.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "memory/parallel_for.hpp"
#include "position/position.hpp"
#include "tablebase/cursor.hpp"
#include "tablebase/index.hpp"
#include "tablebase/unpacked.hpp"
#include "tablebase/values.hpp"

namespace damka {

template <class Bits>
class StudyOf {
   public:
    using Position = PositionOf<Bits>;

    StudyOf(const TableSet& set, Progress& progress)
        : rules_(set.rules()), store_(set), oracle_(rules_, store_), progress_(progress) {}

    // Returns up to n wins of a half with the longest distance to the end, and their values.
    std::vector<std::pair<Position, int>> longest(const Material& material, std::size_t n) {
        const HalfValues half = read(material);
        std::vector<std::uint64_t> best;
        const auto precedes = [&](std::uint64_t a, std::uint64_t b) {
            return half.values[a] != half.values[b] ? half.values[a] > half.values[b] : a < b;
        };
        for (std::uint64_t i = 0; i < half.values.size(); ++i) {
            const TableValue v = half.values[i];
            if (!v || lost(v)) continue;
            if (best.size() == n && !precedes(i, best.back())) continue;
            best.insert(std::upper_bound(best.begin(), best.end(), i, precedes), i);
            if (best.size() > n) best.pop_back();
        }
        CursorOf<Bits> cursor(half.index);
        std::vector<std::pair<Position, int>> found;
        for (const std::uint64_t i : best) {
            cursor.seek(i);
            found.emplace_back(cursor.position(), half.values[i]);
        }
        return found;
    }

    // The longest sequence of plies without a capture or a man's move in any won or lost position
    // of this material, with either side to move, if the winner plays any of the best moves and the
    // loser any move.
    int max_no_progress_plies(const Material& material) {
        std::vector<HalfValues> halves;
        halves.push_back(read(material));
        if (!(material.own == material.their)) halves.push_back(read(material.swapped()));
        TableValue highest = 0;
        for (HalfValues& half : halves) {
            half.plies.resize(half.values.size());
            for (const TableValue v : half.values) highest = std::max(highest, v);
        }
        int longest = 0;
        // The loser's moves, and the winner's best moves, lead to smaller values.
        for (int value = 1; value <= highest; ++value) {
            for (std::size_t h = 0; h < halves.size(); ++h) {
                const auto v = static_cast<TableValue>(value);
                longest =
                    std::max(longest, fill_plies(halves[h], halves[halves.size() - 1 - h], v));
            }
            progress_or_stop(value, highest);
        }
        return longest;
    }

   private:
    struct HalfValues {
        IndexOf<Bits> index;
        std::vector<TableValue> values;
        std::vector<std::uint16_t> plies;
    };

    bool lost(TableValue v) const {
        return SuccessorValues::lost(v, rules_.objective == Objective::losing);
    }

    HalfValues read(const Material& material) {
        HalfValues half{IndexOf<Bits>(oracle_.masks(), material), {}, {}};
        half.values.resize(static_cast<std::size_t>(half.index.size()));
        CursorOf<Bits> cursor(half.index);
        cursor.seek(0);
        for (TableValue& v : half.values) {
            const int value = oracle_.value(cursor.position());
            if (value < 0) throw TableError("the table of a successor is missing");
            v = static_cast<TableValue>(value);
            cursor.next();
        }
        return half;
    }

    int fill_plies(HalfValues& half, const HalfValues& next, TableValue value) {
        CursorOf<Bits> cursor(half.index);
        int longest = 0;
        for (std::uint64_t i = 0; i < half.values.size(); ++i) {
            if (half.values[i] != value) continue;
            cursor.seek(i);
            const int plies = plies_without_progress(cursor.position(), next, value);
            half.plies[i] = static_cast<std::uint16_t>(plies);
            longest = std::max(longest, plies);
        }
        return longest;
    }

    int plies_without_progress(const Position& p, const HalfValues& next, TableValue value) {
        MoveListOf<Bits> list;
        oracle_.movegen().moves(rules_, p, list);
        int plies = 0;
        for (const auto& m : list) {
            const Position child = oracle_.movegen().make(rules_, p, m);
            if (!lost(value) && oracle_.value(child) != value - 1) continue;
            if (m.is_capture() || !m.king) {
                plies = std::max(plies, 1);
            } else {
                plies =
                    std::max(plies, 1 + next.plies[next.index.of(oracle_.masks().rotated(child))]);
            }
        }
        return plies;
    }

    void progress_or_stop(int value, int of) {
        if (progress_.report(value, static_cast<std::uint64_t>(value),
                             static_cast<std::uint64_t>(of))) {
            throw Interrupted();
        }
    }

    const Rules rules_;
    UnpackedOf<Bits> store_;
    OracleOf<Bits> oracle_;
    Progress& progress_;
};

}  // namespace damka
