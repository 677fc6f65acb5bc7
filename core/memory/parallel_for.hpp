// Long loops on several threads, with progress and cancelling by the thread that started them.
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

// Told how far a long piece of work is.
class Progress {
   public:
    virtual ~Progress() = default;
    // `level` counts the passes of a material; true gives up.
    virtual bool report(int level, std::uint64_t done, std::uint64_t of) = 0;
};

class Interrupted : public std::runtime_error {
   public:
    Interrupted() : std::runtime_error("interrupted") {}
};

class ParallelFor {
   public:
    ParallelFor(unsigned jobs, Progress& progress)
        : jobs_(std::max(jobs, 1u)), progress_(progress) {}

    // Calls f(begin, end) for all of 0 … total - 1 in pieces that begin at multiples of 64, on all
    // threads at once; throws what f throws, and Interrupted when the watcher gives up.
    template <class F>
    void run(int level, std::uint64_t total, F&& f) {
        std::atomic<std::uint64_t> next{0};
        std::atomic<bool> stop{false};
        std::exception_ptr failure;
        std::mutex failing;
        const auto work = [&](bool watches) {
            try {
                while (!stop.load(std::memory_order_relaxed)) {
                    const std::uint64_t begin = next.fetch_add(kPiece);
                    if (begin >= total) return;
                    f(begin, std::min(begin + kPiece, total));
                    if (watches &&
                        progress_.report(level, std::min(begin + kPiece, total), total)) {
                        throw Interrupted();
                    }
                }
            } catch (...) {
                stop = true;
                const std::lock_guard lock(failing);
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
    // Joins its threads at the latest when it goes. Not every standard library has std::jthread.
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
