// The kernel as a flat C interface, for WebAssembly and for dynamic loading.
//
// Arguments are 32-bit numbers. Larger arguments are in the input, a buffer allocated with
// `damka_input` before a call; `n` is its used size in bytes. Larger results are in the output,
// valid until this thread's next call. All numbers in both are little-endian.
//
// A result of 0 or more means success, and is often the size of the output in bytes; a negative one
// is a `Code`. Calls do not throw, and are memory-safe for all arguments and input.
//
// The only state is objects that the caller creates and frees by handle; a game is a sequence of
// records owned by the caller (record.hpp). Objects may be shared by threads, but an engine runs
// one search at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__wasm__)
#define DAMKA_API(name) extern "C" __attribute__((used, export_name(#name)))
#else
#define DAMKA_API(name) extern "C" __attribute__((used, visibility("default")))
#endif

namespace damka::wasm {

enum Code : std::int32_t {
    kOk = 0,
    kNoHandle = -1,    // invalid handle, or one of another kind
    kNoInput = -2,     // input shorter than the call needs, or longer than allocated
    kBadRecord = -3,   // not a valid position of these rules
    kBadNumber = -4,   // an argument or a number in the input is out of range
    kIllegal = -5,     // an illegal move, huff or square
    kTooComplex = -6,  // too many captures to list
    kBusy = -7,        // the engine is searching
    kNoMemory = -8,
    kNotPlayed = -9,    // unsupported rules: the output names the parameter
    kDamaged = -10,     // damaged table or weights: the output has the reason
    kOtherRules = -11,  // the object belongs to other rules
    kStopped = -12,     // stopped by the host
    kFailed = -13,      // an unexpected failure
};

// Requests to the host during a call; see `request_host`.
enum class HostRequest : std::int32_t {
    poll = 1,   // Sent periodically: a non-zero answer stops the call. The host must not call the
                // kernel meanwhile.
    depth = 2,  // A search has completed a depth: the output is as at its end; a non-zero answer
                // stops it.
    setup = 3,  // The output is a FEN: the host writes its pieces and streaks to the input and
                // returns twice their length plus the side to move (0, 1), or a negative number
                // for an invalid FEN.
};

// Sends a request about `n` bytes of output and returns the host's answer.
std::int32_t request_host(HostRequest what, std::int32_t n) noexcept;

// The thread's buffers.
struct Buffers {
    std::vector<unsigned char> input;
    std::vector<unsigned char> output;
};
Buffers& buffers() noexcept;

// Reads the first `n` bytes of the input sequentially; missing bytes read as 0.
class Reader {
   public:
    explicit Reader(std::int32_t n) noexcept
        : data_(buffers().input.data()),
          left_(n < 0 ? 0 : static_cast<std::size_t>(n)),
          whole_(n >= 0 && left_ <= buffers().input.size()) {
        if (!whole_) left_ = 0;
    }
    Reader(const unsigned char* data, std::size_t n) noexcept : data_(data), left_(n) {}

    template <class T>
    T take() noexcept {
        static_assert(std::is_arithmetic_v<T>);
        T value{};
        const unsigned char* from = bytes(sizeof(T));
        if (from) std::memcpy(&value, from, sizeof(T));
        return value;
    }

    // Null if fewer bytes are left.
    const unsigned char* bytes(std::size_t n) noexcept {
        if (n > left_) whole_ = false;
        if (!whole_) return nullptr;
        const unsigned char* from = data_;
        data_ += n;
        left_ -= n;
        return from;
    }

    std::string_view text(std::size_t n) noexcept {
        const unsigned char* from = bytes(n);
        return from ? std::string_view(reinterpret_cast<const char*>(from), n) : std::string_view();
    }

    std::size_t left() const noexcept { return left_; }

    // Whether all requested bytes were present.
    bool whole() const noexcept { return whole_; }
    // … and all input was read.
    bool done() const noexcept { return whole_ && left_ == 0; }

   private:
    const unsigned char* data_;
    std::size_t left_;
    bool whole_ = true;
};

// Writes the output from its start.
class Writer {
   public:
    Writer() noexcept : out_(buffers().output) { out_.clear(); }

    template <class T>
    Writer& put(T value) {
        static_assert(std::is_arithmetic_v<T>);
        return bytes(&value, sizeof value);
    }

    Writer& bytes(const void* from, std::size_t n) {
        const auto* first = static_cast<const unsigned char*>(from);
        out_.insert(out_.end(), first, first + n);
        return *this;
    }

    Writer& text(std::string_view text) { return bytes(text.data(), text.size()); }

    std::int32_t size() const noexcept { return static_cast<std::int32_t>(out_.size()); }

   private:
    std::vector<unsigned char>& out_;
};

// Returns f's result, or a code in place of an exception.
template <class F>
std::int32_t guarded(F&& f) noexcept {
    try {
        return std::forward<F>(f)();
    } catch (const std::bad_alloc&) {
        return kNoMemory;
    } catch (...) {
        return kFailed;
    }
}

// Whether this many bytes can be allocated; for builds without exceptions.
bool can_allocate(std::size_t bytes) noexcept;

}  // namespace damka::wasm
