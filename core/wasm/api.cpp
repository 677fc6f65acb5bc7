#include "wasm/api.hpp"

#include <cstdlib>

#include "memory/threads.hpp"

#if defined(__wasm__)
extern "C" __attribute__((import_module("damka"), import_name("ask"))) std::int32_t damka_ask(
    std::int32_t what, std::int32_t n);

// Compiled without exception handling: code must check before it would throw.
extern "C" void* __cxa_allocate_exception(std::size_t) noexcept { __builtin_trap(); }
extern "C" void __cxa_throw(void*, void*, void (*)(void*)) { __builtin_trap(); }

// The library's version would link all of printf.
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
#endif

namespace damka::wasm {

namespace {

constexpr std::int32_t kVersion = 1;
constexpr std::int32_t kMaxInput = 1 << 28;

#if !defined(__wasm__)
using Host = std::int32_t (*)(std::int32_t what, std::int32_t n);
thread_local Host host = nullptr;
#endif

}  // namespace

Buffers& buffers() noexcept {
#if DAMKA_HAS_THREADS
    static thread_local Buffers here;
    return here;
#else
    static auto* const here = new Buffers;
    return *here;
#endif
}

std::int32_t request_host(HostRequest what, std::int32_t n) noexcept {
#if defined(__wasm__)
    return damka_ask(static_cast<std::int32_t>(what), n);
#else
    if (!host) return what == HostRequest::setup ? -1 : 0;
    return host(static_cast<std::int32_t>(what), n);
#endif
}

bool can_allocate(std::size_t bytes) noexcept {
#if defined(__wasm__)
    void* memory = std::malloc(bytes);
    std::free(memory);
    return memory != nullptr;
#else
    static_cast<void>(bytes);  // `guarded` catches std::bad_alloc
    return true;
#endif
}

// Returns the version of this interface.
DAMKA_API(damka_version) std::int32_t damka_version() { return kVersion; }

// Allocates the input buffer, `n` bytes up to 256 MiB, and discards its contents. Returns null on
// failure.
DAMKA_API(damka_input) void* damka_input(std::int32_t n) {
    auto& input = buffers().input;
    if (n < 0 || n > kMaxInput) return nullptr;
    const auto size = static_cast<std::size_t>(n);
    if (size > input.capacity() && !can_allocate(2 * size)) return nullptr;
    const std::int32_t code = guarded([&] {
        // Release a large buffer after use.
        if (input.capacity() > (1 << 20) && size < (1 << 16)) input = {};
        input.resize(size < 64 ? 64 : size);
        return kOk;
    });
    return code == kOk ? input.data() : nullptr;
}

// Returns the address of the output.
DAMKA_API(damka_output) const void* damka_output() { return buffers().output.data(); }

// Returns the size of the output in bytes, also after an error with a message.
DAMKA_API(damka_output_size) std::int32_t damka_output_size() {
    return static_cast<std::int32_t>(buffers().output.size());
}

#if !defined(__wasm__)
// Sets this thread's callback for host requests (`HostRequest`), or null. WebAssembly imports it
// instead.
DAMKA_API(damka_set_host) void damka_set_host(std::int32_t (*ask)(std::int32_t, std::int32_t)) {
    host = ask;
}
#endif

}  // namespace damka::wasm
