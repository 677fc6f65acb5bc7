#include "game/batch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>
#include <string>

#include "game/batch_state.hpp"
#include "game/move_index.hpp"
#include "game/observation.hpp"
#include "movegen/movegen_table.hpp"
#include "position/board_map.hpp"

namespace damka {

namespace {

// A list with inline storage for the common short case: the data of one game should be contiguous,
// because it is rarely cached.
template <class T, std::size_t kInlineCapacity>
class InlineList {
   public:
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    const T* begin() const noexcept {
        return size_ <= kInlineCapacity ? inline_.data() : overflow_.data();
    }
    const T* end() const noexcept { return begin() + size_; }

    bool contains(T item) const noexcept {
        if (size_ > kInlineCapacity)
            return std::find(overflow_.begin(), overflow_.end(), item) != overflow_.end();
        // Compares all inline elements, so that the loop is branchless and vectorized.
        const T n = static_cast<T>(size_);
        T found = 0;
        for (T i = 0; i < kInlineCapacity; ++i) {
            found = static_cast<T>(found | static_cast<T>((inline_[i] == item) & (i < n)));
        }
        return found != 0;
    }

    // Resizes the list to n uninitialized items and returns a pointer to the first.
    T* resize(std::size_t n) {
        size_ = static_cast<std::uint32_t>(n);
        if (n <= kInlineCapacity) return inline_.data();
        overflow_.resize(n);
        return overflow_.data();
    }

   private:
    std::uint32_t size_ = 0;
    std::array<T, kInlineCapacity> inline_{};
    std::vector<T> overflow_;
};

[[gnu::always_inline]] inline void fetch(const void* at, std::size_t bytes) {
#if defined(__GNUC__)
    const char* from = static_cast<const char*>(at);
    for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(from + i, 1);
#endif
}

// A batch in the word type of its board.
template <class Bits>
class BatchOf final : public Batch {
   public:
    BatchOf(std::shared_ptr<const GameRules> shared, std::size_t games, unsigned threads,
            const BatchOptions& options)
        : Batch(std::move(shared), games, threads, options),
          rules_(shared_->rules(), shared_->draws(), shared_->huffing()),
          movegen_(MoveGenTableOf<Bits>::of(rules_.rules())),
          indexer_(MoveIndexer<Bits>::of(rules_.rules())),
          planes_(rules_.rules()),
          map_(rules_.rules()),
          games_(games),
          made_(rules_.needs_all_steps() ? games : 0),
          chosen_(games) {
        for (const WidePosition& start : options.starts) {
            starts_.push_back(with_words<Bits>(start));
            check_start(starts_.size() - 1);
        }
        if (starts_.empty()) starts_.push_back(start_position<Bits>(rules_.rules()));
        const Layout& layout = layout_of(rules_.rules());
        const int row = layout.squares / rules_.rules().height;
        for (int square = 1; square <= row; ++square) {
            crown_[0] |= Bits{1} << layout.bit(square);
            crown_[1] |= Bits{1} << layout.bit(layout.squares + 1 - square);
        }
        reset(nullptr, std::nullopt);
    }

    WidePosition position_now(std::size_t game) const override {
        return with_words<Wide>(games_[game].position);
    }

    void white_to_move(std::uint8_t* out) override {
        visit([&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                out[i] = games_[i].position.turn == Side::white;
            }
        });
    }

    void reset(const std::uint8_t* where, std::optional<std::uint64_t> seed) override {
        const std::lock_guard lock(mutex_);
        if (seed) {
            seed_ = *seed;
            std::fill(start_counts_.begin(), start_counts_.end(), 0);
        }
        finals_.clear();
        workers_.run(size_, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                reasons_[i] = 0;
                if (where && !where[i]) continue;
                clear_row(i);
                begin(i);
                list_moves(games_[i]);
                mark_row(i);
            }
        });
    }

    std::optional<std::size_t> step(const std::int64_t* actions, const std::uint8_t* where,
                                    float* rewards, std::uint8_t* ended) override {
        const std::lock_guard lock(mutex_);
        const std::size_t wrong =
            where ? choose<true>(actions, where) : choose<false>(actions, where);
        if (wrong < size_) return wrong;
        finals_.clear();
        workers_.run(size_, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                if (i + kPrefetchDistance < last)
                    fetch(&games_[i + kPrefetchDistance], sizeof(Game));
                rewards[i] = 0.0F;
                reasons_[i] = 0;
                if (chosen_[i] != kNotMoved) {
                    clear_row(i);
                    rewards[i] = play(i, chosen_[i]);
                    mark_row(i);
                }
                ended[i] = reasons_[i] != 0;
            }
        });
        return std::nullopt;
    }

    std::size_t final_count() override {
        const std::lock_guard lock(mutex_);
        return finals_.size();
    }

    bool finals(std::size_t count, std::int64_t* games, std::uint8_t* observations) override {
        const std::lock_guard lock(mutex_);
        if (finals_.size() != count) return false;
        // The threads append them in any order.
        std::sort(finals_.begin(), finals_.end(),
                  [](const Final& a, const Final& b) { return a.game < b.game; });
        const std::size_t size = observation_size(rules_.rules());
        for (const Final& last : finals_) {
            *games++ = static_cast<std::int64_t>(last.game);
            planes_.write(last.position, last.status, last.occurrences, observations);
            observations += size;
        }
        return true;
    }

    void observe(std::uint8_t* out) override {
        const std::size_t size = observation_size(rules_.rules());
        visit([&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                const Game& game = games_[i];
                write_planes(game.position, game.status, game.past, out + i * size);
            }
        });
    }

    std::size_t count_moves() override {
        const std::lock_guard lock(mutex_);
        return count_before(nullptr);
    }

    bool afterstates(std::size_t moves, std::int64_t* games, std::int64_t* actions,
                     std::uint8_t* observations) override {
        const std::lock_guard lock(mutex_);
        std::vector<std::size_t> before(size_);
        if (count_before(before.data()) != moves) return false;
        const std::size_t size = observation_size(rules_.rules());
        workers_.run(size_, [&](std::size_t first, std::size_t last) {
            std::vector<Position> past;
            for (std::size_t i = first; i < last; ++i) {
                const Game& game = games_[i];
                past = game.past;
                past.push_back(game.position);
                std::size_t at = before[i];
                for (const MoveIndex action : game.indices) {
                    const Move move = move_of(game, action);
                    const Position next = make(rules_.rules(), game.position, move);
                    Status status = game.status;
                    rules_.move(status, move, next, Bits{0});
                    games[at] = static_cast<std::int64_t>(i);
                    actions[at] = action;
                    write_planes(next, status, past, observations + at * size);
                    ++at;
                }
            }
        });
        return true;
    }

    std::vector<std::uint64_t> save() override {
        const std::lock_guard lock(mutex_);
        StateWriter writer;
        for (const Game& game : games_) {
            writer.position(game.position);
            writer.counts(game.status.counts, game.status.material);
            writer.word(game.past.size());
            for (const Position& before : game.past) writer.position(before);
            if (made_.empty()) continue;
            for (const Move& move : made_[static_cast<std::size_t>(&game - games_.data())]) {
                writer.move(move);
            }
        }
        for (std::size_t i = 0; i < size_; ++i) {
            writer.word(plies_[i]);
            writer.word(start_counts_[i]);
        }
        writer.word(seed_);
        return writer.take();
    }

    bool load(std::span<const std::uint64_t> state) override {
        {
            const std::lock_guard lock(mutex_);
            StateReader reader(state);
            std::size_t i = 0;
            while (i < size_ && read(reader, i)) ++i;
            if (i == size_ && (reader.at_end() || read_random_state(reader))) return true;
        }
        reset(nullptr, std::nullopt);
        return false;
    }

   private:
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;
    using Status = GameStatusOf<Bits>;

    static constexpr std::size_t kPrefetchDistance = 4;  // in games
    static constexpr MoveIndex kNotMoved = 0xffff;

    using InlineIndices = InlineList<MoveIndex, 32>;

    struct alignas(64) Game {
        Position position;
        Status status;
        std::vector<Position> past;  // since the last irreversible move, or in `made_` all
        InlineIndices indices;       // of the legal moves, the captures first
        InlineList<Move, 3> captures;
    };

    // The state of a game that the last step ended.
    struct Final {
        std::size_t game;
        Position position;
        Status status;
        int occurrences;
    };

    // The history of a position in the form that GameRules needs. There are no offences, and the
    // counters of earlier positions do not matter. `moves` are those after each position, or null.
    struct Past {
        struct Step {
            const Position& position;
            Status status;
        };

        const std::vector<Position>& positions;
        const std::vector<Move>* moves = nullptr;

        std::size_t size() const noexcept { return positions.size(); }
        bool empty() const noexcept { return positions.empty(); }
        Step operator[](std::size_t i) const noexcept {
            Step step{positions[i], {}};
            if (moves && i > 0) {
                step.status.plies = static_cast<int>(i);
                step.status.last_move = (*moves)[i - 1];
            }
            return step;
        }
    };

    // Sets `chosen_`; returns the first game whose action is not legal, or size_. Copies the
    // actions, since the caller's arrays and the exported mask may change meanwhile. Without kSome
    // the loop branches only on errors and is vectorized.
    template <bool kSome>
    std::size_t choose(const std::int64_t* actions, [[maybe_unused]] const std::uint8_t* where) {
        std::atomic<std::size_t> wrong{size_};
        workers_.run(size_, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                if constexpr (kSome) {
                    if (!where[i]) {
                        chosen_[i] = kNotMoved;
                        continue;
                    }
                }
                const std::int64_t action = actions[i];
                const InlineIndices& legal = games_[i].indices;
                chosen_[i] = static_cast<MoveIndex>(action);
                if (chosen_[i] == action && legal.contains(chosen_[i])) continue;
                std::size_t least = wrong;
                while (i < least && !wrong.compare_exchange_weak(least, i)) {
                }
                return;
            }
        });
        return wrong;
    }

    // The number of legal moves in all games; a non-null `before` receives the sum before each
    // game.
    std::size_t count_before(std::size_t* before) const {
        std::size_t moves = 0;
        for (const Game& game : games_) {
            if (before) *before++ = moves;
            moves += game.indices.size();
        }
        return moves;
    }

    // `past`: the earlier positions, at least those that may recur.
    int occurrences(const Position& p, const Status& status,
                    const std::vector<Position>& past) const {
        return status.counts.reversible ? rules_.occurrences(p, status, Past{past}) : 1;
    }

    void write_planes(const Position& p, const Status& status, const std::vector<Position>& past,
                      std::uint8_t* out) const {
        planes_.write(p, status, occurrences(p, status, past), out);
    }

    bool read(StateReader& reader, std::size_t number) {
        Game& game = games_[number];
        clear_row(number);
        game.position = reader.position(map_.board);
        game.status = {};
        reader.counts(game.status.counts, game.status.material);
        game.past.clear();
        for (std::uint64_t n = reader.word(reader.left()); n && reader.good(); --n) {
            game.past.push_back(reader.position(map_.board));
        }
        if (!made_.empty()) {
            made_[number].clear();
            for (std::size_t n = game.past.size(); n && reader.good(); --n) {
                made_[number].push_back(reader.move(map_.board));
            }
        }
        plies_[number] = 0;
        reasons_[number] = 0;
        if (!reader.good() || !list_moves(game)) return false;
        mark_row(number);
        return true;
    }

    // Reads the random state of the starts, which states of version 0.1 lack.
    bool read_random_state(StateReader& reader) {
        finals_.clear();
        for (std::size_t i = 0; i < size_; ++i) {
            plies_[i] = static_cast<std::uint32_t>(reader.word(kMaxCount));
            games_[i].status.plies = static_cast<int>(std::min(plies_[i], kMaxStatusPlies));
            start_counts_[i] = static_cast<std::uint32_t>(reader.word(kMaxCount));
        }
        seed_ = reader.word(~std::uint64_t{0});
        return reader.good() && reader.at_end();
    }

    std::uint8_t* row(std::size_t game) noexcept { return mask_.data() + game * actions_; }

    void clear_row(std::size_t game) {
        std::uint8_t* cells = row(game);
        for (const MoveIndex index : games_[game].indices) cells[index] = 0;
    }

    void mark_row(std::size_t game) {
        std::uint8_t* cells = row(game);
        for (const MoveIndex index : games_[game].indices) cells[index] = 1;
    }

    // The random start of a game; independent of the number of threads.
    const Position& start_of(std::size_t i) const {
        if (starts_.size() == 1) return starts_.front();
        const std::uint64_t random =
            zobrist::mix(zobrist::mix(zobrist::mix(seed_) + i) + start_counts_[i]);
        return starts_[random % starts_.size()];
    }

    void begin(std::size_t i) {
        Game& game = games_[i];
        game.position = start_of(i);
        game.status = rules_.begin(game.position);
        game.past.clear();
        if (!made_.empty()) made_[i].clear();
        plies_[i] = 0;
        ++start_counts_[i];
    }

    void check_start(std::size_t number) const {
        Game game;
        game.position = starts_[number];
        game.status = rules_.begin(game.position);
        const bool can_move = list_moves(game);
        if (can_move && !rules_.result(game.position, game.status, Past{game.past}).is_over()) {
            return;
        }
        throw std::invalid_argument("starts[" + std::to_string(number) +
                                    "]: the game is over in this position");
    }

    // Lists the legal moves. False without legal moves, or without indices for them.
    bool list_moves(Game& game) const {
        MoveListOf<Bits> moves;
        movegen_.moves(rules_.rules(), game.position, moves);
        const std::size_t n = moves.size();
        if (!indexer_.index(moves.begin(), n, game.indices.resize(n))) {
            game.indices.resize(0);
            game.captures.resize(0);
            return false;
        }
        std::size_t captures = 0;
        while (captures < n && moves[captures].captured) ++captures;
        std::copy_n(moves.begin(), captures, game.captures.resize(captures));
        return n != 0;
    }

    Move move_of(const Game& game, MoveIndex action) const {
        const MoveIndex* at = game.indices.begin();
        for (const Move& capture : game.captures) {
            if (*at++ == action) return capture;
        }
        const int from = indexer_.from(action);
        const int to = indexer_.to(action);
        const unsigned side = index(game.position.turn);
        const bool king = (game.position.kings[side] >> from & 1) != 0;
        const bool crowns = !king && (crown_[side] >> to & 1) != 0;
        return {Bits{0}, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to), king,
                crowns};
    }

    // Returns the reward, and records the reason if the game has ended.
    float play(std::size_t i, MoveIndex action) {
        Game& game = games_[i];
        const Move move = move_of(game, action);
        const Side mover = game.position.turn;
        const Position next = make(rules_.rules(), game.position, move);
        rules_.move(game.status, move, next, Bits{0});
        if (!made_.empty()) [[unlikely]]
            made_[i].push_back(move);
        if (game.status.counts.reversible || !made_.empty()) {
            game.past.push_back(game.position);
        } else {
            game.past.clear();
        }
        game.position = next;
        const bool can_move = list_moves(game);
        const Past past{game.past, made_.empty() ? nullptr : &made_[i]};
        GameResult result = can_move ? rules_.result(next, game.status, past, [] { return true; })
                                     : rules_.result(next, game.status, past);
        // With too many captures to list, the game cannot continue and is a draw.
        if (!can_move && !result.is_over()) result = {Ending::material};
        ++plies_[i];
        const bool truncated = !result.is_over() && max_plies_ && plies_[i] >= max_plies_;
        if (!truncated && !result.is_over()) return 0.0F;
        reasons_[i] = truncated ? kTruncated : static_cast<std::uint8_t>(result.ending);
        {
            const std::lock_guard lock(finals_mutex_);
            finals_.push_back({i, next, game.status, occurrences(next, game.status, game.past)});
        }
        begin(i);
        list_moves(game);
        return truncated || result.is_draw() ? 0.0F : result.winner == mover ? 1.0F : -1.0F;
    }

    static constexpr std::uint64_t kMaxCount = 0xffffffff;
    static constexpr std::uint32_t kMaxStatusPlies = 1 << 20;

    const GameRulesOf<Bits> rules_;
    const MoveGenTableOf<Bits> movegen_;
    const MoveIndexer<Bits>& indexer_;
    const PlaneWriter planes_;
    const BoardMap<Bits> map_;
    std::vector<Position> starts_;
    std::array<Bits, 2> crown_{};  // the crowning row of each side
    std::vector<Game> games_;
    std::vector<std::vector<Move>> made_;  // the moves of each game, if the rules need them
    std::vector<MoveIndex> chosen_;        // a legal action for every game, or kNotMoved
    std::vector<Final> finals_;            // of the last step
    std::mutex finals_mutex_;
};

}  // namespace

Batch::Batch(std::shared_ptr<const GameRules> rules, std::size_t games, unsigned threads,
             const BatchOptions& options)
    : shared_(std::move(rules)),
      size_(games),
      actions_(static_cast<std::size_t>(index_count(layout_of(shared_->rules())))),
      mask_(games * actions_),
      reasons_(games),
      plies_(games),
      start_counts_(games),
      seed_(options.seed),
      max_plies_(options.max_plies),
      workers_(static_cast<unsigned>(std::min<std::size_t>(threads, games))) {}

std::unique_ptr<Batch> Batch::of(std::shared_ptr<const GameRules> rules, std::size_t games,
                                 unsigned threads, BatchOptions options) {
    return with_word(rules->rules(), [&](auto zero) -> std::unique_ptr<Batch> {
        return std::make_unique<BatchOf<decltype(zero)>>(std::move(rules), games, threads, options);
    });
}

void Batch::reasons(std::uint8_t* out) {
    const std::lock_guard lock(mutex_);
    std::copy(reasons_.begin(), reasons_.end(), out);
}

void Batch::plies(std::int64_t* out) {
    const std::lock_guard lock(mutex_);
    std::copy(plies_.begin(), plies_.end(), out);
}

void Batch::visit(const std::function<void(std::size_t, std::size_t)>& f) {
    const std::lock_guard lock(mutex_);
    workers_.run(size_, f);
}

}  // namespace damka
