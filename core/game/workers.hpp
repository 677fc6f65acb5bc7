// Threads that share short loops, from about ten microseconds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace damka {

// A thread pool with work stealing. A thread starts with the same parts every time, whose data is
// in its cache, and then takes parts of the others. A thread that wakes up late causes no delay.
class Workers {
   public:
    // `threads` includes the caller of `run`.
    explicit Workers(unsigned threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Calls f(begin, end) on all threads for parts of 0 … total - 1, and returns when all are done.
    // Not reentrant.
    void run(std::size_t total, const std::function<void(std::size_t, std::size_t)>& f);

   private:
    static constexpr std::size_t kParts = 16;  // per thread

    // The next of a thread's own parts, on a separate cache line.
    struct alignas(64) Queue {
        std::atomic<std::size_t> next{kParts};
    };

    void run_thread(std::size_t number);
    void work(std::size_t number);

    // Written only while every queue is exhausted, so that no thread reads it.
    std::size_t total_ = 0;
    const std::function<void(std::size_t, std::size_t)>* loop_ = nullptr;
    std::vector<Queue> queues_;
    alignas(64) std::atomic<std::size_t> done_{0};
    alignas(64) std::atomic<std::uint32_t> round_{0};
    std::atomic<bool> stop_{false};
    std::vector<std::thread> threads_;
};

}  // namespace damka
