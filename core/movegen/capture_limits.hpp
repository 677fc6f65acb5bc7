// Limits on the captures generated for one position.
//
// A king among two dozen enemies may capture them in billions of orders. The generator walks the
// routes and stops after too many branches. The list is then incomplete, which the caller can
// detect. No position of a game or a composed problem comes near the limits
// (docs/experiments/movegen.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace damka {

// These take less than a tenth of a second.
inline constexpr std::uint32_t kMaxBranches = 200'000;
inline constexpr std::size_t kMaxCaptures = 20'000;

struct CaptureLimits {
    std::uint32_t branches = kMaxBranches;  // branches in the captures of one position
    std::uint64_t unfinished = 0;           // positions with an incomplete list of captures
    std::uint64_t* next_check = nullptr;    // node count of a time check; set to 0 when slow
};

// The limits of this thread.
inline CaptureLimits& capture_limits() noexcept {
    static thread_local CaptureLimits limits;
    return limits;
}

// Lowers the limits of this thread during its lifetime.
class LimitCaptures {
   public:
    LimitCaptures(std::uint32_t branches, std::uint64_t& next_check) noexcept
        : before_(capture_limits()) {
        capture_limits().branches = branches;
        capture_limits().next_check = &next_check;
    }
    ~LimitCaptures() {
        capture_limits().branches = before_.branches;
        capture_limits().next_check = before_.next_check;
    }
    LimitCaptures(const LimitCaptures&) = delete;
    LimitCaptures& operator=(const LimitCaptures&) = delete;

   private:
    const CaptureLimits before_;
};

}  // namespace damka
