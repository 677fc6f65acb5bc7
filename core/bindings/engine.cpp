// Native part of damka.engine: one search at a time over one transposition table.
//
// A search runs without the GIL, and acquires it periodically to check for Ctrl-C and after every
// depth for a callback.
#include "bindings/engine.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/board.hpp"
#include "bindings/move.hpp"
#include "bindings/ruleset.hpp"
#include "bindings/tablebase.hpp"
#include "bindings/training.hpp"
#include "eval/evaluate.hpp"
#include "search/search.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

double positive(double seconds, const char* what) {
    if (!(seconds > 0)) throw nb::value_error(what);
    return seconds;
}

int number(nb::handle object, const char* name) {
    const long value = PyLong_AsLong(nb::object(object.attr(name)).ptr());
    if (value == -1 && PyErr_Occurred()) nb::raise_python_error();
    return static_cast<int>(value);
}

}  // namespace

const StopToken& signal_of(nb::handle object) {
    static const StopToken never;
    return object.is_none() ? never : nb::cast<const StopToken&>(object);
}

std::unique_ptr<Search> search_by(const Rules& rules, const DrawRules& draws,
                                  TranspositionTable& table,
                                  std::shared_ptr<const Weights> weights) {
    return Search::create(rules, draws, table, std::move(weights));
}

namespace {

Handicap read_handicap(nb::handle object) {
    if (object.is_none()) return {};
    return {.seed = nb::cast<std::uint64_t>(object.attr("seed")),
            .noise = number(object, "noise"),
            .follow = number(object, "follow"),
            .overlook = number(object, "overlook"),
            .overlook_far = number(object, "overlook_far"),
            .overlook_back = number(object, "overlook_back"),
            .overlook_chain = number(object, "overlook_chain")};
}

// The legal moves, and the quiet moves that risk a huff.
template <class Bits>
std::vector<WideMove> playable(const BoardValue& b) {
    const MoveGenTableOf<Bits> movegen = MoveGenTableOf<Bits>::of(b.rules);
    const auto position = with_words<Bits>(b.position);
    MoveListOf<Bits> list;
    movegen.moves(b.rules, position, list);
    if (!list.empty() && list[0].is_capture() && !b.rules.capture_is_free) {
        movegen.quiets(b.rules, position, list);
    }
    std::vector<WideMove> moves;
    for (const MoveOf<Bits>& m : list) moves.push_back(with_words<Wide>(m));
    return moves;
}

// Reads the root moves, each a legal move or a quiet one.
std::vector<WideMove> read_choices(const BoardValue& b, nb::handle objects) {
    std::vector<WideMove> choices;
    if (objects.is_none()) return choices;
    const std::vector<WideMove> moves =
        with_word(b.rules, [&](auto zero) { return playable<decltype(zero)>(b); });
    for (const nb::handle object : nb::iter(objects)) {
        if (!nb::isinstance<MoveValue>(object)) throw nb::type_error("choices: moves");
        const MoveValue& choice = *nb::inst_ptr<MoveValue>(object);
        std::optional<WideMove> found;
        for (const WideMove& m : moves) {
            if (to_value(b.rules, b.position, m) == choice) found = m;
        }
        if (!found) throw nb::value_error("choices: not a move of this position");
        choices.push_back(*found);
    }
    if (choices.empty()) throw nb::value_error("choices: at least one move");
    return choices;
}

SearchRoot read_root(const BoardValue& b, nb::handle choices) {
    SearchRoot s{b.position, b.status.counts, b.status.material, {}, read_choices(b, choices)};
    s.add_history(b.game_rules->draws(), b.status, b.plies);
    return s;
}

nb::tuple line_tuple(const BoardValue& b, const Variation& v) {
    nb::list line;
    WidePosition p = b.position;
    for (const WideMove& m : v.line) {
        line.append(to_python(b.rules, p, m));
        p = make(b.rules, p, m);
    }
    return nb::make_tuple(v.score, nb::tuple(line));
}

// (depth, nodes, seconds, ((score, moves), ...)), best line first.
nb::tuple to_python(const BoardValue& b, const Analysis& a) {
    nb::list lines;
    lines.append(line_tuple(b, a));
    for (const Variation& v : a.others) lines.append(line_tuple(b, v));
    return nb::make_tuple(a.depth, a.nodes, a.seconds, nb::tuple(lines));
}

class PythonObserver : public Observer {
   public:
    PythonObserver(const BoardValue& board, nb::handle on_depth)
        : board_(board), on_depth_(on_depth) {}

    bool poll() override {
        if (failed_) return true;
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return false;
        next_ = now + std::chrono::milliseconds(50);
        const AcquireGil gil;
        return failed_ = PyErr_CheckSignals() != 0;
    }

    void on_depth(const Analysis& analysis) override {
        if (failed_ || on_depth_.is_none()) return;
        const AcquireGil gil;
        try {
            on_depth_(to_python(board_, analysis));
        } catch (nb::python_error& error) {
            error.restore();
            failed_ = true;
        }
    }

    bool failed() const { return failed_; }  // a Python error is set

   private:
    const BoardValue& board_;
    nb::handle on_depth_;
    bool failed_ = false;
    std::chrono::steady_clock::time_point next_ =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

class Engine {
   public:
    Engine(std::size_t bytes, std::size_t threads) : threads_(threads), table_(bytes) {}

    nb::tuple search(nb::handle board, nb::handle choices, const Limits& limits, std::size_t lines,
                     nb::handle handicap, int contempt, nb::handle tables, nb::handle stop,
                     nb::handle on_depth, nb::handle weights) {
        // A copy: the board may change during the search.
        const BoardValue b = snapshot(board);
        const DrawRules draws = read_draws(b.rules_object);
        const std::shared_ptr<const TableSet> endgames = tables_of(tables, b.rules);
        const Task task{.root = read_root(b, choices),
                        .limits = limits,
                        .handicap = read_handicap(handicap),
                        .contempt = contempt,
                        .tables = endgames.get(),
                        .lines = lines,
                        .threads = threads_};
        const StopToken& signal = signal_of(stop);
        const std::shared_ptr<const Weights> learned = weights_of(weights);
        PythonObserver observer(b, on_depth);
        Analysis analysis;
        {
            const ReleaseGil release;
            const std::lock_guard lock(busy_);
            prepare(b, draws, learned);
            analysis = search_->run(task, signal, observer);
        }
        if (observer.failed()) nb::raise_python_error();
        return to_python(b, analysis);
    }

    void clear() {
        const ReleaseGil release;
        const std::lock_guard lock(busy_);
        table_.clear();
    }

    std::size_t bytes() const { return table_.bytes(); }

   private:
    static BoardValue snapshot(nb::handle board) {
        nb::ft_object_guard guard(board);
        return board_of(board);
    }

    // A search object is reused while the rules stay the same.
    void prepare(const BoardValue& b, const DrawRules& draws,
                 const std::shared_ptr<const Weights>& weights) {
        const std::uint64_t rules = fingerprint(b.rules, draws) ^ (weights ? weights->hash() : 0);
        if (!search_ || rules != prepared_for_) {
            search_ = Search::create(b.rules, draws, table_, weights);
            prepared_for_ = rules;
        }
    }

    const std::size_t threads_;
    std::mutex busy_;
    TranspositionTable table_;
    std::unique_ptr<Search> search_;
    std::uint64_t prepared_for_ = 0;
};

bool drawish(nb::handle board) {
    const BoardValue& b = board_of(board);
    return with_word(b.rules, [&](auto zero) {
        using Bits = decltype(zero);
        return EvaluationOf<Bits>(b.rules).drawish(with_words<Bits>(b.position));
    });
}

}  // namespace

void bind_engine(nb::module_& m) {
    nb::class_<StopToken>(
        m, "Stop",
        "Stops searches from any thread: at once, or after a time limit that starts now.",
        nb::is_weak_referenceable())
        .def(nb::init<>())
        .def("set", &StopToken::stop, "Stop the search, now or when it starts.")
        .def("clear", &StopToken::clear, "Clear the stop and the time limit.")
        .def(
            "give",
            [](StopToken& s, double target, double seconds) {
                s.set_time(positive(target, "target: more than 0"),
                           positive(seconds, "seconds: more than 0"));
            },
            "target"_a, "seconds"_a,
            nb::sig("def give(self, target: float, seconds: float) -> None"),
            "Limit the search to about `target` and at most `seconds` seconds from now on.")
        .def_prop_ro("is_set", &StopToken::stopped, "Whether searches are stopped.");

    nb::class_<Engine>(
        m, "Engine",
        R"(A searcher with a transposition table: the native part of damka.engine.Engine.

`bytes` is the size of the table, 64 KiB to 64 GiB, `threads` the number of search
threads, 1 to 256. Raises ValueError for other numbers.)")
        .def(
            "__init__",
            [](Engine* self, std::size_t bytes, std::size_t threads) {
                if (bytes < TranspositionTable::kMinBytes ||
                    bytes > TranspositionTable::kMaxBytes) {
                    throw nb::value_error("hash size: 64 KiB to 64 GiB");
                }
                if (threads < 1 || threads > Search::kMaxThreads) {
                    throw nb::value_error("threads: 1 to 256");
                }
                new (self) Engine(bytes, threads);
            },
            "bytes"_a, "threads"_a = 1,
            nb::sig("def __init__(self, bytes: int, threads: int = 1) -> None"))
        .def_prop_ro("bytes", &Engine::bytes, "The size of the transposition table in bytes.")
        .def("clear", &Engine::clear, "Clear the transposition table.")
        .def(
            "search",
            [](Engine& self, nb::handle board, nb::handle choices, int depth, std::uint64_t nodes,
               double seconds, double target, std::size_t lines, nb::handle handicap, int contempt,
               nb::handle tables, nb::handle stop, nb::handle on_depth, nb::handle weights) {
                if (contempt < 0 || contempt > kMaxContempt) {
                    throw nb::value_error("contempt: 0 to 20");
                }
                const Limits limits{
                    .depth = depth, .nodes = nodes, .seconds = seconds, .target = target};
                return self.search(board, choices, limits, std::max<std::size_t>(lines, 1),
                                   handicap, contempt, tables, stop, on_depth, weights);
            },
            "board"_a, nb::kw_only(), "choices"_a.none(), "depth"_a, "nodes"_a, "seconds"_a,
            "target"_a, "lines"_a, "handicap"_a.none(), "contempt"_a = 0, "tables"_a.none(),
            "stop"_a.none(), "on_depth"_a.none(), "weights"_a = nb::none(),
            nb::sig("def search(self, board: Board, *, choices: Iterable[Move] | None, depth: int, "
                    "nodes: int, seconds: float, target: float, lines: int, handicap: Any, "
                    "contempt: int = 0, tables: Tables | None, stop: Stop | None, "
                    "on_depth: Callable[[tuple[int, int, float, Lines]], object] | None, "
                    "weights: Weights | None = None) -> tuple[int, int, float, Lines]"),
            R"(Search a position; return depth, nodes, seconds and the best lines.

A line has a score in hundredths of a man, from the side to move, and its moves.
`choices` are the root moves to consider, None for all legal ones. The search stops at
`depth` plies, `nodes` positions, `seconds`, or `stop`, whichever is first, and does not
start a depth that would not finish within `target` seconds; 0 means no limit. `lines`
is the number of lines with different first moves, `handicap` a
damka.engine.search.Handicap or None, `contempt` the cost of a draw, 0 to 20 hundredths
of a man. `on_depth` is called after every depth with the result so far. Raises
ValueError for numbers out of range and for invalid choices.)");

    m.def("drawish", &drawish, "board"_a, nb::sig("def drawish(board: Board) -> bool"),
          "Whether neither side can be expected to win: kings on both sides and little else.");
}

}  // namespace damka::bindings
