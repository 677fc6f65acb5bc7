// Many games at once, one move of each at a time, for programs that learn.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "game/game_status.hpp"
#include "game/move_index.hpp"
#include "game/observation.hpp"
#include "movegen/movegen_table.hpp"

namespace damka {

// Threads that wait for parts of a loop. Who is late finds nothing left to do and keeps nobody
// waiting.
class Workers {
   public:
    explicit Workers(unsigned threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Calls f(begin, end) for parts of 0 … total - 1, on all threads, and returns when all is done.
    void run(std::size_t total, const std::function<void(std::size_t, std::size_t)>& f);

   private:
    static constexpr std::size_t kParts = 32;

    void work();

    // Written while `next_` is kParts or more, when nobody reads them.
    std::size_t total_ = 0;
    const std::function<void(std::size_t, std::size_t)>* loop_ = nullptr;
    std::atomic<std::size_t> next_{kParts};
    std::atomic<std::size_t> done_{kParts};
    std::atomic<std::uint32_t> round_{0};
    std::atomic<bool> stop_{false};
    std::vector<std::thread> threads_;
};

// Games by one rule set from its start position. A game that ends begins anew at once. Captures are
// compulsory as far as they are legal moves: nobody offends, nobody is huffed.
class Batch {
   public:
    Batch(std::shared_ptr<const GameRules> rules, std::size_t games, unsigned threads);

    std::size_t size() const noexcept { return games_.size(); }
    const GameRules& rules() const noexcept { return *rules_; }
    std::size_t actions() const noexcept { return actions_; }

    // size() rows of actions() bytes, 1 for an index that may be chosen.
    std::uint8_t* mask() noexcept { return mask_.data(); }

    const WidePosition& position(std::size_t game) const { return games_[game].position; }
    const GameStatus& status(std::size_t game) const { return games_[game].status; }

    // Writes size() observations.
    void observe(std::uint8_t* out);

    // Makes a move in every game: the reward of the side that made it, 1, 0 or -1, and whether the
    // game ended by it. Returns the first game whose action is not legal, if any: then no game has
    // changed.
    std::optional<std::size_t> step(const std::int64_t* actions, float* rewards,
                                    std::uint8_t* ended);

    // Begins every game anew.
    void reset();

   private:
    struct Playing {
        WidePosition position;
        GameStatus status;
        std::vector<GameStep> steps;  // since the last move that cannot be taken back
        std::vector<WideMove> moves;
        std::vector<std::int32_t> indices;
    };

    void begin(Playing& game) const;
    // Lists the moves of the game and marks them in its row of the mask. False: there are none
    // that have indices.
    bool list(Playing& game, std::uint8_t* row) const;
    template <class Bits>
    void generate(const MoveGenTableOf<Bits>& movegen, Playing& game) const;
    void fetch(std::size_t number, std::size_t last) const;
    void play(std::size_t number, std::int64_t action, float& reward, std::uint8_t& ended);

    const std::shared_ptr<const GameRules> rules_;
    const Layout& layout_;
    const std::size_t actions_;
    const PlaneWriter planes_;
    std::optional<MoveGen> narrow_;  // one of the two, as the board fits in
    std::optional<MoveGenTableOf<Wide>> wide_;
    std::vector<Playing> games_;
    std::vector<std::uint8_t> mask_;
    Workers workers_;
    std::mutex mutex_;  // one step at a time, whoever asks
};

}  // namespace damka
