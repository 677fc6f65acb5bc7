#include "game/batch.hpp"

#include <algorithm>

#include "movegen/movegen_table.hpp"

namespace damka {

Workers::Workers(unsigned threads) {
    for (unsigned number = 1; number < threads; ++number) {
        threads_.emplace_back([this] {
            for (std::uint32_t seen = 0;;) {
                round_.wait(seen);
                seen = round_;
                if (stop_) return;
                work();
            }
        });
    }
}

Workers::~Workers() {
    stop_ = true;
    ++round_;
    round_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Workers::run(std::size_t total, const std::function<void(std::size_t, std::size_t)>& f) {
    total_ = total;
    loop_ = &f;
    done_ = 0;
    next_ = 0;
    ++round_;
    round_.notify_all();
    work();
    while (done_ < kParts) std::this_thread::yield();
}

void Workers::work() {
    for (std::size_t part = next_++; part < kParts; part = next_++) {
        (*loop_)(total_ * part / kParts, total_ * (part + 1) / kParts);
        ++done_;
    }
}

Batch::Batch(std::shared_ptr<const GameRules> rules, std::size_t games, unsigned threads)
    : rules_(std::move(rules)),
      layout_(layout_of(rules_->rules())),
      actions_(static_cast<std::size_t>(index_count(layout_))),
      planes_(rules_->rules()),
      games_(games),
      mask_(games * actions_),
      workers_(static_cast<unsigned>(std::min<std::size_t>(threads, games))) {
    if (rules_->rules().width == 12) {
        wide_ = MoveGenTableOf<Wide>::of(rules_->rules());
    } else {
        narrow_ = MoveGen::of(rules_->rules());
    }
    reset();
}

void Batch::reset() {
    const std::lock_guard lock(mutex_);
    workers_.run(games_.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            begin(games_[i]);
            list(games_[i], mask_.data() + i * actions_);
        }
    });
}

void Batch::begin(Playing& game) const {
    game.position = start_position<Wide>(rules_->rules());
    game.status = rules_->begin(game.position);
    game.steps.clear();
}

template <class Bits>
void Batch::generate(const MoveGenTableOf<Bits>& movegen, Playing& game) const {
    MoveListOf<Bits> found;
    movegen.moves(rules_->rules(), with_words<Bits>(game.position), found);
    game.moves.clear();
    for (const auto& move : found) game.moves.push_back(with_words<Wide>(move));
}

bool Batch::list(Playing& game, std::uint8_t* row) const {
    for (const std::int32_t index : game.indices) row[index] = 0;
    if (wide_) {
        generate(*wide_, game);
    } else {
        generate(*narrow_, game);
    }
    if (!index_moves(layout_, game.moves, game.indices)) {
        game.moves.clear();
        game.indices.clear();
    }
    for (const std::int32_t index : game.indices) row[index] = 1;
    return !game.moves.empty();
}

void Batch::play(std::size_t number, std::int64_t action, float& reward, std::uint8_t& ended) {
    Playing& game = games_[number];
    const auto at = std::find(game.indices.begin(), game.indices.end(), action);
    const WideMove move = game.moves[static_cast<std::size_t>(at - game.indices.begin())];
    const Side mover = game.position.turn;
    const WidePosition next = make(rules_->rules(), game.position, move);
    game.steps.push_back({game.position, game.status});
    rules_->move(game.status, move, next, 0);
    game.position = next;
    if (game.status.counts.reversible == 0) game.steps.clear();
    std::uint8_t* row = mask_.data() + number * actions_;
    const bool can_go_on = list(game, row);
    GameResult result = rules_->result(game.position, game.status, game.steps);
    // Captures too many for a list: nobody can go on, and nobody has won.
    if (!can_go_on && !result.is_over()) result = {Ending::material};
    ended = result.is_over();
    reward = !ended || result.is_draw() ? 0.0F : result.winner == mover ? 1.0F : -1.0F;
    if (!ended) return;
    begin(game);
    list(game, row);
}

std::optional<std::size_t> Batch::step(const std::int64_t* actions, float* rewards,
                                       std::uint8_t* ended) {
    const std::lock_guard lock(mutex_);
    const auto legal = [&](std::size_t i) {
        return actions[i] >= 0 && actions[i] < static_cast<std::int64_t>(actions_) &&
               mask_[i * actions_ + static_cast<std::size_t>(actions[i])];
    };
    std::atomic<std::size_t> wrong{games_.size()};
    workers_.run(games_.size(), [&](std::size_t first, std::size_t last) {
        std::size_t i = first;
        while (i < last && legal(i)) ++i;
        std::size_t least = wrong;
        while (i < last && i < least && !wrong.compare_exchange_weak(least, i)) {
        }
    });
    if (wrong < games_.size()) return wrong;
    workers_.run(games_.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            fetch(i + 1, last);
            play(i, actions[i], rewards[i], ended[i]);
        }
    });
    return std::nullopt;
}

// Asks for the memory of the next games while the present one is played.
[[gnu::always_inline]] inline void Batch::fetch(std::size_t number, std::size_t last) const {
#if defined(__GNUC__)
    if (number + 1 < last) {
        const auto* far = reinterpret_cast<const char*>(&games_[number + 1]);
        for (std::size_t at = 0; at < sizeof(Playing); at += 64) __builtin_prefetch(far + at);
    }
    if (number >= last) return;
    const Playing& game = games_[number];
    const std::uint8_t* row = mask_.data() + number * actions_;
    for (const std::int32_t index : game.indices) __builtin_prefetch(row + index, 1);
    for (std::size_t i = 0; i < game.moves.size(); i += 2) __builtin_prefetch(&game.moves[i]);
#endif
}

void Batch::observe(std::uint8_t* out) {
    const std::lock_guard lock(mutex_);
    const std::size_t size = observation_size(rules_->rules());
    workers_.run(games_.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Playing& game = games_[i];
            const int occurrences =
                game.status.counts.reversible
                    ? rules_->repetitions(game.position, game.status, game.steps).occurrences
                    : 1;
            planes_.write(game.position, game.status, occurrences, out + i * size);
        }
    });
}

}  // namespace damka
