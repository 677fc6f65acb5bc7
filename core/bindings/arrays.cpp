#include "bindings/arrays.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/board.hpp"
#include "bindings/evaluation.hpp"
#include "bindings/ruleset.hpp"
#include "game/batch.hpp"
#include "game/move_index.hpp"
#include "game/observation.hpp"
#include "movegen/movegen_table.hpp"
#include "position/read_position.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

using Mask = nb::ndarray<nb::numpy, bool, nb::ndim<2>>;
using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Where = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A new NumPy array. Calling numpy.empty takes a tenth of the time of wrapping memory.
class NewArray {
   public:
    // The elements are uninitialized.
    template <class... Sizes>
    explicit NewArray(const char* kind, Sizes... sizes) {
        array_ = empty()(nb::make_tuple(sizes...), dtype(kind));
        if (PyObject_GetBuffer(array_.ptr(), &buffer_, PyBUF_WRITABLE) != 0) {
            nb::raise_python_error();
        }
    }
    ~NewArray() { PyBuffer_Release(&buffer_); }
    NewArray(const NewArray&) = delete;
    NewArray& operator=(const NewArray&) = delete;

    template <class T>
    T* data() const noexcept {
        return static_cast<T*>(buffer_.buf);
    }
    std::size_t bytes() const noexcept { return static_cast<std::size_t>(buffer_.len); }
    const nb::object& array() const noexcept { return array_; }

   private:
    static nb::object from_numpy(const char* name) {
        try {
            return nb::module_::import_("numpy").attr(name);
        } catch (nb::python_error& error) {
            if (!error.matches(PyExc_ModuleNotFoundError)) throw;
            throw nb::import_error("arrays need NumPy: pip install numpy");
        }
    }

    // Not an initialised static variable: importing NumPy lets other threads run, and one that
    // waits for the variable would hold the GIL. A second thread discards its result.
    static nb::handle empty() {
        static std::atomic<PyObject*> cached{nullptr};
        PyObject* existing = cached.load(std::memory_order_acquire);
        if (existing) [[likely]]
            return existing;
        nb::object found = from_numpy("empty");
        if (!cached.compare_exchange_strong(existing, found.ptr())) return existing;
        return found.release();
    }

    // Never released: creating a dtype takes as long as creating an array.
    static nb::handle dtype(const char* kind) {
        static PyObject* const cached = nb::dict().release().ptr();
        const auto dtypes = nb::borrow<nb::dict>(cached);
        const nb::str name(kind);
        if (!dtypes.contains(name)) dtypes.attr("setdefault")(name, from_numpy("dtype")(name));
        return PyDict_GetItem(cached, name.ptr());
    }

    nb::object array_;
    Py_buffer buffer_;
};

// The legal moves of a board with their indices.
struct IndexedMoves {
    std::vector<WideMove> moves;
    std::vector<MoveIndex> indices;
};

template <class Bits>
IndexedMoves index_moves(const BoardValue& b) {
    MoveListOf<Bits> list;
    const CaptureListGuard list_guard;
    MoveGenTableOf<Bits>::of(b.rules).moves(b.rules, with_words<Bits>(b.position), list);
    list_guard.check();
    IndexedMoves found;
    found.indices.resize(list.size());
    const MoveIndexer<Bits>& indexer = MoveIndexer<Bits>::of(b.rules);
    if (!indexer.index(list.begin(), list.size(), found.indices.data())) raise_too_complex();
    found.moves.reserve(list.size());
    for (const auto& move : list) found.moves.push_back(with_words<Wide>(move));
    return found;
}

IndexedMoves index_moves(const BoardValue& b) {
    return b.rules.width == 12 ? index_moves<Wide>(b) : index_moves<std::uint64_t>(b);
}

nb::object tensor(const BoardValue& b) {
    const NewArray planes("uint8", kPlanes, b.rules.height, b.rules.width);
    const int occurrences =
        b.status.counts.reversible ? b.game_rules->occurrences(b.position, b.status, b.plies) : 1;
    PlaneWriter(b.rules).write(b.position, b.status, occurrences, planes.data<std::uint8_t>());
    return planes.array();
}

nb::object legal_mask(const BoardValue& b) {
    const IndexedMoves found = index_moves(b);
    const NewArray mask("bool", index_count(layout_of(b.rules)));
    std::memset(mask.data<bool>(), 0, mask.bytes());
    for (const MoveIndex index : found.indices) mask.data<bool>()[index] = true;
    return mask.array();
}

int move_to_index(const BoardValue& b, const MoveValue& m) {
    const IndexedMoves found = index_moves(b);
    for (std::size_t i = 0; i < found.moves.size(); ++i) {
        if (to_value(b.rules, b.position, found.moves[i]) == m) return found.indices[i];
    }
    throw nb::value_error("not a legal move of this position");
}

nb::object index_to_move(const BoardValue& b, std::int64_t index) {
    const IndexedMoves found = index_moves(b);
    for (std::size_t i = 0; i < found.moves.size(); ++i) {
        if (found.indices[i] == index) return to_python(b.rules, b.position, found.moves[i]);
    }
    throw nb::value_error("not the index of a legal move of this position: see `legal_mask`");
}

// --- batches ---

struct BatchValue {
    nb::object rules;
    unsigned threads;
    std::unique_ptr<Batch> batch;
};

constexpr std::size_t kMaxGames = 1 << 20;

// `starts` are boards with the same rules.
void init_batch(BatchValue* self, nb::object rules, std::int64_t n, unsigned threads,
                const nb::tuple& starts, std::uint64_t seed, std::uint32_t max_plies) {
    std::shared_ptr<const GameRules> game = game_rules_of(rules);
    if (n < 1 || n > static_cast<std::int64_t>(kMaxGames)) {
        throw nb::value_error("n: from 1 to 1048576 games");
    }
    if (threads < 1 || threads > 256) throw nb::value_error("threads: from 1 to 256");
    BatchOptions options{{}, seed, max_plies};
    for (const nb::handle start : starts) options.starts.push_back(board_of(start).position);
    std::unique_ptr<Batch> batch;
    {
        const ReleaseGil release;
        batch =
            Batch::of(std::move(game), static_cast<std::size_t>(n), threads, std::move(options));
    }
    new (self) BatchValue{std::move(rules), threads, std::move(batch)};
}

Mask batch_mask(nb::handle self) {
    Batch& batch = *nb::inst_ptr<BatchValue>(self)->batch;
    const std::size_t shape[] = {batch.size(), batch.actions()};
    static_assert(sizeof(bool) == 1);
    return Mask(reinterpret_cast<bool*>(batch.mask()), 2, shape, self);
}

// Returns null for None; raises ValueError for a wrong size.
const std::uint8_t* mask_of(const Batch& batch, const std::optional<Where>& where) {
    if (!where) return nullptr;
    if (where->shape(0) != batch.size()) {
        throw nb::value_error(("where: one for each of the " + std::to_string(batch.size()) +
                               " games, not " + std::to_string(where->shape(0)))
                                  .c_str());
    }
    return reinterpret_cast<const std::uint8_t*>(where->data());
}

nb::tuple batch_step(BatchValue& self, const Actions& actions, const std::optional<Where>& where) {
    Batch& batch = *self.batch;
    const std::uint8_t* moved = mask_of(batch, where);
    if (actions.shape(0) != batch.size()) {
        throw nb::value_error(("actions: one for each of the " + std::to_string(batch.size()) +
                               " games, not " + std::to_string(actions.shape(0)))
                                  .c_str());
    }
    const NewArray rewards("float32", batch.size());
    const NewArray ended("bool", batch.size());
    std::optional<std::size_t> wrong;
    {
        const ReleaseGil release;
        wrong =
            batch.step(actions.data(), moved, rewards.data<float>(), ended.data<std::uint8_t>());
    }
    if (wrong) {
        throw nb::value_error(("actions[" + std::to_string(*wrong) + "] is " +
                               std::to_string(actions.data()[*wrong]) +
                               ", which is not the index of a legal move: see `legal_mask`")
                                  .c_str());
    }
    return nb::make_tuple(rewards.array(), ended.array());
}

nb::object batch_observations(BatchValue& self) {
    Batch& batch = *self.batch;
    const Rules& rules = batch.rules().rules();
    const NewArray out("uint8", batch.size(), kPlanes, rules.height, rules.width);
    {
        const ReleaseGil release;
        batch.observe(out.data<std::uint8_t>());
    }
    return out.array();
}

nb::tuple batch_afterstates(BatchValue& self) {
    Batch& batch = *self.batch;
    const Rules& rules = batch.rules().rules();
    while (true) {  // retry if another thread has made moves in between
        std::size_t moves = 0;
        {
            const ReleaseGil release;
            moves = batch.count_moves();
        }
        const NewArray games("int64", moves);
        const NewArray actions("int64", moves);
        const NewArray out("uint8", moves, kPlanes, rules.height, rules.width);
        bool written = false;
        {
            const ReleaseGil release;
            written = batch.afterstates(moves, games.data<std::int64_t>(),
                                        actions.data<std::int64_t>(), out.data<std::uint8_t>());
        }
        if (written) return nb::make_tuple(games.array(), actions.array(), out.array());
    }
}

nb::object batch_evaluate(BatchValue& self, const EvaluationValue& evaluation) {
    Batch& batch = *self.batch;
    evaluation.require(batch.rules().rules());
    const NewArray out("int32", batch.size());
    {
        const ReleaseGil release;
        batch.visit([&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                out.data<std::int32_t>()[i] = evaluation(batch.position_now(i));
            }
        });
    }
    return out.array();
}

nb::object batch_white_to_move(BatchValue& self) {
    const NewArray out("bool", self.batch->size());
    {
        const ReleaseGil release;
        self.batch->white_to_move(out.data<std::uint8_t>());
    }
    return out.array();
}

nb::object batch_reasons(BatchValue& self) {
    const NewArray out("uint8", self.batch->size());
    {
        const ReleaseGil release;
        self.batch->reasons(out.data<std::uint8_t>());
    }
    return out.array();
}

nb::object batch_plies(BatchValue& self) {
    const NewArray out("int64", self.batch->size());
    {
        const ReleaseGil release;
        self.batch->plies(out.data<std::int64_t>());
    }
    return out.array();
}

nb::tuple batch_finals(BatchValue& self) {
    Batch& batch = *self.batch;
    const Rules& rules = batch.rules().rules();
    while (true) {  // retry if another thread has made moves in between
        const std::size_t ended = batch.final_count();
        const NewArray games("int64", ended);
        const NewArray out("uint8", ended, kPlanes, rules.height, rules.width);
        bool written = false;
        {
            const ReleaseGil release;
            written = batch.finals(ended, games.data<std::int64_t>(), out.data<std::uint8_t>());
        }
        if (written) return nb::make_tuple(games.array(), out.array());
    }
}

void batch_reset(BatchValue& self, const std::optional<Where>& where,
                 std::optional<std::uint64_t> seed) {
    Batch& batch = *self.batch;
    const std::uint8_t* begun = mask_of(batch, where);
    const ReleaseGil release;
    batch.reset(begun, seed);
}

nb::tuple batch_position(const BatchValue& self, std::int64_t game) {
    Batch& batch = *self.batch;
    if (game < 0 || game >= static_cast<std::int64_t>(batch.size())) {
        throw nb::index_error("game: index out of range");
    }
    const WidePosition p = batch.position(static_cast<std::size_t>(game));
    const Rules& rules = batch.rules().rules();
    return nb::make_tuple(pieces_text(rules, p) + streaks_text(layout_of(rules), p),
                          side_name(p.turn));
}

nb::bytes batch_state(BatchValue& self) {
    std::vector<std::uint64_t> words;
    {
        const ReleaseGil release;
        words = self.batch->save();
    }
    return nb::bytes(words.data(), words.size() * sizeof(std::uint64_t));
}

void set_batch_state(BatchValue& self, const nb::bytes& state) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::vector<std::uint64_t> words;  // empty, and so invalid, for a partial word
    if (state.size() % kWord == 0) words.resize(state.size() / kWord);
    if (!words.empty()) std::memcpy(words.data(), state.data(), state.size());
    bool good = false;
    {
        const ReleaseGil release;
        good = self.batch->load(words);
    }
    if (!good) throw nb::value_error("not a state of this number of games by these rules");
}

}  // namespace

void bind_arrays(nb::class_<BoardValue>& cls) {
    cls.def("tensor", &tensor, nb::lock_self(),
            nb::sig("def tensor(self) -> numpy.typing.NDArray[numpy.uint8]"),
            R"(Return an observation as a new array, planes × height × width, for learning.

`Rules.planes` names and describes the planes. Row 0 is the top and column 0 the left,
from White's view. Requires NumPy.

>>> import damka
>>> board = damka.Board("american")
>>> board.tensor().shape
(8, 8, 8)
>>> board.tensor()[board.rules.planes.index("black_men")][0]
array([0, 1, 0, 1, 0, 1, 0, 1], dtype=uint8)
)")
        .def("legal_mask", &legal_mask, nb::lock_self(),
             nb::sig("def legal_mask(self) -> numpy.typing.NDArray[numpy.bool_]"),
             R"(Return a new array with one bool per move index: whether it is legal here.

Raises PositionTooComplexError if there are too many moves to list.)")
        .def("move_to_index", &move_to_index, "move"_a, nb::lock_self(),
             nb::sig("def move_to_index(self, move: Move) -> int"),
             R"(Return the index of a legal move.

For n squares it is (start - 1) * n + end - 1. Of several captures with the same start
and end, the first by captured squares has this index; the others of the position are
numbered from n * n on, in the order of start, end and captured squares. There are n * n
+ 128 indices.

Raises ValueError for a move that is not legal here.

>>> import damka
>>> board = damka.Board("american")
>>> board.move_to_index(board.parse("11-15"))
334
)")
        .def("index_to_move", &index_to_move, "index"_a, nb::lock_self(),
             nb::sig("def index_to_move(self, index: int) -> Move"),
             "Return the legal move with an index. Raises ValueError for an unused index.");
}

void bind_batch(nb::module_& m) {
    nb::class_<BatchValue>(m, "Boards",
                           R"(A batch of games: the native base of damka.Boards.

`n` games, from 1 to 1,048,576, on 1 to 256 threads; ValueError for other numbers, and for
a start in which the game is over.)",
                           nb::is_weak_referenceable())
        .def("__init__", &init_batch, "rules"_a, "n"_a, "threads"_a, "starts"_a, "seed"_a,
             "max_plies"_a,
             nb::sig("def __init__(self, rules: Rules, n: int, threads: int, "
                     "starts: tuple[Board, ...], seed: int, max_plies: int) -> None"))
        .def_prop_ro(
            "rules", [](const BatchValue& b) { return b.rules; },
            nb::for_getter(nb::sig("def rules(self, /) -> Rules")), "The rules of the games.")
        .def(
            "__len__", [](const BatchValue& b) { return b.batch->size(); }, "The number of games.")
        .def_prop_ro(
            "actions", [](const BatchValue& b) { return b.batch->actions(); },
            "The number of actions: n * n + 128 on a board of n squares.")
        .def("legal_mask", &batch_mask,
             nb::sig("def legal_mask(self) -> numpy.typing.NDArray[numpy.bool_]"),
             R"(Return which actions are legal: games × actions.

The array is a view: `step` and `reset` update it.)")
        .def("step", &batch_step, "actions"_a, "where"_a = nb::none(), nb::lock_self(),
             nb::sig(
                 "def step(self, actions: numpy.typing.NDArray[numpy.int64], "
                 "where: numpy.typing.NDArray[numpy.bool_] | None = None) -> "
                 "tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]]"),
             R"(Make a move in every game; return rewards and ended flags, two new arrays.

The reward is 1 if the side that moved has won, -1 if it has lost, and 0 for a draw, a
truncated game, or a game in progress. Ended games restart. With `where`, only the
marked games make a move. Raises ValueError, and changes nothing, for an action that is
not legal or a wrong number of them.)")
        .def_prop_ro(
            "reasons", &batch_reasons, nb::lock_self(),
            nb::for_getter(nb::sig("def reasons(self, /) -> numpy.typing.NDArray[numpy.uint8]")),
            R"(The reasons why the last step ended games: a new array of indices into `REASONS`.

0 means a game in progress; after a reset all are 0.)")
        .def_prop_ro(
            "plies", &batch_plies, nb::lock_self(),
            nb::for_getter(nb::sig("def plies(self, /) -> numpy.typing.NDArray[numpy.int64]")),
            "The number of plies of each game: a new array.")
        .def("final_observations", &batch_finals, nb::lock_self(),
             nb::sig("def final_observations(self) -> tuple[numpy.typing.NDArray[numpy.int64], "
                     "numpy.typing.NDArray[numpy.uint8]]"),
             R"(Return the games that the last step ended, ascending, and their last observations.

The second array has an observation for each of these games, games × planes × height ×
width; `observations` has those of the restarted games.)")
        .def("observations", &batch_observations, nb::lock_self(),
             nb::sig("def observations(self) -> numpy.typing.NDArray[numpy.uint8]"),
             R"(Return `Board.tensor` of each game: games × planes × height × width.)")
        .def("afterstates", &batch_afterstates, nb::lock_self(),
             nb::sig("def afterstates(self) -> tuple[numpy.typing.NDArray[numpy.int64], "
                     "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint8]]"),
             R"(Return every legal move of every game: game, action and resulting observation.

The third array has the observations after the moves, moves × planes × height × width;
the other side is to move in them. Moves are ordered by game, and no move is played.

>>> import damka
>>> games = damka.Boards("american", 2)
>>> game, action, after = games.afterstates()
>>> game
array([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
>>> after.shape
(14, 8, 8, 8)
)")
        .def("_evaluate", &batch_evaluate, "evaluation"_a, nb::lock_self(),
             nb::sig("def _evaluate(self, evaluation: Evaluation) -> "
                     "numpy.typing.NDArray[numpy.int32]"),
             R"(Return each game's evaluation for its side to move, in hundredths of a man.

Raises ValueError for an evaluation by other rules.)")
        .def_prop_ro(
            "threads", [](const BatchValue& b) { return b.threads; }, "The number of threads.")
        .def("_state", &batch_state, nb::lock_self(), nb::sig("def _state(self) -> bytes"),
             "Return the serialised games, including draw counters.")
        .def("_set_state", &set_batch_state, "state"_a, nb::lock_self(),
             nb::sig("def _set_state(self, state: bytes) -> None"),
             R"(Restore the result of `_state` for the same rules and number of games.

Raises ValueError for anything else; then every game is restarted.)")
        .def_prop_ro("white_to_move", &batch_white_to_move, nb::lock_self(),
                     nb::for_getter(nb::sig(
                         "def white_to_move(self, /) -> numpy.typing.NDArray[numpy.bool_]")),
                     "Whether White is to move in each game: a new array.")
        .def("_position", &batch_position, "game"_a, nb::lock_self(),
             nb::sig("def _position(self, game: int) -> tuple[str, Side]"),
             "The pieces of a game, with the streaks of kings, and the side to move.")
        .def("reset", &batch_reset, "where"_a = nb::none(), "seed"_a = nb::none(), nb::lock_self(),
             nb::sig("def reset(self, where: numpy.typing.NDArray[numpy.bool_] | None = None, "
                     "seed: int | None = None) -> None"),
             R"(Restart every game, or those marked by `where`.

A `seed` also restarts the random choice of start positions.)");
}

}  // namespace damka::bindings
