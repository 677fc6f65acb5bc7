#include "game/workers.hpp"

namespace damka {

namespace {

// Number of polls for work, with yields in between, before an idle thread sleeps: about ten
// microseconds, since waking a thread takes longer.
constexpr int kSpins = 40;

// Shorter loops would end before another thread wakes up.
constexpr std::size_t kMinParallel = 64;

}  // namespace

Workers::Workers(unsigned threads) : queues_(threads) {
    for (std::size_t number = 1; number < threads; ++number) {
        threads_.emplace_back([this, number] { run_thread(number); });
    }
}

Workers::~Workers() {
    stop_ = true;
    ++round_;
    round_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Workers::run_thread(std::size_t number) {
    for (std::uint32_t seen = 0;;) {
        for (int i = 0; i < kSpins && round_ == seen; ++i) std::this_thread::yield();
        round_.wait(seen);
        seen = round_;
        if (stop_) return;
        work(number);
    }
}

void Workers::run(std::size_t total, const std::function<void(std::size_t, std::size_t)>& f) {
    if (threads_.empty() || total <= kMinParallel) return f(0, total);
    total_ = total;
    loop_ = &f;
    done_ = 0;
    for (Queue& queue : queues_) queue.next = 0;
    ++round_;
    round_.notify_all();
    work(0);
    while (done_ < kParts * queues_.size()) std::this_thread::yield();
}

void Workers::work(std::size_t number) {
    const std::size_t parts = kParts * queues_.size();
    for (std::size_t i = 0; i < queues_.size(); ++i) {
        const std::size_t owner = (number + i) % queues_.size();
        Queue& queue = queues_[owner];
        for (std::size_t at = queue.next++; at < kParts; at = queue.next++) {
            const std::size_t part = owner * kParts + at;
            (*loop_)(total_ * part / parts, total_ * (part + 1) / parts);
            ++done_;
        }
    }
}

}  // namespace damka
