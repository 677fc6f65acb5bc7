// A move and a list of moves, as the generator writes them: bits, not squares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace damka {

// Two moves of one position with equal from, to, captured and crowns are one legal move, whatever
// their routes.
template <class Bits>
struct MoveOf {
    Bits captured;
    std::uint8_t from;  // bit numbers
    std::uint8_t to;
    bool king;    // the mover was a king before the move
    bool crowns;  // the mover is a man and a king afterwards

    constexpr bool is_capture() const noexcept { return captured != 0; }

    friend constexpr bool operator==(const MoveOf& a, const MoveOf& b) noexcept {
        return a.captured == b.captured && a.from == b.from && a.to == b.to && a.crowns == b.crowns;
    }
};

using Move = MoveOf<std::uint64_t>;

// Whether two moves of one side are the same on paper: equal start, end and captured squares.
template <class Bits>
constexpr bool is_same_move(const MoveOf<Bits>& a, const MoveOf<Bits>& b) noexcept {
    return a.captured == b.captured && a.from == b.from && a.to == b.to;
}

// A vector with inline storage that suffices for nearly every position; larger lists move to the
// heap. The storage is uninitialized, because filling it would cost more than most lists do.
// Elements may be read in groups of 16 bytes.
template <class T, std::size_t kInlineCapacity>
class SmallVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>);

   public:
    SmallVector() noexcept {}
    SmallVector(const SmallVector&) = delete;
    SmallVector& operator=(const SmallVector&) = delete;
    ~SmallVector() {
        if (data_ != inline_) std::free(data_);
    }

    void push(const T& item) noexcept {
        if (size_ == capacity_) [[unlikely]]
            grow();
        data_[size_++] = item;
    }

    void clear() noexcept { size_ = 0; }

    // Resizes the list to n uninitialized items.
    void resize(std::size_t n) noexcept {
        size_ = 0;
        while (capacity_ < n) [[unlikely]] grow();
        size_ = n;
    }

    // Appends n uninitialized items and returns a pointer to the first.
    T* extend(std::size_t n) noexcept {
        while (capacity_ < size_ + n) [[unlikely]] grow();
        T* items = data_ + size_;
        size_ += n;
        return items;
    }

    void truncate(std::size_t n) noexcept { size_ = n; }  // keeps the first n items
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }

    T& operator[](std::size_t i) noexcept { return data_[i]; }
    const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    T* begin() noexcept { return data_; }
    T* end() noexcept { return data_ + size_; }
    const T* begin() const noexcept { return data_; }
    const T* end() const noexcept { return data_ + size_; }

   private:
    [[gnu::noinline]] void grow() noexcept {
        T* larger = static_cast<T*>(std::malloc(2 * capacity_ * sizeof(T)));
        if (!larger) std::abort();
        std::memcpy(larger, data_, size_ * sizeof(T));
        if (data_ != inline_) std::free(data_);
        data_ = larger;
        capacity_ *= 2;
    }

    T* data_ = inline_;
    std::size_t size_ = 0;
    std::size_t capacity_ = kInlineCapacity;
    alignas(16) T inline_[kInlineCapacity];
};

template <class Bits>
using MoveListOf = SmallVector<MoveOf<Bits>, 96>;

using MoveList = MoveListOf<std::uint64_t>;

}  // namespace damka
