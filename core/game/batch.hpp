// Batches of games that advance one move at a time, for reinforcement learning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "game/game_status.hpp"
#include "game/workers.hpp"
#include "position/position.hpp"

namespace damka {

// Start positions and truncation of a batch.
struct BatchOptions {
    std::vector<WidePosition> starts;  // one is drawn at random; empty: the start position of the
                                       // rules
    std::uint64_t seed = 0;            // of the random starts
    std::uint32_t max_plies = 0;       // 0: no limit
};

// Games of one rule set. A finished game restarts at once. There are no offences and no huffs.
class Batch {
   public:
    // The code of a game truncated at the ply limit; smaller codes are those of `Ending`.
    static constexpr std::uint8_t kTruncated = static_cast<std::uint8_t>(Ending::move_limit) + 1;

    // Throws std::invalid_argument for a start without legal moves.
    static std::unique_ptr<Batch> of(std::shared_ptr<const GameRules> rules, std::size_t games,
                                     unsigned threads, BatchOptions options = {});
    virtual ~Batch() = default;

    const GameRules& rules() const noexcept { return *shared_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t actions() const noexcept { return actions_; }

    // size() rows of actions() bytes, 1 for a legal index.
    std::uint8_t* mask() noexcept { return mask_.data(); }

    WidePosition position(std::size_t game) {
        const std::lock_guard lock(mutex_);
        return position_now(game);
    }

    // The same, for use within `visit`.
    virtual WidePosition position_now(std::size_t game) const = 0;

    // Writes size() bytes, 1 where White is to move.
    virtual void white_to_move(std::uint8_t* out) = 0;

    // Writes size() observations.
    virtual void observe(std::uint8_t* out) = 0;

    // The number of legal moves in all games.
    virtual std::size_t count_moves() = 0;

    // Writes the game, the index and the resulting observation of every legal move, game by game.
    // Returns false and writes nothing if there are not exactly `moves` of them.
    virtual bool afterstates(std::size_t moves, std::int64_t* games, std::int64_t* actions,
                             std::uint8_t* observations) = 0;

    // Makes a move in every game, or in those whose byte in `where` is not 0. Writes the reward of
    // the moving side (1, 0 or -1) and whether the game ended. If an action is not legal, returns
    // the first such game and changes nothing.
    virtual std::optional<std::size_t> step(const std::int64_t* actions, const std::uint8_t* where,
                                            float* rewards, std::uint8_t* ended) = 0;

    // Writes why the last step ended each game: a code of `Ending`, or kTruncated; 0 if it did not.
    void reasons(std::uint8_t* out);

    // Writes the number of plies of each game.
    void plies(std::int64_t* out);

    // The number of games ended by the last step.
    virtual std::size_t final_count() = 0;

    // Writes these games in ascending order and their last observations. Returns false and writes
    // nothing if there are not exactly `count` of them.
    virtual bool finals(std::size_t count, std::int64_t* games, std::uint8_t* observations) = 0;

    // Restarts every game, or those whose byte in `where` is not 0. A seed restarts the random
    // starts of every game.
    virtual void reset(const std::uint8_t* where = nullptr,
                       std::optional<std::uint64_t> seed = std::nullopt) = 0;

    // Serialises the games: positions and draw counters.
    virtual std::vector<std::uint64_t> save() = 0;

    // Restores what `save` returned for the same rules and number of games. Otherwise returns false
    // and restarts every game.
    virtual bool load(std::span<const std::uint64_t> state) = 0;

    // Calls f(begin, end) on all threads for ranges that cover 0 … size() - 1, with the games
    // locked.
    void visit(const std::function<void(std::size_t, std::size_t)>& f);

   protected:
    Batch(std::shared_ptr<const GameRules> rules, std::size_t games, unsigned threads,
          const BatchOptions& options);

    const std::shared_ptr<const GameRules> shared_;
    const std::size_t size_;
    const std::size_t actions_;
    std::vector<std::uint8_t> mask_;
    std::vector<std::uint8_t> reasons_;
    std::vector<std::uint32_t> plies_;
    std::vector<std::uint32_t> start_counts_;  // number of starts of each game
    std::uint64_t seed_;
    const std::uint32_t max_plies_;
    Workers workers_;
    std::mutex mutex_;  // serialises all calls
};

}  // namespace damka
