// Stops a search from another thread: at once, or after a time set during the search.
#pragma once

#include <atomic>
#include <chrono>

#include "search/limits.hpp"

namespace damka {

class StopToken {
   public:
    void stop() { stopped_.store(true, std::memory_order_relaxed); }

    // Starts the clock, with a limit of `seconds` and a target of `target` seconds: a ponder hit.
    void set_time(double target, double seconds) {
        given_.store(now(), std::memory_order_relaxed);
        target_.store(target, std::memory_order_relaxed);
        seconds_.store(seconds, std::memory_order_relaxed);
    }

    // Resets the token; searches run without a limit again.
    void clear() {
        set_time(kForever, kForever);
        stopped_.store(false, std::memory_order_relaxed);
    }

    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

    bool late() const {
        const double seconds = seconds_.load(std::memory_order_relaxed);
        return seconds < kForever && elapsed() >= seconds;
    }

    // The target set last; kForever without one.
    double target() const { return target_.load(std::memory_order_relaxed); }

    // Seconds since the time was set.
    double elapsed() const {
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
