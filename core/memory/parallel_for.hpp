// Long parallel loops, with progress reports and cancellation by the calling thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace damka {

// Callback for the progress of a long computation.
class Progress {
   public:
    virtual ~Progress() = default;
    // `level` is the number of the pass over a material. Returns true to cancel.
    virtual bool report(int level, std::uint64_t done, std::uint64_t total) = 0;
};

class Interrupted : public std::runtime_error {
   public:
    Interrupted() : std::runtime_error("interrupted") {}
};

class ParallelFor {
   public:
    ParallelFor(unsigned jobs, Progress& progress)
        : jobs_(std::max(jobs, 1u)), progress_(progress) {}

    // Calls f(begin, end) on all threads for chunks of 0 … total - 1, which begin at multiples
    // of 64. Rethrows exceptions of f; throws Interrupted if the progress callback cancels.
    template <class F>
    void run(int level, std::uint64_t total, F&& f) {
        std::atomic<std::uint64_t> next{0};
        std::atomic<bool> stop{false};
        std::exception_ptr failure;
        std::mutex failure_mutex;
        const auto work = [&](bool reports) {
            try {
                while (!stop.load(std::memory_order_relaxed)) {
                    const std::uint64_t begin = next.fetch_add(kPiece);
                    if (begin >= total) return;
                    f(begin, std::min(begin + kPiece, total));
                    if (reports &&
                        progress_.report(level, std::min(begin + kPiece, total), total)) {
                        throw Interrupted();
                    }
                }
            } catch (...) {
                stop = true;
                const std::lock_guard lock(failure_mutex);
                if (!failure) failure = std::current_exception();
            }
        };
        const auto pieces = static_cast<unsigned>(std::min<std::uint64_t>(total / kPiece, 256));
        Threads others;
        for (unsigned i = 1; i < std::min(jobs_, pieces); ++i) others.start(work, false);
        work(true);
        others.join();
        if (failure) std::rethrow_exception(failure);
    }

   private:
    // Joins its threads on destruction. Not every standard library has std::jthread.
    class Threads {
       public:
        Threads() = default;
        Threads(const Threads&) = delete;
        Threads& operator=(const Threads&) = delete;
        ~Threads() { join(); }

        template <class... Args>
        void start(Args&&... args) {
            threads_.emplace_back(std::forward<Args>(args)...);
        }

        void join() {
            for (std::thread& thread : threads_) thread.join();
            threads_.clear();
        }

       private:
        std::vector<std::thread> threads_;
    };

    static constexpr std::uint64_t kPiece = 1 << 14;

    const unsigned jobs_;
    Progress& progress_;
};

}  // namespace damka
