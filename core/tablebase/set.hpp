// The available endgame tables of a rule set, read block by block with a cache.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tablebase/board_masks.hpp"
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

    // An independent set with the same tables.
    TableSet(const TableSet& other)
        : rules_(other.rules_),
          fingerprint_(other.fingerprint_),
          pieces_(other.pieces_),
          views_(other.views_),
          halves_(other.halves_) {}
    TableSet& operator=(const TableSet&) = delete;

    // Adds a table in memory, which must stay valid. Throws TableError.
    const TableView& add(Bytes bytes) { return add(std::make_unique<MemorySource>(bytes)); }

    // Adds a file; replaces a table of the same material. Throws TableError.
    const TableView& add(std::unique_ptr<const TableSource> source) {
        std::string fault;
        const TableView* view = add(std::move(source), fault);
        if (!view) throw TableError(fault);
        return *view;
    }

    // The same, but returns null and sets `fault` for an invalid file.
    const TableView* add(std::unique_ptr<const TableSource> source, std::string& fault) {
        std::shared_ptr<const TableView> view =
            TableView::open(std::move(source), fingerprint_, fault);
        if (!view) return nullptr;
        for (const TableView::Half& half : view->halves()) {
            halves_[half.material.code()] = &half;
            pieces_ = std::max(pieces_, half.material.pieces());
        }
        views_.push_back(std::move(view));
        id_ = next_id();
        return views_.back().get();
    }

    // Null without a table.
    const TableView::Half* half(const Material& material) const noexcept {
        return halves_[material.code()];
    }

    const Rules& rules() const noexcept { return rules_; }
    // A unique non-zero id, which changes with every addition.
    std::uint64_t id() const noexcept { return id_; }
    // The largest number of pieces in any table.
    int pieces() const noexcept { return pieces_; }

   private:
    static std::uint64_t next_id() noexcept {
        static std::atomic<std::uint64_t> last{0};
        return ++last;
    }

    const Rules rules_;
    std::uint64_t id_ = next_id();
    const std::uint64_t fingerprint_;
    int pieces_ = 0;
    std::vector<std::shared_ptr<const TableView>> views_;
    std::array<const TableView::Half*, Material::kCodes> halves_{};
};

// Reads values block by block, with a cache of blocks. Not thread-safe. The set must outlive it and
// must not change.
template <class Bits>
class TableReaderOf final : public StoreOf<Bits> {
   public:
    using StoreOf<Bits>::kDamaged;
    using StoreOf<Bits>::kMissing;

    // `pages`: the cached blocks, 2 KiB each; a power of two.
    explicit TableReaderOf(const TableSet& set, std::size_t pages = 1024)
        : set_(set),
          masks_(BoardMasksOf<Bits>::of(set.rules())),
          indices_(Material::kCodes),
          mask_(pages - 1),
          pages_(std::make_unique<Page[]>(pages)) {}

    int read(const Material& material, const PositionOf<Bits>& p) override {
        const TableView::Half* half = set_.half(material);
        if (!half) return kMissing;
        auto& index = indices_[material.code()];
        if (!index) {
            index = std::make_unique<IndexOf<Bits>>(masks_, material);
            if (index->size() != half->counts.positions) {
                index.reset();
                fault_ = material.name() + ": damaged: wrong number of positions";
                return kDamaged;
            }
        }
        const std::uint64_t i = index->of(p);
        const std::uint64_t block = i / kTableBlock;
        const std::uint64_t which = block * Material::kCodes + material.code();
        Page& page = pages_[zobrist::mix(which) & mask_];
        if (page.which != which) {
            page.which = kNone;
            if (!half->read(static_cast<std::size_t>(block), page.values.data())) {
                fault_ = material.name() + ": damaged: block " + std::to_string(block);
                return kDamaged;
            }
            page.which = which;
        }
        return page.values[i % kTableBlock];
    }

    // The reason for the last failure.
    const std::string& fault() const noexcept { return fault_; }

   private:
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

    struct Page {
        std::uint64_t which = kNone;
        std::array<TableValue, kTableBlock> values;
    };

    const TableSet& set_;
    const BoardMasksOf<Bits> masks_;
    std::vector<std::unique_ptr<IndexOf<Bits>>> indices_;
    const std::size_t mask_;
    std::unique_ptr<Page[]> pages_;
    std::string fault_;
};

}  // namespace damka
