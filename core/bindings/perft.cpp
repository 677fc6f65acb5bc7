// Board.perft and Board.divide: count without the GIL, optionally on several threads, and stop on
// Ctrl-C.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "bindings/board.hpp"
#include "movegen/movegen_table.hpp"
#include "movegen/perft.hpp"
#include "position/board_map.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

constexpr int kMaxDepth = 60;
constexpr int kMaxThreads = 256;
constexpr int kMaxHash = 65536;

// Periodically checks for Python signals, which only the main thread receives.
class SignalCheck {
   public:
    bool operator()() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return false;
        next_ = now + std::chrono::milliseconds(50);
        const AcquireGil gil;
        return PyErr_CheckSignals() != 0;
    }

   private:
    std::chrono::steady_clock::time_point next_ =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

// Input of a count: a copy, since the board may change meanwhile.
struct Start {
    Rules rules;
    WidePosition position;
};

Start start_of(nb::handle board) {
    nb::ft_object_guard guard(board);
    return {board_of(board).rules, board_of(board).position};
}

void check_depth(int depth) {
    if (depth < 0 || depth > kMaxDepth) throw nb::value_error("depth: 0 to 60");
}

// Counts one position with the variant for `rules`.
std::uint64_t count(const Rules& rules, const WidePosition& p, int depth, Poll poll,
                    PerftTable* table) {
    return visit(rules, [&](auto v) {
        using V = decltype(v);
        return damka::perft<V>(rules, with_words<typename V::Bits>(p), depth, poll, table);
    });
}

std::uint64_t count_serial(const Rules& rules, const WidePosition& p, int depth,
                           PerftTable* table = nullptr) {
    std::uint64_t leaves = 0;
    bool stopped = false;
    const CaptureListGuard list_guard;
    {
        const ReleaseGil release;
        SignalCheck interrupted;
        const auto poll = [&] { return stopped = stopped || interrupted(); };
        leaves = count(rules, p, depth, Poll::of(poll), table);
    }
    if (stopped) nb::raise_python_error();
    list_guard.check();
    return leaves;
}

std::vector<WideMove> moves_of(const Rules& rules, const WidePosition& p) {
    return with_word(rules, [&](auto zero) {
        using Bits = decltype(zero);
        MoveListOf<Bits> list;
        MoveGenTableOf<Bits>::of(rules).moves(rules, with_words<Bits>(p), list);
        std::vector<WideMove> moves;
        for (const auto& move : list) moves.push_back(with_words<Wide>(move));
        return moves;
    });
}

void add_children(const Rules& rules, const std::vector<WidePosition>& parents,
                  std::vector<WidePosition>& children) {
    for (const WidePosition& p : parents) {
        for (const WideMove& move : moves_of(rules, p)) children.push_back(make(rules, p, move));
    }
}

// Distributes the positions two plies ahead among the threads, one at a time.
std::uint64_t count_parallel(const Rules& rules, const WidePosition& p, int depth, int threads,
                             PerftTable* table) {
    std::vector<WidePosition> one, two;
    const CaptureListGuard list_guard;
    add_children(rules, {p}, one);
    add_children(rules, one, two);
    list_guard.check();
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> working{static_cast<std::size_t>(threads)};
    std::atomic<std::uint64_t> leaves{0};
    std::atomic<bool> stop{false};
    std::atomic<bool> too_complex{false};
    bool interrupted = false;
    {
        const ReleaseGil release;
        std::vector<std::thread> workers;
        const auto stopped = [&] { return stop.load(); };
        const auto work = [&] {
            const std::uint64_t before = capture_limits().unfinished;
            for (std::size_t k; !stop && (k = next++) < two.size();) {
                leaves += count(rules, two[k], depth - 2, Poll::of(stopped), table);
            }
            if (capture_limits().unfinished != before) too_complex = true;
            --working;
        };
        try {
            while (workers.size() < static_cast<std::size_t>(threads)) workers.emplace_back(work);
        } catch (const std::system_error&) {
            // Continue with fewer threads, or only with this one.
            working -= static_cast<std::size_t>(threads) - workers.size();
            if (workers.empty()) {
                ++working;
                work();
            }
        }
        SignalCheck signal;
        while (working) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (signal()) stop = interrupted = true;
        }
        for (std::thread& worker : workers) worker.join();
    }
    if (interrupted) nb::raise_python_error();
    if (too_complex) raise_too_complex();
    return leaves;
}

std::uint64_t perft(nb::handle self, int depth, int threads, int hash_mb) {
    check_depth(depth);
    if (threads < 1 || threads > kMaxThreads) throw nb::value_error("threads: 1 to 256");
    if (hash_mb < 0 || hash_mb > kMaxHash) throw nb::value_error("hash_mb: 0 to 65536");
    const auto [rules, p] = start_of(self);
    std::unique_ptr<PerftTable> table;
    if (hash_mb) table = std::make_unique<PerftTable>(static_cast<std::size_t>(hash_mb) << 20);
    if (threads == 1 || depth < 4) return count_serial(rules, p, depth, table.get());
    return count_parallel(rules, p, depth, threads, table.get());
}

nb::dict divide(nb::handle self, int depth) {
    check_depth(depth);
    if (depth == 0) throw nb::value_error("depth: at least 1");
    const auto [rules, p] = start_of(self);
    const CaptureListGuard list_guard;
    const std::vector<WideMove> moves = moves_of(rules, p);
    list_guard.check();
    nb::dict parts;
    for (const WideMove& move : moves) {
        parts[to_python(rules, p, move)] = count_serial(rules, make(rules, p, move), depth - 1);
    }
    return parts;
}

}  // namespace

void bind_perft(nb::class_<BoardValue>& cls) {
    cls.def("perft", &perft, "depth"_a, "threads"_a = 1, "hash_mb"_a = 0,
            nb::sig("def perft(self, depth: int, threads: int = 1, hash_mb: int = 0) -> int"),
            R"(Return the number of sequences of `depth` legal moves from here, 0 to 60.

`threads`, 1 to 256, share the work. A hash table of `hash_mb` megabytes, at most
65,536, caches counts of transpositions. Draw rules are ignored. Releases the GIL;
Ctrl-C interrupts it. Raises ValueError for numbers out of range,
PositionTooComplexError for too many captures to count.

>>> import damka
>>> damka.Board("international").perft(5)
27117
)")
        .def("divide", &divide, "depth"_a,
             nb::sig("def divide(self, depth: int) -> dict[Move, int]"),
             R"(Return `perft(depth - 1)` after each legal move, for a `depth` of 1 to 60.

Raises as `perft` does.)");
}

}  // namespace damka::bindings
