// Evaluation and search.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "eval/evaluate.hpp"
#include "eval/weights.hpp"
#include "movegen/movegen_table.hpp"
#include "position/board_map.hpp"
#include "search/search.hpp"
#include "wasm/objects.hpp"
#include "wasm/record.hpp"

namespace damka::wasm {

namespace {

constexpr int kMaxLines = 10'000;
constexpr int kMaxHandicap = 100'000;
constexpr int kMaxFull = 2 * kMaxSquares;

bool is_margin(int n) { return 0 <= n && n <= Margins::kMax; }

// The legal moves, and the quiet moves that risk a huff.
template <class Bits>
std::vector<WideMove> playable(const Rules& rules, const WidePosition& position) {
    const auto movegen = MoveGenTableOf<Bits>::of(rules);
    const auto p = with_words<Bits>(position);
    MoveListOf<Bits> list;
    movegen.moves(rules, p, list);
    if (!list.empty() && list[0].is_capture() && !rules.capture_is_free) {
        movegen.quiets(rules, p, list);
    }
    std::vector<WideMove> moves;
    for (const MoveOf<Bits>& m : list) moves.push_back(with_words<Wide>(m));
    return moves;
}

std::vector<WideMove> playable(const Rules& rules, const WidePosition& p) {
    return rules.width == 12 ? playable<Wide>(rules, p) : playable<std::uint64_t>(rules, p);
}

std::int32_t take_choices(Reader& in, const Rules& rules, const WidePosition& p, std::uint32_t n,
                          std::vector<WideMove>& choices) {
    if (n == 0) return kOk;
    const std::vector<WideMove> moves = playable(rules, p);
    for (std::uint32_t i = 0; i < n; ++i) {
        WideMove choice_count;
        const bool known = take_move(in, layout_of(rules), choice_count);
        if (!in.whole()) return kNoInput;
        if (!known) return kIllegal;
        const auto found = std::ranges::find(moves, choice_count);
        if (found == moves.end()) return kIllegal;
        choices.push_back(*found);
    }
    return kOk;
}

std::int32_t put_analysis(const Rules& rules, const WidePosition& start, const Analysis& a) {
    Writer out;
    out.put(static_cast<std::int32_t>(a.depth));
    out.put(static_cast<std::uint32_t>(1 + a.others.size()));
    out.put(a.nodes).put(a.seconds);
    const auto put_line = [&](const Variation& v) {
        out.put(static_cast<std::int32_t>(v.score));
        out.put(static_cast<std::uint32_t>(v.line.size()));
        WidePosition p = start;
        for (const WideMove& m : v.line) {
            put_move_with_route(out, rules, p, m);
            p = make(rules, p, m);
        }
    };
    put_line(a);
    for (const Variation& v : a.others) put_line(v);
    return out.size();
}

class HostObserver final : public Observer {
   public:
    HostObserver(const Rules& rules, const WidePosition& position)
        : rules_(rules), position_(position) {}

    bool poll() override {
        if (stopped_) return true;
        const auto now = Clock::now();
        if (now < next_) return false;
        next_ = now + kEvery;
        return stopped_ = request_host(HostRequest::poll, 0) != 0;
    }

    void on_depth(const Analysis& analysis) override {
        if (stopped_) return;
        stopped_ = request_host(HostRequest::depth, put_analysis(rules_, position_, analysis)) != 0;
    }

   private:
    static constexpr auto kEvery = std::chrono::milliseconds(20);

    const Rules& rules_;
    const WidePosition& position_;
    bool stopped_ = false;
    Clock::time_point next_ = Clock::now() + kEvery;
};

// Marks an engine as busy during its lifetime.
class EngineGuard {
   public:
    explicit EngineGuard(EngineObject& engine)
        : engine_(engine), acquired_(!engine.busy.exchange(true)) {}
    ~EngineGuard() {
        if (acquired_) engine_.busy = false;
    }
    EngineGuard(const EngineGuard&) = delete;
    EngineGuard& operator=(const EngineGuard&) = delete;

    bool acquired() const noexcept { return acquired_; }

   private:
    EngineObject& engine_;
    const bool acquired_;
};

// Reads the search settings at the start of the input. False if one is out of range.
bool take_task(Reader& in, Task& task, std::uint32_t& choices) {
    const int depth = in.take<std::int32_t>();
    const int lines = in.take<std::int32_t>();
    task.contempt = in.take<std::int32_t>();
    choices = in.take<std::uint32_t>();
    Handicap& h = task.handicap;
    bool fits = true;
    for (int* each :
         {&h.noise, &h.follow, &h.overlook, &h.overlook_far, &h.overlook_back, &h.overlook_chain}) {
        *each = in.take<std::int32_t>();
        fits = fits && 0 <= *each && *each <= kMaxHandicap;
    }
    h.seed = in.take<std::uint64_t>();
    const auto nodes = in.take<std::uint64_t>();
    const auto seconds = in.take<double>();
    const auto target = in.take<double>();
    if (!fits || depth < 1 || lines < 1 || lines > kMaxLines || task.contempt < 0 ||
        task.contempt > kMaxContempt || nodes == 0 || !(seconds > 0) || !(target > 0)) {
        return false;
    }
    task.limits = {
        .depth = std::min(depth, kMaxDepth), .nodes = nodes, .seconds = seconds, .target = target};
    task.lines = static_cast<std::size_t>(lines);
    return true;
}

// Returns the weights behind a handle, or null for 0. kOtherRules if they do not fit.
std::int32_t weights_of(std::int32_t handle, const Rules& rules,
                        std::shared_ptr<const Weights>& weights) {
    if (handle == 0) return kOk;
    const auto found = find<WeightsObject>(handle);
    if (!found) return kNoHandle;
    if (found->layout / 2 != layout_number(rules) / 2) return kOtherRules;
    weights = found->weights;
    return kOk;
}

}  // namespace

// --- stopping a search from another thread ---

DAMKA_API(damka_stop) std::int32_t damka_stop() {
    return guarded([] { return register_object(std::make_shared<StopObject>()); });
}

// `what`: 0 resets the token; 1 stops searches; 2 sets the target and the limit in seconds from the
// input (8 bytes each) from now on; 3 returns whether it is stopped.
DAMKA_API(damka_stop_do)
std::int32_t damka_stop_do(std::int32_t handle, std::int32_t what, std::int32_t n) {
    return guarded([&]() -> std::int32_t {
        const auto stop = find<StopObject>(handle);
        if (!stop) return kNoHandle;
        if (what == 0) return stop->token.clear(), kOk;
        if (what == 1) return stop->token.stop(), kOk;
        if (what == 3) return stop->token.stopped() ? 1 : 0;
        if (what != 2) return kBadNumber;
        Reader in(n);
        const auto target = in.take<double>();
        const auto seconds = in.take<double>();
        if (!in.whole()) return kNoInput;
        if (!(target > 0) || !(seconds > 0)) return kBadNumber;
        return stop->token.set_time(target, seconds), kOk;
    });
}

// --- evaluation ---

// Creates weights and returns their handle. The input is four margins (32 bits each: probcut,
// probcut_per_ply, lmr_base, lmr_scale) and the weights, 16 bits each; `step` and `full_board` are
// from their file.
DAMKA_API(damka_weights)
std::int32_t damka_weights(std::int32_t handle, std::int32_t n, std::int32_t step,
                           std::int32_t full_board) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        Reader in(n);
        Margins margins;
        for (int* each :
             {&margins.probcut, &margins.probcut_per_ply, &margins.lmr_base, &margins.lmr_scale}) {
            *each = in.take<std::int32_t>();
            if (!is_margin(*each)) return kBadNumber;
        }
        if (!in.whole() || in.left() % 2 != 0) return kNoInput;
        if (step < 1 || step > 64 || full_board < 1 || full_board > kMaxFull) return kBadNumber;
        const auto regions = Regions::of(rules->rules());
        const auto sizes = Weights::Sizes::of(regions);
        std::vector<std::int16_t> numbers(in.left() / 2);
        if (numbers.size() != sizes.all() && numbers.size() != sizes.all() + sizes.net) {
            Writer().text("weights: wrong number of weights for this board");
            return kDamaged;
        }
        std::memcpy(numbers.data(), in.bytes(in.left()), 2 * numbers.size());
        if (!can_allocate(4 * sizeof(Weights::Packed) * regions.regions.size() * regions.states)) {
            return kNoMemory;
        }
        return register_object(std::make_shared<WeightsObject>(
            std::make_shared<const Weights>(rules->rules(), numbers.data(), numbers.size(), step,
                                            full_board, margins),
            rules->rules()));
    });
}

// Writes the evaluation of the position in the input for the side to move, in hundredths of a man,
// as a 32-bit number. `weights` 0 selects the general evaluation.
DAMKA_API(damka_evaluate)
std::int32_t damka_evaluate(std::int32_t handle, std::int32_t n, std::int32_t weights) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        std::shared_ptr<const Weights> shared_weights;
        if (const auto code = weights_of(weights, rules->rules(), shared_weights); code != kOk) {
            return code;
        }
        Reader in(n);
        if (in.left() < kRecord) return kNoInput;
        GameSnapshot now;
        if (!take_record(in, rules->game, now)) return kBadRecord;
        const int score = with_word(rules->rules(), [&](auto zero) {
            using Bits = decltype(zero);
            return EvaluationOf<Bits>(rules->rules(), shared_weights)(
                with_words<Bits>(now.position), kNoLimit);
        });
        return Writer().put(static_cast<std::int32_t>(score)).size();
    });
}

// Whether the material of a record is drawish: 0 or 1.
DAMKA_API(damka_drawish) std::int32_t damka_drawish(std::int32_t handle, std::int32_t n) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        Reader in(n);
        if (in.left() < kRecord) return kNoInput;
        GameSnapshot now;
        if (!take_record(in, rules->game, now)) return kBadRecord;
        return with_word(rules->rules(), [&](auto zero) {
            using Bits = decltype(zero);
            return EvaluationOf<Bits>(rules->rules()).drawish(with_words<Bits>(now.position)) ? 1
                                                                                              : 0;
        });
    });
}

// --- search ---

// Creates an engine with a transposition table of `kib` KiB (at least 64); returns its handle.
DAMKA_API(damka_engine) std::int32_t damka_engine(std::int32_t kib) {
    return guarded([&]() -> std::int32_t {
        if (kib < 64) return kBadNumber;
        const auto bytes = static_cast<std::size_t>(kib) << 10;
        if (bytes > TranspositionTable::kMaxBytes) return kNoMemory;
        if (!can_allocate(bytes + 2 * kLargePage)) return kNoMemory;
        return register_object(std::make_shared<EngineObject>(bytes));
    });
}

// Clears the transposition table.
DAMKA_API(damka_engine_clear) std::int32_t damka_engine_clear(std::int32_t handle) {
    return guarded([&]() -> std::int32_t {
        const auto engine = find<EngineObject>(handle);
        if (!engine) return kNoHandle;
        const EngineGuard guard(*engine);
        if (!guard.acquired()) return kBusy;
        engine->table.clear();
        return kOk;
    });
}

// Searches the game in the input. It starts with settings: depth, lines, contempt, number of
// choices, and the handicap's noise, follow, overlook, overlook_far, overlook_back, overlook_chain
// (32 bits each); the handicap's seed and the node limit (64 bits each); seconds and target
// (doubles, infinity for none). The root moves to choose from follow, and then the records.
//
// `weights`, `tables` and `stop` are handles, or 0. The host is polled, and receives every
// completed depth.
//
// Writes depth and number of lines (32 bits each), nodes (64 bits), seconds (a double), and for
// every line its score and number of moves (32 bits each) and its moves.
DAMKA_API(damka_search)
std::int32_t damka_search(std::int32_t engine_handle, std::int32_t rules_handle, std::int32_t n,
                          std::int32_t weights, std::int32_t tables_handle,
                          std::int32_t stop_handle) {
    return guarded([&]() -> std::int32_t {
        const auto engine = find<EngineObject>(engine_handle);
        const auto rules = find<RulesObject>(rules_handle);
        const auto tables = find<TablesObject>(tables_handle);
        const auto stop = find<StopObject>(stop_handle);
        if (!engine || !rules || (tables_handle && !tables) || (stop_handle && !stop)) {
            return kNoHandle;
        }
        const GameRules& game = rules->game;
        std::shared_ptr<const Weights> shared_weights;
        if (const auto code = weights_of(weights, game.rules(), shared_weights); code != kOk)
            return code;
        if (tables && table_fingerprint(tables->set.rules()) != table_fingerprint(game.rules())) {
            return kOtherRules;
        }
        Task task;
        Reader in(n);
        std::uint32_t choice_count = 0;
        const bool fits = take_task(in, task, choice_count);
        if (!in.whole()) return kNoInput;
        if (!fits || choice_count > in.left()) return kBadNumber;
        // The choices precede the position to which they belong.
        Reader choices = in;
        for (std::uint32_t i = 0; i < choice_count; ++i) {
            WideMove move;
            take_move(in, layout_of(game.rules()), move);
        }
        std::vector<GameSnapshot> past;
        GameSnapshot now;
        if (const auto code = take_game(in, game, past, now); code != kOk) return code;
        SearchRoot& state = task.root;
        state.position = now.position;
        state.counts = now.status.counts;
        state.material = now.status.material;
        const auto reversible =
            std::min(past.size(), static_cast<std::size_t>(state.counts.reversible));
        state.counts.reversible = static_cast<int>(reversible);
        state.add_history(game.draws(), now.status, past);
        if (const auto code =
                take_choices(choices, game.rules(), state.position, choice_count, state.choices);
            code != kOk) {
            return code;
        }
        if (tables) task.tables = &tables->set;

        const EngineGuard guard(*engine);
        if (!guard.acquired()) return kBusy;
        const std::uint64_t by =
            fingerprint(game.rules(), game.draws()) ^ (shared_weights ? shared_weights->hash() : 0);
        if (!engine->search || engine->prepared_for != by) {
            engine->search =
                Search::create(game.rules(), game.draws(), engine->table, shared_weights);
            engine->prepared_for = by;
        }
        const StopToken never;
        HostObserver observer(game.rules(), state.position);
        const Analysis found = engine->search->run(task, stop ? stop->token : never, observer);
        return put_analysis(game.rules(), state.position, found);
    });
}

}  // namespace damka::wasm
