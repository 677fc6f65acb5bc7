// Verification of built tables. Every position's value must follow from its successors' values; by
// induction over the plies to the end, such values are correct.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "memory/parallel_for.hpp"
#include "position/position.hpp"
#include "tablebase/cursor.hpp"
#include "tablebase/index.hpp"
#include "tablebase/unpacked.hpp"
#include "tablebase/values.hpp"

namespace damka {

template <class Bits>
class VerifierOf {
   public:
    using Position = PositionOf<Bits>;

    struct Fault {
        Position position;
        int found = 0;
        int expected = 0;
    };

    struct Report {
        TableCounts counts;  // of the verified positions
        std::uint64_t faults = 0;
        Fault first;
    };

    VerifierOf(const TableSet& set, unsigned jobs, Progress& progress)
        : set_(set), store_(set), oracle_(set.rules(), store_), threads_(jobs, progress) {}

    // Verifies every position of a half, or about one in `one_of`, sampled by `seed`.
    Report run(const TableView::Half& half, std::uint64_t one_of, std::uint64_t seed) {
        const IndexOf<Bits> index(oracle_.masks(), half.material);
        Report report;
        std::mutex report_mutex;
        threads_.run(0, index.size(), [&](std::uint64_t begin, std::uint64_t end) {
            Report part;
            CursorOf<Bits> cursor(index);
            cursor.seek(begin);
            for (std::uint64_t i = begin; i < end; ++i, cursor.next()) {
                if (one_of > 1 && zobrist::mix(i ^ zobrist::mix(seed)) % one_of != 0) continue;
                check(cursor.position(), part);
            }
            const std::lock_guard lock(report_mutex);
            if (part.faults && !report.faults) report.first = part.first;
            report.faults += part.faults;
            report.counts.add(part.counts);
        });
        return report;
    }

   private:
    void check(const Position& p, Report& report) {
        const int found = oracle_.value(p);
        MoveListOf<Bits> list;
        oracle_.movegen().moves(set_.rules(), p, list);
        SuccessorValues successors(set_.rules());
        for (const auto& m : list) {
            const int v = oracle_.value(oracle_.movegen().make(set_.rules(), p, m));
            if (v == StoreOf<Bits>::kMissing) {
                throw TableError("the table of a successor is missing");
            }
            successors.add(static_cast<TableValue>(v));
        }
        const int expected = successors.value();
        report.counts.add(static_cast<TableValue>(found),
                          set_.rules().objective == Objective::losing);
        if (found == expected) return;
        if (!report.faults++) report.first = {p, found, expected};
    }

    const TableSet& set_;
    UnpackedOf<Bits> store_;
    OracleOf<Bits> oracle_;
    ParallelFor threads_;
};

}  // namespace damka
