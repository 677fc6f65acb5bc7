// Memory for large tables with random access: huge pages avoid TLB misses.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace damka {

#if defined(__wasm__)
inline constexpr std::size_t kLargePage = 64;  // no huge pages: a cache line
#else
inline constexpr std::size_t kLargePage = std::size_t{1} << 21;
#endif

struct FreePages {
    void operator()(void* memory) const {
        ::operator delete (memory, std::align_val_t{kLargePage});
    }
};

template <class T>
using Pages = std::unique_ptr<T[], FreePages>;

// Allocates n value-initialized items, on huge pages if the system has them. Throws
// std::bad_alloc.
template <class T>
Pages<T> make_pages(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kLargePage);
    void* memory = ::operator new (n * sizeof(T), std::align_val_t{kLargePage});
#if defined(__linux__)
    if (n * sizeof(T) >= kLargePage) {
        // Only a hint: a failure is harmless.
        static_cast<void>(madvise(memory, n * sizeof(T), MADV_HUGEPAGE));
    }
#endif
    auto* items = static_cast<T*>(memory);
    std::uninitialized_value_construct_n(items, n);
    return Pages<T>(items);
}

}  // namespace damka
