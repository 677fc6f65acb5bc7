#include "bindings/training.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/board.hpp"
#include "bindings/engine.hpp"
#include "bindings/ruleset.hpp"
#include "bindings/tablebase.hpp"
#include "movegen/movegen_table.hpp"
#include "search/selfplay.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

// The weights are shared with running searches.
struct WeightsValue {
    std::shared_ptr<const Weights> weights;
};

Margins read_margins(nb::handle object) {
    if (object.is_none()) return {};
    const auto number = [&](const char* name) { return nb::cast<int>(object.attr(name)); };
    return {.probcut = number("probcut"),
            .probcut_per_ply = number("probcut_per_ply"),
            .lmr_base = number("lmr_base"),
            .lmr_scale = number("lmr_scale")};
}

std::shared_ptr<const Weights> make_weights(nb::handle rules, const nb::bytes& numbers, int step,
                                            int full_board, nb::handle margins) {
    if (numbers.size() % sizeof(std::int16_t)) throw nb::value_error("weights: 16-bit numbers");
    std::vector<std::int16_t> copy(numbers.size() / sizeof(std::int16_t));
    if (!copy.empty()) std::memcpy(copy.data(), numbers.data(), numbers.size());
    const Rules r = read_rules(rules);
    const Margins m = read_margins(margins);
    try {
        const ReleaseGil release;
        return std::make_shared<const Weights>(r, copy.data(), copy.size(), step, full_board, m);
    } catch (const std::invalid_argument& error) {
        throw nb::value_error(error.what());
    }
}

nb::dict layout(nb::handle rules) {
    const Regions r = Regions::of(read_rules(rules));
    nb::list regions;
    for (const Regions::Region& region : r.regions) {
        regions.append(nb::make_tuple(region.row, r.lanes[region.lane]));
    }
    nb::list traits;
    for (const char* name : kTraitNames) traits.append(name);
    const Weights::Sizes sizes = Weights::Sizes::of(r);
    nb::dict d;
    d["regions"] = nb::tuple(regions);
    d["rows"] = r.rows;
    d["columns"] = r.columns;
    d["views"] = r.views;
    d["squares"] = r.height * r.per_row;
    d["traits"] = nb::tuple(traits);
    d["parts"] = Weights::kParts;
    d["numbers"] = sizes.all();
    d["hidden"] = net::kHidden;
    d["net"] = sizes.net;
    d["net_one"] = net::kOne;
    d["net_output"] = net::kOutput;
    d["net_most_output"] = net::kMaxOutput;
    return d;
}

// --- position records: one or two words each for White's men, Black's men, White's kings and
// Black's kings, then the score (16 bits), the result and the side to move (8 bits each, Black 1)
// ---

template <class Bits>
constexpr std::size_t kRecord = 4 * sizeof(Bits) + 4;

template <class Bits>
void write_record(const Sample& sample, std::vector<char>& out) {
    const auto p = with_words<Bits>(sample.position);
    const std::size_t at = out.size();
    out.resize(at + kRecord<Bits>);
    char* to = out.data() + at;
    for (const Bits word : {p.men[0], p.men[1], p.kings[0], p.kings[1]}) {
        std::memcpy(to, &word, sizeof word);
        to += sizeof word;
    }
    std::memcpy(to, &sample.score, sizeof sample.score);
    to[2] = static_cast<char>(sample.result);
    to[3] = static_cast<char>(index(sample.position.turn));
}

template <class Bits>
PositionOf<Bits> read_record(const char* from, Bits board) {
    PositionOf<Bits> p{};
    for (Bits* word : {&p.men[0], &p.men[1], &p.kings[0], &p.kings[1]}) {
        std::memcpy(word, from, sizeof *word);
        *word &= board;
        from += sizeof *word;
    }
    p.turn = from[3] ? Side::black : Side::white;
    return p;
}

template <class T>
nb::bytes as_bytes(const std::vector<T>& items) {
    return nb::bytes(items.data(), items.size() * sizeof(T));
}

template <class Bits>
std::size_t count_records(const nb::bytes& records) {
    if (records.size() % kRecord<Bits>) throw nb::value_error("records: incomplete record");
    return records.size() / kRecord<Bits>;
}

// Features of the weights: the patterns' states, the traits, the kings by square, and whether the
// position is usable for fitting.
template <class Bits>
nb::tuple features(const Rules& rules, const nb::bytes& records) {
    const std::size_t n = count_records<Bits>(records);
    const EvaluationOf<Bits> evaluation(rules);
    const PatternsOf<Bits> patterns(rules, evaluation.map());
    const std::size_t width = patterns.regions().indices();
    std::vector<std::uint32_t> states(n * width);
    std::vector<std::int16_t> traits(n * kTraits);
    std::vector<std::int8_t> kings(n * patterns.squares());
    std::vector<std::uint8_t> fit(n);
    {
        const char* from = records.c_str();
        const ReleaseGil release;
        for (std::size_t i = 0; i < n; ++i, from += kRecord<Bits>) {
            const PositionOf<Bits> p = read_record<Bits>(from, evaluation.map().board);
            typename PatternsOf<Bits>::Indices indices;
            patterns.indices(p, indices);
            std::copy_n(indices.begin(), width,
                        states.begin() + static_cast<std::ptrdiff_t>(i * width));
            typename PatternsOf<Bits>::Traits numbers;
            patterns.traits(p, numbers);
            for (std::size_t t = 0; t < kTraits; ++t) {
                traits[i * kTraits + t] = static_cast<std::int16_t>(numbers[t]);
            }
            for (const Side side : {Side::white, Side::black}) {
                for_each(p.kings[index(side)], [&](int bit) {
                    std::int8_t& king = kings[i * patterns.squares() + patterns.square(bit, side)];
                    king = static_cast<std::int8_t>(king + (side == Side::white ? 1 : -1));
                });
            }
            fit[i] = evaluation.fits(p);
        }
    }
    return nb::make_tuple(as_bytes(states), as_bytes(traits), as_bytes(kings), as_bytes(fit));
}

// Network inputs of positions: White's view, then Black's, in the order of net::Rows, one byte
// each: the number of pieces on a square, up to two where the board's halves are equivalent.
template <class Bits>
nb::bytes net_inputs(const Rules& rules, const nb::bytes& records) {
    const std::size_t n = count_records<Bits>(records);
    const BoardMap<Bits> map(rules);
    const PatternsOf<Bits> patterns(rules, map);
    const net::Rows rows{patterns.squares()};
    std::vector<std::uint8_t> counts(n * 2 * rows.inputs());
    {
        const char* from = records.c_str();
        const ReleaseGil release;
        std::uint8_t* to = counts.data();
        for (std::size_t i = 0; i < n; ++i, from += kRecord<Bits>) {
            const PositionOf<Bits> p = read_record<Bits>(from, map.board);
            for (const Side view : {Side::white, Side::black}) {
                for (const Side owner : {Side::white, Side::black}) {
                    const bool enemy = owner != view;
                    for_each(p.men[index(owner)], [&](int bit) {
                        ++to[rows.piece(false, enemy, patterns.square(bit, view))];
                    });
                    for_each(p.kings[index(owner)], [&](int bit) {
                        ++to[rows.piece(true, enemy, patterns.square(bit, view))];
                    });
                }
                to[rows.turn()] = p.turn == view;
                to[rows.bias()] = 1;
                to += rows.inputs();
            }
        }
    }
    return as_bytes(counts);
}

// Static evaluations of positions for White, in hundredths of a man, 32 bits each.
template <class Bits>
nb::bytes evaluations(const Rules& rules, const nb::bytes& records,
                      std::shared_ptr<const Weights> weights) {
    const std::size_t n = count_records<Bits>(records);
    const EvaluationOf<Bits> evaluation(rules, std::move(weights));
    std::vector<std::int32_t> out(n);
    {
        const char* from = records.c_str();
        const ReleaseGil release;
        for (std::size_t i = 0; i < n; ++i, from += kRecord<Bits>) {
            const PositionOf<Bits> p = read_record<Bits>(from, evaluation.map().board);
            const int score = evaluation(p, kNoLimit);
            out[i] = p.turn == Side::white ? score : -score;
        }
    }
    return as_bytes(out);
}

// --- games ---

Limits read_limits(std::uint64_t nodes, double seconds) {
    Limits limits;
    if (nodes) limits.nodes = nodes;
    if (seconds > 0) limits.seconds = seconds;
    if (!nodes && seconds <= 0) throw nb::value_error("a move needs a limit");
    return limits;
}

template <class Bits>
nb::tuple play(const Rules& rules, const DrawRules& draws, const SelfPlaySettings& settings,
               std::uint64_t first, std::uint64_t count, const StopToken& signal) {
    std::vector<std::int8_t> results;
    std::vector<char> records;
    std::uint64_t plies = 0;
    {
        const ReleaseGil release;
        SelfPlayOf<Bits> games(rules, draws, settings, search_by);
        for (std::uint64_t i = first; i < first + count; ++i) {
            const std::optional<FinishedGame> game = games.play(i, signal);
            if (!game) break;
            results.push_back(static_cast<std::int8_t>(game->result));
            plies += static_cast<std::uint64_t>(game->plies);
            for (const Sample& sample : game->samples) write_record<Bits>(sample, records);
        }
    }
    return nb::make_tuple(as_bytes(results), as_bytes(records), plies);
}

}  // namespace

std::shared_ptr<const Weights> weights_of(nb::handle object) {
    if (object.is_none()) return nullptr;
    if (!nb::isinstance<WeightsValue>(object)) throw nb::type_error("weights: Weights or None");
    return nb::cast<WeightsValue&>(object).weights;
}

void bind_training(nb::module_& m) {
    nb::class_<WeightsValue>(m, "Weights", "Learned weights of an evaluation, shared by searches.")
        .def(
            "__init__",
            [](WeightsValue* self, nb::handle rules, const nb::bytes& numbers, int step,
               int full_board, nb::handle margins) {
                new (self) WeightsValue{make_weights(rules, numbers, step, full_board, margins)};
            },
            "rules"_a, "numbers"_a, "step"_a, "full_board"_a, "margins"_a = nb::none(),
            nb::sig("def __init__(self, rules: Rules, numbers: bytes, step: int, full_board: int, "
                    "margins: Any = None) -> None"));

    m.def("weights_layout", &layout, "rules"_a,
          nb::sig("def weights_layout(rules: Rules) -> dict[str, Any]"),
          "Return the layout of weights for a board.");
    m.def(
        "evaluate",
        [](nb::handle board, nb::handle weights) {
            const BoardValue& b = board_of(board);
            const std::shared_ptr<const Weights> w = weights_of(weights);
            return with_word(b.rules, [&](auto zero) {
                using Bits = decltype(zero);
                return EvaluationOf<Bits>(b.rules, w)(with_words<Bits>(b.position), kNoLimit);
            });
        },
        "board"_a, "weights"_a.none(),
        nb::sig("def evaluate(board: Board, weights: Weights | None) -> int"),
        "Return the static evaluation for the side to move, in hundredths of a man.");
    m.def(
        "position_features",
        [](nb::handle rules, const nb::bytes& records) {
            const Rules r = read_rules(rules);
            return with_word(r, [&](auto zero) { return features<decltype(zero)>(r, records); });
        },
        "rules"_a, "records"_a,
        nb::sig("def position_features(rules: Rules, records: bytes) -> tuple[bytes, bytes, bytes, "
                "bytes]"),
        "Return the features of recorded positions.");
    m.def(
        "network_inputs",
        [](nb::handle rules, const nb::bytes& records) {
            const Rules r = read_rules(rules);
            return with_word(r, [&](auto zero) { return net_inputs<decltype(zero)>(r, records); });
        },
        "rules"_a, "records"_a,
        nb::sig("def network_inputs(rules: Rules, records: bytes) -> bytes"),
        "Return the network inputs of recorded positions.");
    m.def(
        "evaluate_records",
        [](nb::handle rules, const nb::bytes& records, nb::handle weights) {
            const Rules r = read_rules(rules);
            const std::shared_ptr<const Weights> w = weights_of(weights);
            return with_word(r,
                             [&](auto zero) { return evaluations<decltype(zero)>(r, records, w); });
        },
        "rules"_a, "records"_a, "weights"_a.none(),
        nb::sig("def evaluate_records(rules: Rules, records: bytes, weights: Weights | None) -> "
                "bytes"),
        "Return the static evaluations for White, in hundredths of a man, as 32-bit integers.");
    m.def(
        "play_games",
        [](nb::handle rules, std::uint64_t first, std::uint64_t count, std::uint64_t seed,
           nb::handle one, nb::handle two, std::uint64_t nodes, double seconds, bool pairs,
           int opening_plies, int opening_bound, int random_moves, bool record, nb::handle tables,
           nb::handle stop) {
            const Rules r = read_rules(rules);
            const DrawRules draws = read_draws(rules);
            const Limits limits = read_limits(nodes, seconds);
            SelfPlaySettings settings;
            settings.players = {{{weights_of(one), limits}, {weights_of(two), limits}}};
            settings.pairs = pairs;
            settings.seed = seed;
            settings.opening_plies = opening_plies;
            settings.opening_bound = opening_bound;
            settings.random_moves = random_moves;
            settings.record = record;
            const std::shared_ptr<const TableSet> endgames = tables_of(tables, r);
            settings.tables = endgames.get();
            return with_word(r, [&](auto zero) {
                return play<decltype(zero)>(r, draws, settings, first, count, signal_of(stop));
            });
        },
        "rules"_a, nb::kw_only(), "first"_a, "count"_a, "seed"_a, "one"_a.none(), "two"_a.none(),
        "nodes"_a, "seconds"_a, "pairs"_a, "opening_plies"_a, "opening_bound"_a, "random_moves"_a,
        "record"_a, "tables"_a.none(), "stop"_a.none(),
        nb::sig("def play_games(rules: Rules, *, first: int, count: int, seed: int, "
                "one: Weights | None, two: Weights | None, nodes: int, seconds: float, "
                "pairs: bool, opening_plies: int, opening_bound: int, random_moves: int, "
                "record: bool, tables: Tables | None, stop: Stop | None) -> "
                "tuple[bytes, bytes, int]"),
        "Play complete games; return the results, the positions and the plies.");
}

}  // namespace damka::bindings
