// Endgame tables: the tables that are there for some rules, and two ways to read them: block by
// block with a cache, and whole.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tablebase/field.hpp"
#include "tablebase/file.hpp"
#include "tablebase/index.hpp"
#include "tablebase/material.hpp"
#include "tablebase/source.hpp"
#include "tablebase/values.hpp"
#include "tablebase/view.hpp"

namespace damka {

class TableSet {
   public:
    explicit TableSet(const Rules& rules) : rules_(rules), fingerprint_(table_fingerprint(rules)) {}

    // Adds a file's bytes, which must stay in memory. Throws TableError.
    const TableView& add(Bytes bytes) { return add(std::make_unique<MemorySource>(bytes)); }

    // Adds a file; one of a material known already takes its place. Throws TableError.
    const TableView& add(std::unique_ptr<const TableSource> source) {
        auto view = std::make_unique<TableView>(std::move(source), fingerprint_);
        for (const TableView::Half& half : view->halves()) {
            halves_[half.material.code()] = &half;
            pieces_ = std::max(pieces_, half.material.pieces());
        }
        views_.push_back(std::move(view));
        return *views_.back();
    }

    // Null without a table.
    const TableView::Half* half(const Material& material) const noexcept {
        return halves_[material.code()];
    }

    const Rules& rules() const noexcept { return rules_; }
    // Another for every set that there has been; not 0.
    std::uint64_t id() const noexcept { return id_; }
    // The most pieces that any table has.
    int pieces() const noexcept { return pieces_; }

   private:
    static std::uint64_t next_id() noexcept {
        static std::atomic<std::uint64_t> last{0};
        return ++last;
    }

    const Rules rules_;
    const std::uint64_t id_ = next_id();
    const std::uint64_t fingerprint_;
    int pieces_ = 0;
    std::vector<std::unique_ptr<TableView>> views_;
    std::array<const TableView::Half*, Material::kCodes> halves_{};
};

// Reads values block by block; the last blocks are kept. For one thread. The set must outlive it
// and not change.
template <class Bits>
class TableReaderOf final : public StoreOf<Bits> {
   public:
    using StoreOf<Bits>::kMissing;

    // `pages`: how many unpacked blocks to keep, 2 KiB each; a power of two.
    explicit TableReaderOf(const TableSet& set, std::size_t pages = 1024)
        : set_(set),
          field_(FieldOf<Bits>::of(set.rules())),
          indices_(Material::kCodes),
          mask_(pages - 1),
          pages_(std::make_unique<Page[]>(pages)) {}

    int read(const Material& material, const PositionOf<Bits>& p) override {
        const TableView::Half* half = set_.half(material);
        if (!half) return kMissing;
        auto& index = indices_[material.code()];
        if (!index) {
            index = std::make_unique<IndexOf<Bits>>(field_, material);
            if (index->size() != half->counts.positions) {
                throw TableError(material.name() +
                                 ": damaged: it has not as many positions as there are");
            }
        }
        const std::uint64_t i = index->of(p);
        const std::uint64_t block = i / kTableBlock;
        const std::uint64_t which = block * Material::kCodes + material.code();
        Page& page = pages_[zobrist::mix(which) & mask_];
        if (page.which != which) {
            page.which = kNone;
            if (!half->read(static_cast<std::size_t>(block), page.values.data())) {
                throw TableError(material.name() + ": damaged: block " + std::to_string(block));
            }
            page.which = which;
        }
        return page.values[i % kTableBlock];
    }

   private:
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

    struct Page {
        std::uint64_t which = kNone;
        std::array<TableValue, kTableBlock> values;
    };

    const TableSet& set_;
    const FieldOf<Bits> field_;
    std::vector<std::unique_ptr<IndexOf<Bits>>> indices_;
    const std::size_t mask_;
    std::unique_ptr<Page[]> pages_;
};

// Unpacks a whole table when it is first asked for. For any number of threads.
template <class Bits>
class UnpackedOf final : public StoreOf<Bits> {
   public:
    using StoreOf<Bits>::kMissing;

    explicit UnpackedOf(const TableSet& set)
        : set_(set), field_(FieldOf<Bits>::of(set.rules())), tables_(Material::kCodes) {}

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
        std::atomic<const Table*> ready{nullptr};  // quicker to ask than a flag
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
        auto table = std::make_unique<Table>(Table{IndexOf<Bits>(field_, half.material), {}});
        const auto size = static_cast<std::size_t>(table->index.size());
        if (size != half.counts.positions) {
            throw TableError(half.material.name() +
                             ": damaged: it has not as many positions as there are");
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
    const FieldOf<Bits> field_;
    std::vector<Slot> tables_;
};

}  // namespace damka
