#include "bindings/tablebase.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/board.hpp"
#include "bindings/ruleset.hpp"
#include "movegen/movegen_table.hpp"
#include "position/board_map.hpp"
#include "tablebase/file_source.hpp"
#include "tablebase/study.hpp"
#include "tablebase/verify.hpp"
#include "tablebase/writer.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

constexpr int kMaxJobs = 256;

void check_jobs(int jobs) {
    if (jobs < 1 || jobs > kMaxJobs) throw nb::value_error("jobs: 1 to 256");
}

Material read_material(std::string_view name) {
    Material m;
    Material::Side* side = &m.own;
    for (const char c : name) {
        if (c == 'K') {
            ++side->kings;
        } else if (c == 'M') {
            ++side->men;
        } else if (c == 'v' && side == &m.own) {
            side = &m.their;
        } else {
            throw nb::value_error("material: as in KKvM");
        }
        if (m.pieces() > kMaxTablePieces)
            throw nb::value_error("material: too many pieces for a table");
    }
    if (!m.own.pieces() || !m.their.pieces()) throw nb::value_error("material: as in KKvM");
    return m;
}

// Periodically calls `callback(level, done, of)` and checks for Ctrl-C.
class PythonProgress : public Progress {
   public:
    explicit PythonProgress(nb::handle callback) : callback_(callback) {}

    bool report(int level, std::uint64_t done, std::uint64_t of) override {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return false;
        next_ = now + std::chrono::milliseconds(100);
        const AcquireGil gil;
        if (PyErr_CheckSignals() != 0) return failed_ = true;
        if (callback_.is_none()) return false;
        try {
            callback_(level, done, of);
        } catch (nb::python_error& error) {
            error.restore();
            failed_ = true;
        }
        return failed_;
    }

    // Runs f without the GIL, then raises any Python exception set meanwhile.
    template <class F>
    void watch(F&& f) {
        try {
            const ReleaseGil release;
            f();
        } catch (const Interrupted&) {
            if (!failed_) throw;
        } catch (const TableError& error) {
            throw nb::value_error(error.what());
        }
        if (failed_) nb::raise_python_error();
    }

   private:
    nb::handle callback_;
    bool failed_ = false;  // a Python error is set
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

nb::object to_python(const Rules& rules, int value) {
    if (value < 0) return nb::none();
    const int plies = value == kTableDraw ? 0 : value - 1;
    const bool lost =
        SuccessorValues::lost(static_cast<TableValue>(value), rules.objective == Objective::losing);
    return nb::make_tuple(value == kTableDraw ? 0 : lost ? -1 : 1, plies);
}

nb::tuple to_python(const TableCounts& c) {
    return nb::make_tuple(c.positions, c.wins, c.draws, c.losses, c.longest_win, c.longest_loss);
}

nb::tuple to_python(const TableView& view) {
    nb::list halves;
    for (const TableView::Half& half : view.halves()) {
        halves.append(nb::make_tuple(half.material.name(), to_python(half.counts)));
    }
    return nb::tuple(halves);
}

template <class Bits>
std::string pieces_of(const Rules& rules, const PositionOf<Bits>& p) {
    const Layout& layout = layout_of(rules);
    std::string text;
    for (int square = 1; square <= layout.squares; ++square) {
        text += piece_at(p, layout.bit(square));
    }
    return text;
}

template <class Bits>
class ReaderOf : public OpenTables::Reader {
   public:
    explicit ReaderOf(std::shared_ptr<const TableSet> set)
        : set_(std::move(set)), reader_(*set_), oracle_(set_->rules(), reader_) {}

    int value(const WidePosition& p) override {
        const int found = oracle_.value(with_words<Bits>(p));
        if (found == StoreOf<Bits>::kDamaged) throw TableError(reader_.fault());
        return found;
    }

   private:
    const std::shared_ptr<const TableSet> set_;
    TableReaderOf<Bits> reader_;
    OracleOf<Bits> oracle_;
};

void check_rules(const Rules& of_tables, const Rules& rules) {
    if (table_fingerprint(rules) != table_fingerprint(of_tables)) {
        throw nb::value_error("the board and the tables have different rules");
    }
}

nb::object probe(OpenTables& tables, nb::handle board) {
    nb::ft_object_guard guard(board);
    const BoardValue& b = board_of(board);
    const Rules& rules = tables.rules();
    check_rules(rules, b.rules);
    return to_python(rules, tables.value(b.position));
}

nb::bytes build(const OpenTables& tables, std::string_view name, int jobs, nb::handle on_progress) {
    check_jobs(jobs);
    const Material material = read_material(name);
    const std::shared_ptr<const TableSet> shared_set = tables.set();
    const TableSet& set = *shared_set;
    PythonProgress progress(on_progress);
    std::vector<std::uint8_t> bytes;
    progress.watch([&] {
        with_word(set.rules(), [&](auto zero) {
            using Bits = decltype(zero);
            UnpackedOf<Bits> unpacked(set);
            BuilderOf<Bits> builder(set.rules(), material, unpacked, static_cast<unsigned>(jobs),
                                    progress);
            builder.run();
            bytes = TableWriter<Bits>(set.rules(), builder).bytes();
        });
    });
    return nb::bytes(bytes.data(), bytes.size());
}

nb::tuple verify(const OpenTables& tables, std::string_view name, std::uint64_t one_of,
                 std::uint64_t seed, int jobs, nb::handle on_progress) {
    check_jobs(jobs);
    const Material material = read_material(name);
    const std::shared_ptr<const TableSet> shared_set = tables.set();
    const TableSet& set = *shared_set;
    const TableView::Half* half = set.half(material);
    if (!half) throw nb::value_error("no table of this material");
    PythonProgress progress(on_progress);
    nb::object fault = nb::none();
    TableCounts counts;
    std::uint64_t faults = 0;
    std::string first;
    int found = 0;
    int expected = 0;
    progress.watch([&] {
        with_word(set.rules(), [&](auto zero) {
            using Bits = decltype(zero);
            VerifierOf<Bits> verifier(set, static_cast<unsigned>(jobs), progress);
            const auto report = verifier.run(*half, one_of, seed);
            counts = report.counts;
            faults = report.faults;
            if (!faults) return;
            first = pieces_of(set.rules(), report.first.position);
            found = report.first.found;
            expected = report.first.expected;
        });
    });
    if (faults) {
        fault =
            nb::make_tuple(first, to_python(set.rules(), found), to_python(set.rules(), expected));
    }
    return nb::make_tuple(to_python(counts), faults, fault);
}

// Calls f with a study of the tables, without the GIL.
template <class F>
void study(const OpenTables& tables, std::string_view name, F&& f) {
    const Material material = read_material(name);
    const std::shared_ptr<const TableSet> set = tables.set();
    const nb::object no_callback = nb::none();
    PythonProgress progress(no_callback);
    progress.watch([&] {
        with_word(set->rules(), [&](auto zero) {
            StudyOf<decltype(zero)> of(*set, progress);
            f(of, material);
        });
    });
}

nb::list longest(const OpenTables& tables, std::string_view name, std::size_t n) {
    std::vector<std::pair<std::string, int>> found;
    study(tables, name, [&](auto& of, const Material& material) {
        for (const auto& [p, value] : of.longest(material, n)) {
            found.emplace_back(pieces_of(tables.rules(), p), value - 1);
        }
    });
    nb::list list;
    for (const auto& [pieces, plies] : found) list.append(nb::make_tuple(pieces, plies));
    return list;
}

int max_no_progress_plies(const OpenTables& tables, std::string_view name) {
    int plies = 0;
    study(tables, name,
          [&](auto& of, const Material& material) { plies = of.max_no_progress_plies(material); });
    return plies;
}

nb::list materials(nb::handle rules_object, int pieces) {
    if (pieces < 2 || pieces > kMaxTablePieces) throw nb::value_error("pieces: 2 to 6");
    const Rules rules = read_rules(rules_object);
    nb::list list;
    for (const Material& m : table_materials(rules, pieces)) {
        const std::uint64_t positions = with_word(rules, [&](auto zero) {
            const auto masks = BoardMasksOf<decltype(zero)>::of(rules);
            const std::uint64_t own = table_positions(masks, m);
            return m.own == m.their ? own : own + table_positions(masks, m.swapped());
        });
        list.append(nb::make_tuple(m.name(), positions));
    }
    return list;
}

}  // namespace

int OpenTables::value(const WidePosition& p) {
    const std::lock_guard lock(read_mutex_);
    if (!reader_) {
        with_word(rules_,
                  [&](auto zero) { reader_ = std::make_unique<ReaderOf<decltype(zero)>>(set_); });
    }
    return reader_->value(p);
}

const TableView& OpenTables::add(nb::handle path) {
    PyObject* encoded = nullptr;
    if (!PyUnicode_FSConverter(path.ptr(), &encoded)) nb::raise_python_error();
    const nb::bytes name = nb::steal<nb::bytes>(encoded);
    auto file = FileSource::open(name.c_str());
    if (!file) {
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path.ptr());
        nb::raise_python_error();
    }
    try {
        const std::lock_guard lock(change_mutex_);
        auto more = std::make_shared<TableSet>(*set_);
        const TableView& view = more->add(std::move(file));
        const std::lock_guard read_lock(read_mutex_);
        set_ = std::move(more);
        reader_.reset();
        return view;
    } catch (const TableError& error) {
        throw nb::value_error(error.what());
    }
}

std::shared_ptr<const TableSet> tables_of(nb::handle object, const Rules& rules) {
    if (object.is_none()) return nullptr;
    const OpenTables& tables = nb::cast<const OpenTables&>(object);
    check_rules(tables.rules(), rules);
    return tables.set();
}

void bind_tablebase(nb::module_& m) {
    nb::class_<OpenTables>(
        m, "Tables",
        "The open tables of a rule set: the native part of damka.tablebase.Tablebases.")
        .def(
            "__init__",
            [](OpenTables* self, nb::handle rules) { new (self) OpenTables(read_rules(rules)); },
            "rules"_a, nb::sig("def __init__(self, rules: Rules) -> None"))
        .def(
            "add", [](OpenTables& self, nb::handle path) { return to_python(self.add(path)); },
            "path"_a, nb::sig("def add(self, path: Path) -> tuple[tuple[str, Counts], ...]"),
            R"(Open a file; return its halves, each with a name and the counts of results.

Raises OSError for an unreadable file, ValueError for a file that is not a table of
these rules.)")
        .def_static(
            "intact",
            [](nb::handle rules, nb::handle path) {
                OpenTables tables(read_rules(rules));
                return tables.add(path).intact();
            },
            "rules"_a, "path"_a, nb::sig("def intact(rules: Rules, path: Path) -> bool"),
            "Whether a file is a table of these rules with correct checksums.")
        .def_prop_ro(
            "pieces", [](const OpenTables& self) { return self.set()->pieces(); },
            "The largest number of pieces in any table; 0 without tables.")
        .def("probe", &probe, "board"_a,
             nb::sig("def probe(self, board: Board) -> tuple[int, int] | None"),
             R"(Return the result for the side to move (1, 0, -1) and the plies to the end.

Returns None without a table. Raises RuntimeError for a damaged table, ValueError for a
board with other rules.)")
        .def("build", &build, "material"_a, nb::kw_only(), "jobs"_a, "on_progress"_a.none(),
             nb::sig("def build(self, material: str, *, jobs: int, on_progress: OnProgress) -> "
                     "bytes"),
             R"(Build a table from the open tables of its successors; return the file's bytes.

Raises ValueError if one of these is missing.)")
        .def("verify", &verify, "material"_a, nb::kw_only(), "one_of"_a, "seed"_a, "jobs"_a,
             "on_progress"_a.none(),
             nb::sig("def verify(self, material: str, *, one_of: int, seed: int, jobs: int, "
                     "on_progress: OnProgress) -> tuple[Counts, int, tuple[str, tuple[int, int], "
                     "tuple[int, int]] | None]"),
             R"(Verify about one in `one_of` values of a table against their successors' values.

Returns the counts, the number of wrong values, and the first wrong one: its position,
the stored value and the correct one.)")
        .def("longest", &longest, "material"_a, "n"_a,
             nb::sig("def longest(self, material: str, n: int) -> list[tuple[str, int]]"),
             "Return the `n` longest wins with White to move, with their plies.")
        .def("stretch", &max_no_progress_plies, "material"_a,
             nb::sig("def stretch(self, material: str) -> int"),
             "Return the longest run of plies without progress that a win needs.");

    m.def(
        "table_fingerprint", [](nb::handle rules) { return table_fingerprint(read_rules(rules)); },
        "rules"_a, nb::sig("def table_fingerprint(rules: Rules) -> int"),
        "Return a hash of the rules that affect the value of any endgame.");
    m.def("table_materials", &materials, "rules"_a, "pieces"_a,
          nb::sig("def table_materials(rules: Rules, pieces: int) -> list[tuple[str, int]]"),
          "Return the materials of up to `pieces` pieces and their sizes, in build order.");
}

}  // namespace damka::bindings
