// Memory for large tables that are looked up here and there.
//
// On small pages, finding the page costs more than reading what is on it.
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
inline constexpr std::size_t kLargePage = 64;  // there are none: a cache line
#else
inline constexpr std::size_t kLargePage = std::size_t{1} << 21;
#endif

struct FreePages {
    void operator()(void* room) const { ::operator delete (room, std::align_val_t{kLargePage}); }
};

template <class T>
using Pages = std::unique_ptr<T[], FreePages>;

// Room for n items as their default constructor makes them, on large pages where the system has
// them. Throws std::bad_alloc.
template <class T>
Pages<T> make_pages(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kLargePage);
    void* room = ::operator new (n * sizeof(T), std::align_val_t{kLargePage});
#if defined(__linux__)
    if (n * sizeof(T) >= kLargePage) {
        // In vain on some systems, which does no harm.
        static_cast<void>(madvise(room, n * sizeof(T), MADV_HUGEPAGE));
    }
#endif
    auto* items = static_cast<T*>(room);
    std::uninitialized_value_construct_n(items, n);
    return Pages<T>(items);
}

}  // namespace damka
