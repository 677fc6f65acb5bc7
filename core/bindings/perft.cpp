// Board.perft and Board.divide: counted without the GIL, on several threads if asked for, and
// given up when Ctrl-C is pressed.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

#include "board.hpp"
#include "perft.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

constexpr int kMaxDepth = 60;
constexpr int kMaxThreads = 256;

// Asks Python every now and then whether a signal has come in. Signals are seen by the main thread
// alone; elsewhere this finds nothing.
class Interruption {
   public:
    bool operator()() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return false;
        next_ = now + std::chrono::milliseconds(50);
        nb::gil_scoped_acquire gil;
        return PyErr_CheckSignals() != 0;
    }

   private:
    std::chrono::steady_clock::time_point next_ =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

// What a count begins with, copied so that the board may change meanwhile.
struct Start {
    Rules rules;
    Position position;
};

Start start_of(nb::handle board) {
    nb::ft_object_guard guard(board);
    return {board_of(board).rules, board_of(board).position};
}

void check_depth(int depth) {
    if (depth < 0 || depth > kMaxDepth) throw nb::value_error("depth: 0 to 60");
}

std::uint64_t count_alone(const Rules& rules, const Position& p, int depth) {
    std::uint64_t leaves = 0;
    bool stopped = false;
    {
        nb::gil_scoped_release release;
        Interruption interrupted;
        leaves = visit(rules, [&](auto v) {
            return Perft<decltype(v)>::run(
                rules, p, depth, [&] { return stopped = stopped || interrupted(); });
        });
    }
    if (stopped) nb::raise_python_error();
    return leaves;
}

void add_children(const Rules& rules, const std::vector<Position>& parents,
                  std::vector<Position>& children) {
    visit(rules, [&](auto v) {
        for (const Position& p : parents) {
            Generator<decltype(v)>::children(
                rules, p, [&](const Position& child, const Move&) { children.push_back(child); });
        }
    });
}

// The positions two plies on are shared out among the threads, one at a time.
std::uint64_t count_together(const Rules& rules, const Position& p, int depth, int threads) {
    std::vector<Position> one, two;
    add_children(rules, {p}, one);
    add_children(rules, one, two);
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> working{static_cast<std::size_t>(threads)};
    std::atomic<std::uint64_t> leaves{0};
    std::atomic<bool> stop{false};
    bool interrupted = false;
    {
        nb::gil_scoped_release release;
        std::vector<std::thread> workers;
        const auto work = [&] {
            visit(rules, [&](auto v) {
                for (std::size_t k; !stop && (k = next++) < two.size();) {
                    leaves += Perft<decltype(v)>::run(rules, two[k], depth - 2,
                                                      [&] { return stop.load(); });
                }
            });
            --working;
        };
        try {
            while (workers.size() < static_cast<std::size_t>(threads)) workers.emplace_back(work);
        } catch (const std::system_error&) {
            // No more threads to be had: those there are do it, or this one.
            working -= static_cast<std::size_t>(threads) - workers.size();
            if (workers.empty()) {
                ++working;
                work();
            }
        }
        Interruption signal;
        while (working) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (signal()) stop = interrupted = true;
        }
        for (std::thread& worker : workers) worker.join();
    }
    if (interrupted) nb::raise_python_error();
    return leaves;
}

std::uint64_t perft(nb::handle self, int depth, int threads) {
    check_depth(depth);
    if (threads < 1 || threads > kMaxThreads) throw nb::value_error("threads: 1 to 256");
    const auto [rules, p] = start_of(self);
    if (threads == 1 || depth < 4) return count_alone(rules, p, depth);
    return count_together(rules, p, depth, threads);
}

nb::dict divide(nb::handle self, int depth) {
    check_depth(depth);
    if (depth == 0) throw nb::value_error("depth: at least 1");
    const auto [rules, p] = start_of(self);
    nb::dict parts;
    MoveList list;
    visit(rules, [&](auto v) { Generator<decltype(v)>::moves(rules, p, list); });
    for (const Move& move : list) {
        const Position child = Generator<Variant<Board10, true, true>>::make(p, move);
        parts[to_python(rules, p, move)] = count_alone(rules, child, depth - 1);
    }
    return parts;
}

}  // namespace

void bind_perft(nb::class_<BoardValue>& cls) {
    cls.def("perft", &perft, "depth"_a, "threads"_a = 1).def("divide", &divide, "depth"_a);
}

}  // namespace damka::bindings
