#include "bindings/arrays.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/ruleset.hpp"
#include "game/batch.hpp"
#include "game/move_index.hpp"
#include "game/observation.hpp"
#include "movegen/movegen_table.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

using Mask = nb::ndarray<nb::numpy, bool, nb::ndim<2>>;
using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A new array of NumPy, whose own functions make it in a tenth of the time that handing over memory
// takes.
class NewArray {
   public:
    // The values are unset.
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
        return nb::module_::import_("numpy").attr(name);
    }

    // Not a static variable with this value: importing NumPy lets other threads run, and one that
    // came to wait for the variable would do so with Python's lock. Who comes second throws away
    // what it has found.
    static nb::handle empty() {
        static std::atomic<PyObject*> known{nullptr};
        PyObject* there = known.load(std::memory_order_acquire);
        if (there) [[likely]]
            return there;
        nb::object found = from_numpy("empty");
        if (!known.compare_exchange_strong(there, found.ptr())) return there;
        return found.release();
    }

    // Kept for good, because making one takes as long as making an array.
    static nb::handle dtype(const char* kind) {
        static PyObject* const known = nb::dict().release().ptr();
        const auto dtypes = nb::borrow<nb::dict>(known);
        const nb::str name(kind);
        if (!dtypes.contains(name)) dtypes.attr("setdefault")(name, from_numpy("dtype")(name));
        return PyDict_GetItem(known, name.ptr());
    }

    nb::object array_;
    Py_buffer buffer_;
};

// The legal moves of a board with their indices.
struct Indexed {
    std::vector<WideMove> moves;
    std::vector<std::int32_t> indices;
};

template <class Bits>
std::vector<WideMove> listed(const BoardValue& b) {
    MoveListOf<Bits> list;
    const CapturesListed complete;
    MoveGenTableOf<Bits>::of(b.rules).moves(b.rules, with_words<Bits>(b.position), list);
    complete.check();
    std::vector<WideMove> moves;
    for (const auto& move : list) moves.push_back(with_words<Wide>(move));
    return moves;
}

Indexed indexed(const BoardValue& b) {
    Indexed found;
    found.moves = b.rules.width == 12 ? listed<Wide>(b) : listed<std::uint64_t>(b);
    if (!index_moves(layout_of(b.rules), found.moves, found.indices)) raise_too_complex();
    return found;
}

nb::object tensor(const BoardValue& b) {
    const NewArray planes("uint8", kPlanes, b.rules.height, b.rules.width);
    const int occurrences =
        b.status.counts.reversible
            ? b.game_rules->repetitions(b.position, b.status, b.plies).occurrences
            : 1;
    PlaneWriter(b.rules).write(b.position, b.status, occurrences, planes.data<std::uint8_t>());
    return planes.array();
}

nb::object legal_mask(const BoardValue& b) {
    const Indexed found = indexed(b);
    const NewArray mask("bool", index_count(layout_of(b.rules)));
    std::memset(mask.data<bool>(), 0, mask.bytes());
    for (const std::int32_t index : found.indices) mask.data<bool>()[index] = true;
    return mask.array();
}

int move_to_index(const BoardValue& b, const MoveValue& m) {
    const Indexed found = indexed(b);
    for (std::size_t i = 0; i < found.moves.size(); ++i) {
        if (to_value(b.rules, b.position, found.moves[i]) == m) return found.indices[i];
    }
    throw nb::value_error("not a legal move of this position");
}

nb::object index_to_move(const BoardValue& b, std::int64_t index) {
    const Indexed found = indexed(b);
    for (std::size_t i = 0; i < found.moves.size(); ++i) {
        if (found.indices[i] == index) return to_python(b.rules, b.position, found.moves[i]);
    }
    throw nb::value_error("not the index of a legal move of this position: see `legal_mask`");
}

// --- many games ---

struct BatchValue {
    nb::object rules;
    std::unique_ptr<Batch> batch;
};

constexpr std::size_t kMaxGames = 1 << 20;

void init_batch(BatchValue* self, nb::object rules, std::int64_t n, unsigned threads) {
    std::shared_ptr<const GameRules> game = game_rules_of(rules);
    if (n < 1 || n > static_cast<std::int64_t>(kMaxGames)) {
        throw nb::value_error("n: from 1 to 1048576 games");
    }
    if (threads < 1 || threads > 256) throw nb::value_error("threads: from 1 to 256");
    std::unique_ptr<Batch> batch;
    {
        const WithoutLock release;
        batch = std::make_unique<Batch>(std::move(game), static_cast<std::size_t>(n), threads);
    }
    new (self) BatchValue{std::move(rules), std::move(batch)};
}

Mask batch_mask(nb::handle self) {
    Batch& batch = *nb::inst_ptr<BatchValue>(self)->batch;
    const std::size_t shape[] = {batch.size(), batch.actions()};
    static_assert(sizeof(bool) == 1);
    return Mask(reinterpret_cast<bool*>(batch.mask()), 2, shape, self);
}

nb::tuple batch_step(BatchValue& self, const Actions& actions) {
    Batch& batch = *self.batch;
    if (actions.shape(0) != batch.size()) {
        throw nb::value_error(("actions: one for each of the " + std::to_string(batch.size()) +
                               " games, not " + std::to_string(actions.shape(0)))
                                  .c_str());
    }
    const NewArray rewards("float32", batch.size());
    const NewArray ended("bool", batch.size());
    std::optional<std::size_t> wrong;
    {
        const WithoutLock release;
        wrong = batch.step(actions.data(), rewards.data<float>(), ended.data<std::uint8_t>());
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
        const WithoutLock release;
        batch.observe(out.data<std::uint8_t>());
    }
    return out.array();
}

nb::object batch_white_to_move(BatchValue& self) {
    const Batch& batch = *self.batch;
    const NewArray out("bool", batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        out.data<bool>()[i] = batch.position(i).turn == Side::white;
    }
    return out.array();
}

nb::tuple batch_position(const BatchValue& self, std::int64_t game) {
    const Batch& batch = *self.batch;
    if (game < 0 || game >= static_cast<std::int64_t>(batch.size())) {
        throw nb::index_error("no game of that number");
    }
    const WidePosition& p = batch.position(static_cast<std::size_t>(game));
    return nb::make_tuple(pieces_text(batch.rules().rules(), p), side_name(p.turn));
}

}  // namespace

void bind_arrays(nb::class_<BoardValue>& cls) {
    cls.def("tensor", &tensor, nb::lock_self())
        .def("legal_mask", &legal_mask, nb::lock_self())
        .def("move_to_index", &move_to_index, "move"_a, nb::lock_self())
        .def("index_to_move", &index_to_move, "index"_a, nb::lock_self());
}

void bind_batch(nb::module_& m) {
    nb::class_<BatchValue>(m, "Boards", "The native half of damka.Boards.")
        .def("__init__", &init_batch, "rules"_a, "n"_a, "threads"_a)
        .def_prop_ro("rules", [](const BatchValue& b) { return b.rules; })
        .def("__len__", [](const BatchValue& b) { return b.batch->size(); })
        .def_prop_ro("actions", [](const BatchValue& b) { return b.batch->actions(); })
        .def("legal_mask", &batch_mask)
        .def("step", &batch_step, "actions"_a, nb::lock_self())
        .def("observations", &batch_observations, nb::lock_self())
        .def_prop_ro("white_to_move", &batch_white_to_move, nb::lock_self())
        .def("_position", &batch_position, "game"_a, nb::lock_self())
        .def(
            "reset",
            [](BatchValue& b) {
                const WithoutLock release;
                b.batch->reset();
            },
            nb::lock_self());
}

}  // namespace damka::bindings
