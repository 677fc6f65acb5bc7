// What ends a search from another thread: at once, or after a time that begins when it is set.
#pragma once

#include <atomic>
#include <chrono>

#include "search/limits.hpp"

namespace damka {

class StopToken {
   public:
    void stop() { stopped_.store(true, std::memory_order_relaxed); }

    // From now on the search has `seconds` left and is to take about `target`. That is how a search
    // on the opponent's time becomes one on one's own.
    void give(double target, double seconds) {
        given_.store(now(), std::memory_order_relaxed);
        target_.store(target, std::memory_order_relaxed);
        seconds_.store(seconds, std::memory_order_relaxed);
    }

    // Lets searches run again, without a time.
    void clear() {
        give(kForever, kForever);
        stopped_.store(false, std::memory_order_relaxed);
    }

    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

    bool late() const {
        const double seconds = seconds_.load(std::memory_order_relaxed);
        return seconds < kForever && taken() >= seconds;
    }

    // What was given; kForever where nothing was.
    double target() const { return target_.load(std::memory_order_relaxed); }

    // Seconds since it was given.
    double taken() const {
        const auto ticks = Clock::duration(now() - given_.load(std::memory_order_relaxed));
        return std::chrono::duration<double>(ticks).count();
    }

   private:
    using Ticks = Clock::rep;

    static Ticks now() { return Clock::now().time_since_epoch().count(); }

    std::atomic<bool> stopped_{false};
    std::atomic<Ticks> given_{0};
    std::atomic<double> seconds_{kForever};
    std::atomic<double> target_{kForever};
};

}  // namespace damka
