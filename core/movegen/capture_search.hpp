// Captures with very many routes, found by branch and bound instead of by walking every route.
//
// A king among two dozen enemies may take them in billions of orders that make few different moves.
// The generator walks routes one by one (capture_walk.hpp); where there are too many, it calls this
// search. It has a budget of steps, and so of time and memory. Where that runs out, the list is not
// complete, and the caller can tell.
#pragma once

#include <cstddef>
#include <cstdint>

#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/rules.hpp"
#include "position/variant.hpp"

namespace damka {

// A board at run time, as far as captures need it.
template <class Bits>
struct LineTable {
    Bits board;
    Bits top;                               // White's crowning row
    Bits bottom;                            // Black's
    Bits (*line)(Direction, int) noexcept;  // the squares from a bit (exclusive) to the edge

    template <class Shape>
    static constexpr LineTable of() noexcept {
        return {Shape::kBoard, Shape::kTop, Shape::kBottom, &Shape::line};
    }
};

// Less than a tenth of a second, and at most 40 MB.
inline constexpr std::uint32_t kCaptureSteps = 600'000;
// More moves than these are not listed.
inline constexpr std::size_t kMostCaptures = 20'000;

// What one thread may spend on the captures of one position, and whether it was enough.
struct CaptureLimits {
    std::uint32_t steps = kCaptureSteps;
    std::uint64_t unfinished = 0;         // positions whose list of captures is not complete
    std::uint64_t* next_check = nullptr;  // set to 0 by every search, for who keeps to a clock
};

CaptureLimits& capture_limits() noexcept;  // of this thread

// Lowers the limits of this thread while it exists.
class LimitCaptures {
   public:
    LimitCaptures(std::uint32_t steps, std::uint64_t& next_check) noexcept
        : before_(capture_limits()) {
        capture_limits().steps = steps;
        capture_limits().next_check = &next_check;
    }
    ~LimitCaptures() {
        capture_limits().steps = before_.steps;
        capture_limits().next_check = before_.next_check;
    }
    LimitCaptures(const LimitCaptures&) = delete;
    LimitCaptures& operator=(const LimitCaptures&) = delete;

   private:
    const CaptureLimits before_;
};

// Called with a search to run, which can take long: a place to release a lock. By default it is
// simply run.
using Runner = void (*)(void (*search)(void*), void* data);
void set_capture_runner(Runner runner) noexcept;

// Lists the legal captures of `side`, whose pieces are `turn`'s men and kings. `out` must be empty.
// Where the budget is not enough, `out` holds the best captures found, at least one if there are
// any, and `unfinished` is counted up.
template <class Bits>
void search_captures(const Rules& rules, const LineTable<Bits>& lines, Side side,
                     const Turn<Bits>& turn, MoveListOf<Bits>& out) noexcept;

extern template void search_captures(const Rules&, const LineTable<std::uint64_t>&, Side,
                                     const Turn<std::uint64_t>&,
                                     MoveListOf<std::uint64_t>&) noexcept;
extern template void search_captures(const Rules&, const LineTable<Wide>&, Side, const Turn<Wide>&,
                                     MoveListOf<Wide>&) noexcept;

}  // namespace damka
