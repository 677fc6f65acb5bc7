// Byte sources of endgame tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tablebase/codec.hpp"

namespace damka {

// A table's bytes, for concurrent reads. Every read may fail, because a file may shrink or fail
// while it is open; a memory mapping would raise SIGBUS instead.
class TableSource {
   public:
    TableSource() = default;
    TableSource(const TableSource&) = delete;
    TableSource& operator=(const TableSource&) = delete;
    virtual ~TableSource() = default;

    virtual std::uint64_t size() const noexcept = 0;

    // Fills `out` with the bytes from `offset`. Returns false on failure.
    virtual bool read(std::uint64_t offset, std::span<std::uint8_t> out) const noexcept = 0;
};

// Bytes in memory, which must stay valid.
class MemorySource final : public TableSource {
   public:
    explicit MemorySource(Bytes bytes) noexcept : bytes_(bytes) {}

    std::uint64_t size() const noexcept override { return bytes_.size(); }

    bool read(std::uint64_t offset, std::span<std::uint8_t> out) const noexcept override {
        if (offset > bytes_.size() || out.size() > bytes_.size() - offset) return false;
        std::ranges::copy(bytes_.subspan(static_cast<std::size_t>(offset), out.size()),
                          out.begin());
        return true;
    }

   private:
    const Bytes bytes_;
};

}  // namespace damka
