// Many games at once, one move of each at a time, for programs that learn.
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

// Where games begin, and when they are truncated.
struct BatchOptions {
    std::vector<WidePosition> starts;  // drawn by lot; none: the start position of the rules
    std::uint64_t seed = 0;            // of the lot
    std::uint32_t max_plies = 0;       // 0: no limit
};

// Games by one rule set. A game that ends begins anew at once. Captures are compulsory as far as
// they are legal moves: nobody offends, nobody is huffed.
class Batch {
   public:
    // How a game has ended that reached the limit of plies; smaller codes are those of `Ending`.
    static constexpr std::uint8_t kTruncated = static_cast<std::uint8_t>(Ending::material) + 1;

    // Throws std::invalid_argument for a start in which nobody can move.
    static std::unique_ptr<Batch> of(std::shared_ptr<const GameRules> rules, std::size_t games,
                                     unsigned threads, BatchOptions options = {});
    virtual ~Batch() = default;

    const GameRules& rules() const noexcept { return *shared_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t actions() const noexcept { return actions_; }

    // size() rows of actions() bytes, 1 for an index that may be chosen.
    std::uint8_t* mask() noexcept { return mask_.data(); }

    WidePosition position(std::size_t game) {
        const std::lock_guard lock(mutex_);
        return position_now(game);
    }

    // The same within `visit`.
    virtual WidePosition position_now(std::size_t game) const = 0;

    // Writes size() bytes, 1 where White is to move.
    virtual void white_to_move(std::uint8_t* out) = 0;

    // Writes size() observations.
    virtual void observe(std::uint8_t* out) = 0;

    // The number of legal moves in all games.
    virtual std::size_t count_moves() = 0;

    // Writes for every legal move its game, its index and the observation of what it leads to,
    // game by game. False, with nothing written, if there are not `moves` of them.
    virtual bool afterstates(std::size_t moves, std::int64_t* games, std::int64_t* actions,
                             std::uint8_t* observations) = 0;

    // Makes a move in every game, or in those that `where` has not 0 for: the reward of the side
    // that made it, 1, 0 or -1, and whether the game ended by it. Returns the first game whose
    // action is not legal, if any: then no game has changed.
    virtual std::optional<std::size_t> step(const std::int64_t* actions, const std::uint8_t* where,
                                            float* rewards, std::uint8_t* ended) = 0;

    // Writes how each game has ended by the last step: a code of `Ending`, or kTruncated.
    void reasons(std::uint8_t* out);

    // Writes how many plies each game has had.
    void plies(std::int64_t* out);

    // The number of games that the last step has ended.
    virtual std::size_t final_count() = 0;

    // Writes these games, ascending, and the observations that they ended with. False, with nothing
    // written, if there are not `count` of them.
    virtual bool finals(std::size_t count, std::int64_t* games, std::uint8_t* observations) = 0;

    // Begins every game anew, or those that `where` has not 0 for. With a seed the lot begins anew
    // in every game.
    virtual void reset(const std::uint8_t* where = nullptr,
                       std::optional<std::uint64_t> seed = std::nullopt) = 0;

    // The games as numbers, which `load` reads: where they stand and what counts for draws.
    virtual std::vector<std::uint64_t> save() = 0;

    // False, with every game begun anew, for what `save` has not written for as many games by these
    // rules.
    virtual bool load(std::span<const std::uint64_t> state) = 0;

    // Calls f(begin, end) for parts of 0 … size() - 1 on all threads, while no game changes.
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
    std::vector<std::uint32_t> begun_;  // how often each game began
    std::uint64_t seed_;
    const std::uint32_t max_plies_;
    Workers workers_;
    std::mutex mutex_;  // one step at a time, whoever asks
};

}  // namespace damka
