// Fully unpacked endgame tables, for building and verifying.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tablebase/set.hpp"

namespace damka {

// Unpacks a whole table on first use; throws TableError for a damaged one. Thread-safe.
template <class Bits>
class UnpackedOf final : public StoreOf<Bits> {
   public:
    using StoreOf<Bits>::kMissing;

    explicit UnpackedOf(const TableSet& set)
        : set_(set), masks_(BoardMasksOf<Bits>::of(set.rules())), tables_(Material::kCodes) {}

    int read(const Material& material, const PositionOf<Bits>& p) override {
        const Table* table = find(material);
        return table ? table->values[table->index.of(p)] : kMissing;
    }

   private:
    struct Table {
        IndexOf<Bits> index;
        std::vector<TableValue> values;
    };

    struct Slot {
        std::atomic<const Table*> ready{nullptr};  // cheaper to test than a once_flag
        std::once_flag once;
        std::unique_ptr<Table> table;
    };

    const Table* find(const Material& material) {
        Slot& slot = tables_[material.code()];
        if (const Table* table = slot.ready.load(std::memory_order_acquire)) return table;
        const TableView::Half* half = set_.half(material);
        if (!half) return nullptr;
        std::call_once(slot.once, [&] {
            slot.table = unpack(*half);
            slot.ready.store(slot.table.get(), std::memory_order_release);
        });
        return slot.table.get();
    }

    std::unique_ptr<Table> unpack(const TableView::Half& half) const {
        auto table = std::make_unique<Table>(Table{IndexOf<Bits>(masks_, half.material), {}});
        const auto size = static_cast<std::size_t>(table->index.size());
        if (size != half.counts.positions) {
            throw TableError(half.material.name() + ": damaged: wrong number of positions");
        }
        table->values.resize(size);
        for (std::size_t block = 0; block < half.block_count(); ++block) {
            if (!half.read(block, table->values.data() + block * kTableBlock)) {
                throw TableError(half.material.name() + ": damaged: block " +
                                 std::to_string(block));
            }
        }
        return table;
    }

    const TableSet& set_;
    const BoardMasksOf<Bits> masks_;
    std::vector<Slot> tables_;
};

}  // namespace damka
