#include "movegen/capture_search.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "movegen/branch_and_bound.hpp"
#include "position/position.hpp"

namespace damka {

namespace {

void run_at_once(void (*search)(void*), void* data) { search(data); }

Runner capture_runner = run_at_once;

constexpr int kDives = 64;

// Returns whether the list is complete.
template <class Bits>
bool search_all(const Rules& rules, const LineTable<Bits>& lines, Side side, const Turn<Bits>& turn,
                std::uint32_t steps, MoveListOf<Bits>& out) {
    Effort effort{steps / 6};
    std::vector<std::unique_ptr<CapturerSearch<Bits>>> capturers;
    const auto add = [&](Bits pieces, bool king) {
        for_each(pieces, [&](int from) {
            capturers.push_back(std::make_unique<CapturerSearch<Bits>>(rules, lines, side, turn,
                                                                       from, king, effort));
        });
    };
    add(turn.kings, true);
    add(turn.men, false);
    std::uint64_t random = 0;
    for (int i = 0; i < kDives; ++i) {
        for (auto& capturer : capturers) capturer->dive(random);
    }
    for (auto& capturer : capturers) capturer->search();
    if (!effort.complete && effort.moves <= kMostCaptures) {
        effort.steps_left = steps - steps / 6;
        effort.complete = true;
        for (auto& capturer : capturers) capturer->walk();
    }
    for (const auto& capturer : capturers) capturer->list(out);
    // In an order that depends on the moves alone.
    std::sort(out.begin(), out.end(), [](const MoveOf<Bits>& a, const MoveOf<Bits>& b) {
        return std::tie(a.from, a.to, a.captured, a.crowns) <
               std::tie(b.from, b.to, b.captured, b.crowns);
    });
    return effort.complete;
}

}  // namespace

CaptureLimits& capture_limits() noexcept {
    static thread_local CaptureLimits limits;
    return limits;
}

void set_capture_runner(Runner runner) noexcept { capture_runner = runner; }

template <class Bits>
void search_captures(const Rules& rules, const LineTable<Bits>& lines, Side side,
                     const Turn<Bits>& turn, MoveListOf<Bits>& out) noexcept {
    CaptureLimits& limits = capture_limits();
    if (limits.next_check) *limits.next_check = 0;
    struct Task {
        const Rules& rules;
        const LineTable<Bits>& lines;
        Side side;
        const Turn<Bits>& turn;
        std::uint32_t steps;
        MoveListOf<Bits>& out;
        bool complete;
    } task{rules, lines, side, turn, limits.steps, out, false};
    capture_runner(
        [](void* data) {
            Task& t = *static_cast<Task*>(data);
            t.complete = search_all(t.rules, t.lines, t.side, t.turn, t.steps, t.out);
        },
        &task);
    if (!task.complete) ++limits.unfinished;
}

template void search_captures(const Rules&, const LineTable<std::uint64_t>&, Side,
                              const Turn<std::uint64_t>&, MoveListOf<std::uint64_t>&) noexcept;
template void search_captures(const Rules&, const LineTable<Wide>&, Side, const Turn<Wide>&,
                              MoveListOf<Wide>&) noexcept;

}  // namespace damka
