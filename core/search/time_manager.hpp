// Decides between two iterations whether to stop, based on the stability of the best move.
#pragma once

#include <algorithm>
#include <cstddef>

#include "position/position.hpp"
#include "search/limits.hpp"
#include "search/stop_token.hpp"

namespace damka {

class TimeManager {
   public:
    explicit TimeManager(const Limits& limits) : limits_(limits) {}

    // Records a completed depth with its best choice and score.
    void update(const WideMove& choice, int score) {
        const bool same = depths_ > 0 && choice == choice_;
        stable_ = same ? stable_ + 1 : 0;
        falling_ = depths_ > 0 && score < score_ - kFalling;
        choice_ = choice;
        score_ = score;
        ++depths_;
    }

    // Whether to stop after `seconds` instead of starting another depth; `choices` is the number of
    // root moves.
    bool should_stop(double seconds, std::size_t choices, const StopToken& signal) const {
        return reached(seconds, limits_.target, choices) ||
               reached(signal.elapsed(), signal.target(), choices);
    }

   private:
    static constexpr int kFalling = 30;  // score drop between two depths, in hundredths of a man

    bool reached(double seconds, double target, std::size_t choices) const {
        if (target == kForever) return false;
        if (choices == 1) return true;
        double share = stable_ == 0 ? 1.4 : stable_ < 3 ? 1.0 : stable_ < 6 ? 0.75 : 0.55;
        if (falling_) share *= 1.6;
        return seconds >= share * target;
    }

    const Limits limits_;
    WideMove choice_{};
    int score_ = 0;
    int stable_ = 0;  // depths since the best choice last changed
    int depths_ = 0;
    bool falling_ = false;
};

}  // namespace damka
