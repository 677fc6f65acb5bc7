// The kernel as a flat interface of C functions: for WebAssembly, and for a library that is loaded
// at run time.
//
// A call takes numbers of 32 bits. What does not fit in them stands in the input, a buffer that
// `damka_input` makes room in before a call; `n` is how many bytes of it count. What comes back
// beyond a number stands in the output, until the next call of this thread. All numbers in them are
// little-endian.
//
// A number that comes back is 0 or more, often the bytes of the output, or one of `Code` where it
// is less. No exception leaves a call, and no argument and no input makes one stop or read where it
// must not.
//
// Nothing is kept between calls but objects that the caller makes and frees, by their handles: a
// game is records, which the caller keeps (record.hpp). One object may serve several threads, a
// search one at a time.
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
    kNoHandle = -1,    // no such object, or one of another kind
    kNoInput = -2,     // fewer bytes than the call needs, or more than were made room for
    kBadRecord = -3,   // no situation by these rules
    kBadNumber = -4,   // an argument or a number in the input is out of range
    kIllegal = -5,     // the rules do not know this move, huff or square here
    kTooComplex = -6,  // the captures are too many to list
    kBusy = -7,        // the engine is searching
    kNoMemory = -8,
    kNotPlayed = -9,    // the kernel does not play these rules: the output names what
    kDamaged = -10,     // a table or weights that are not whole: the output says why
    kOtherRules = -11,  // the object was made for other rules
    kStopped = -12,     // the host has asked to give up
    kFailed = -13,      // anything else; never expected
};

// What the host is asked during a call; see `ask_host`.
enum class Ask : std::int32_t {
    poll = 1,   // now and then: not 0 gives up. Nothing may be called meanwhile
    depth = 2,  // a search has ended a depth: the output tells as at its end; not 0 gives up
    setup = 3,  // the output is a FEN: its pieces go to the input; their length, doubled, and the
                // side to move are returned
                // (0, 1), or less for a text that is no position
};

// The host's answer to a question, about `n` bytes of output.
std::int32_t ask_host(Ask what, std::int32_t n) noexcept;

// The thread's buffers.
struct Buffers {
    std::vector<unsigned char> input;
    std::vector<unsigned char> output;
};
Buffers& buffers() noexcept;

// Reads the first `n` bytes of the input, front to back; what is not there reads as 0.
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

    // Null where there are not so many.
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

    // Whether everything that was asked for was there.
    bool whole() const noexcept { return whole_; }
    // … and nothing is left.
    bool done() const noexcept { return whole_ && left_ == 0; }

   private:
    const unsigned char* data_;
    std::size_t left_;
    bool whole_ = true;
};

// Writes the output anew.
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

// What f returns; a code in place of an exception.
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

// Whether so many bytes can be had. Where there are no exceptions, this is asked before.
bool has_room(std::size_t bytes) noexcept;

}  // namespace damka::wasm
