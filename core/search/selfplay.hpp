// Self-play games between two players, for training data and matches.
//
// Every game begins with random moves to a position that a short search evaluates as even; they
// depend only on the seed and the game's number. With node limits a game depends only on these and
// on the players.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "eval/evaluate.hpp"
#include "movegen/movegen_table.hpp"
#include "position/draw_counters.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"
#include "position/search_root.hpp"
#include "search/game_draws.hpp"
#include "search/search.hpp"
#include "search/stop_token.hpp"
#include "search/transposition.hpp"
#include "tablebase/set.hpp"

namespace damka {

struct SelfPlaySettings {
    struct Player {
        std::shared_ptr<const Weights> weights;  // null: the general evaluation
        Limits limits;                           // per move
    };

    std::array<Player, 2> players;
    // Colours alternate with every game; two consecutive games share an opening.
    bool pairs = false;
    std::uint64_t seed = 0;
    int opening_plies = 6;   // random, one more in every second opening
    int opening_bound = 60;  // evaluation bound of an even opening, in hundredths of a man
    std::uint64_t opening_nodes = 2000;
    int random_moves = 0;              // chance in 1000 of a random later move
    bool record = false;               // record positions
    const TableSet* tables = nullptr;  // endgame tables of the rules, for both players
    std::size_t table_bytes = std::size_t{1} << 20;
};

// A recorded position in which neither side can capture.
struct Sample {
    static constexpr std::int8_t kUnknown = 2;

    WidePosition position;
    std::int16_t score;  // from White's view, hundredths of a man
    // From White's view: 1, 0 or -1; unknown if a random move followed.
    std::int8_t result;
};

struct FinishedGame {
    int result = 0;  // 1 if players[0] has won, 0, -1
    int plies = 0;
    std::vector<Sample> samples;
};

using SearchFactory = std::function<std::unique_ptr<Search>(
    const Rules&, const DrawRules&, TranspositionTable&, std::shared_ptr<const Weights>)>;

template <class Bits>
class SelfPlayOf {
   public:
    using Position = PositionOf<Bits>;

    // `make` is Search::create, passed as an argument so that it is not compiled here.
    SelfPlayOf(const Rules& rules, const DrawRules& draws, const SelfPlaySettings& settings,
               const SearchFactory& make)
        : rules_(rules),
          draws_(draws),
          settings_(settings),
          movegen_(MoveGenTableOf<Bits>::of(rules)),
          evaluation_(rules),
          material_draws_(draws.material, evaluation_.map().road) {
        for (std::size_t i = 0; i < 2; ++i) {
            tables_[i] = std::make_unique<TranspositionTable>(settings.table_bytes);
            searches_[i] = make(rules, draws, *tables_[i], settings.players[i].weights);
        }
        judge_table_ = std::make_unique<TranspositionTable>(settings.table_bytes);
        judge_ = make(rules, draws, *judge_table_, nullptr);
    }

    // Plays the game of this number. Returns nothing when stopped, or without a suitable opening.
    std::optional<FinishedGame> play(std::uint64_t number, const StopToken& signal) {
        const std::uint64_t opening = settings_.pairs ? number / 2 : number;
        const std::size_t white = settings_.pairs ? number % 2 : 0;
        random_ = zobrist::mix(settings_.seed ^ zobrist::mix(opening + 1));
        for (auto& table : tables_) table->clear();
        std::optional<RootReplay> replay = open(opening, signal);
        if (!replay) return std::nullopt;
        FinishedGame game;
        const std::optional<int> result = play_out(*replay, white, game, signal);
        if (!result) return std::nullopt;
        for (Sample& sample : game.samples) {
            if (sample.result != Sample::kUnknown)
                sample.result = static_cast<std::int8_t>(*result);
        }
        game.result = white == 0 ? *result : -*result;
        return game;
    }

   private:
    static constexpr int kMaxPlies = 400;
    static constexpr int kMaxOpenings = 500;
    // Adjudication: both sides must agree on the winner for some plies.
    static constexpr int kWonScore = 700;
    static constexpr int kWonPlies = 6;
    static constexpr int kDrawnScore = 60;
    static constexpr int kDrawnPlies = 10;

    std::uint64_t random_below(std::uint64_t n) { return (zobrist::mix(random_++) >> 16) % n; }

    Position position_of(const RootReplay& replay) const {
        return with_words<Bits>(replay.root().position);
    }

    void list_legal(const Position& p, MoveListOf<Bits>& list) const {
        list.clear();
        movegen_.moves(rules_, p, list);
    }

    void push(RootReplay& replay, const MoveOf<Bits>& m) const {
        const Position child = movegen_.make(rules_, position_of(replay), m);
        replay.push(with_words<Wide>(m), with_words<Wide>(child));
    }

    // Plays random moves from the start; returns nothing without a suitable opening.
    std::optional<RootReplay> open(std::uint64_t opening, const StopToken& signal) {
        const int plies = settings_.opening_plies + static_cast<int>(opening % 2);
        for (int attempt = 0; attempt < kMaxOpenings && !signal.stopped(); ++attempt) {
            RootReplay replay(rules_, draws_, with_words<Wide>(start_position<Bits>(rules_)));
            MoveListOf<Bits> list;
            bool over = false;
            for (int ply = 0; ply < plies && !over; ++ply) {
                list_legal(position_of(replay), list);
                over = list.empty();
                if (!over) push(replay, list[random_below(list.size())]);
            }
            if (over || drawn(replay.root())) continue;
            judge_table_->clear();
            Limits limits;
            limits.nodes = settings_.opening_nodes;
            Observer observer;
            const Analysis a =
                judge_->run({.root = replay.root(), .limits = limits}, signal, observer);
            if (!a.line.empty() && std::abs(a.score) <= settings_.opening_bound) return replay;
        }
        return std::nullopt;
    }

    // Returns the result for White.
    std::optional<int> play_out(RootReplay& replay, std::size_t white, FinishedGame& game,
                                const StopToken& signal) {
        int won = 0;  // consecutive won plies, negative for Black
        int drawn_for = 0;
        Observer observer;
        MoveListOf<Bits> list;
        while (!signal.stopped()) {
            const Position p = position_of(replay);
            const int sign = p.turn == Side::white ? 1 : -1;
            list_legal(p, list);
            const std::size_t player = p.turn == Side::white ? white : white ^ 1;
            const SearchRoot& root = replay.root();
            if (!list.empty() && drawn(root)) return 0;
            const std::size_t which = settings_.pairs ? player : 0;
            const Task task{.root = root,
                            .limits = settings_.players[which].limits,
                            .tables = settings_.tables};
            const Analysis a = searches_[which]->run(task, signal, observer);
            if (signal.stopped()) break;
            const int score = sign * a.score;
            if (a.line.empty() || std::abs(score) > kSureWin) return score > 0 ? 1 : -1;
            won = rules_.objective != Objective::normal || std::abs(score) < kWonScore ? 0
                  : score > 0 ? std::max(won, 0) + 1
                              : std::min(won, 0) - 1;
            if (std::abs(won) >= kWonPlies) return won > 0 ? 1 : -1;
            const bool even = std::abs(score) <= kDrawnScore && evaluation_.drawish(p);
            drawn_for = even ? drawn_for + 1 : 0;
            if (drawn_for >= kDrawnPlies || game.plies >= kMaxPlies) return 0;

            if (settings_.record && !movegen_.can_capture(rules_, p, p.turn) &&
                !movegen_.can_capture(rules_, p, other(p.turn))) {
                game.samples.push_back({root.position, static_cast<std::int16_t>(score), 0});
            }
            if (random_below(1000) < static_cast<std::uint64_t>(settings_.random_moves)) {
                for (Sample& sample : game.samples) sample.result = Sample::kUnknown;
                push(replay, list[random_below(list.size())]);
            } else {
                push(replay, with_words<Bits>(a.line.front()));
            }
            ++game.plies;
        }
        return std::nullopt;
    }

    // Whether a draw rule ends the game, given a legal move.
    bool drawn(const SearchRoot& root) const {
        if (draws_.no_progress_plies && root.counts.progress >= draws_.no_progress_plies)
            return true;
        if (GameDraws::is_drawn(draws_, root)) return true;
        if (material_draws_.has_draws()) {
            const Position p = with_words<Bits>(root.position);
            if (material_draws_.remaining(root.material) <= 0) return true;
            if (material_draws_.drawn_at_rest(root.material) &&
                !movegen_.can_capture(rules_, p, p.turn)) {
                return true;
            }
        }
        int occurrences = 1;
        int transitions = 1;
        for (std::size_t i = 0; i < root.past.size(); ++i) {
            if (root.past[i] != root.position.key) continue;
            ++occurrences;
            if (i > 0 && root.past[i - 1] == root.past.back()) ++transitions;
        }
        return (draws_.repetition && occurrences >= draws_.repetition) ||
               (draws_.same_move && transitions >= draws_.same_move);
    }

    const Rules rules_;
    const DrawRules draws_;
    const SelfPlaySettings settings_;
    const MoveGenTableOf<Bits> movegen_;
    const EvaluationOf<Bits> evaluation_;
    const MaterialDrawCounterOf<Bits> material_draws_;
    std::array<std::unique_ptr<TranspositionTable>, 2> tables_;
    std::array<std::unique_ptr<Search>, 2> searches_;
    std::unique_ptr<TranspositionTable> judge_table_;
    std::unique_ptr<Search> judge_;
    std::uint64_t random_ = 0;
};

}  // namespace damka
