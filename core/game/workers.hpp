// Threads that share short loops, of some ten microseconds and more.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace damka {

// Threads that wait for parts of a loop. A thread begins with the same parts every time, so that
// what belongs to them stays in its cache, and then helps the others: who is late finds nothing
// left to do and keeps nobody waiting.
class Workers {
   public:
    // The thread that calls `run` is one of them.
    explicit Workers(unsigned threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Calls f(begin, end) for parts of 0 … total - 1, on all threads, and returns when all is done.
    // One call at a time.
    void run(std::size_t total, const std::function<void(std::size_t, std::size_t)>& f);

   private:
    static constexpr std::size_t kParts = 16;  // for each thread

    // Where to go on with the parts that a thread begins with; in a cache line of its own.
    struct alignas(64) Queue {
        std::atomic<std::size_t> next{kParts};
    };

    void serve(std::size_t number);
    void work(std::size_t number);

    // Written while every queue is at its end, when nobody reads them.
    std::size_t total_ = 0;
    const std::function<void(std::size_t, std::size_t)>* loop_ = nullptr;
    std::vector<Queue> queues_;
    alignas(64) std::atomic<std::size_t> done_{0};
    alignas(64) std::atomic<std::uint32_t> round_{0};
    std::atomic<bool> stop_{false};
    std::vector<std::thread> threads_;
};

}  // namespace damka
