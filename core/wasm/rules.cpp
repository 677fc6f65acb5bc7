// Rules, created from the numbers of damka.rules.parameters, and values derived from them.
#include <array>
#include <span>
#include <string_view>

#include "eval/weights.hpp"
#include "position/rules_reader.hpp"
#include "tablebase/file.hpp"
#include "wasm/objects.hpp"

namespace damka::wasm {

namespace {

constexpr std::size_t kMaxKeys = 8;

Span take_span(Reader& in) {
    const int least = in.take<std::int32_t>();
    return {least, in.take<std::int32_t>()};
}

Force take_force(Reader& in) {
    Force force;
    for (Span* span : {&force.men, &force.kings, &force.pieces}) *span = take_span(in);
    return force;
}

DrawRules take_draws(Reader& in) {
    DrawRules draws;
    draws.repetition = in.take<std::int32_t>();
    draws.same_move = in.take<std::int32_t>();
    draws.no_progress_plies = in.take<std::int32_t>();
    draws.game_plies = in.take<std::int32_t>();
    for (bool* flag : {&draws.pieces_only, &draws.moves_anywhere}) {
        *flag = in.take<std::int32_t>() != 0;
    }
    const auto n = in.take<std::uint32_t>();
    for (std::uint32_t i = 0; i < n && in.whole() && i <= kMaxMaterialDraws; ++i) {
        MaterialDraw draw;
        draw.plies = in.take<std::int32_t>();
        draw.strong = take_force(in);
        draw.weak = take_force(in);
        draw.pieces = take_span(in);
        for (bool* flag : {&draw.main_road, &draw.unchanged, &draw.strong_main_road}) {
            *flag = in.take<std::int32_t>() != 0;
        }
        draws.material.push_back(draw);
    }
    return draws;
}

}  // namespace

// Writes the names of the rules' fields in order, separated by spaces.
DAMKA_API(damka_fields) std::int32_t damka_fields() {
    return guarded([] {
        Writer out;
        Rules rules;
        for_each_field(rules, [&](const Field& field, auto&) {
            if (out.size()) out.text(" ");
            out.text(field.name);
        });
        return out.size();
    });
}

// Creates rules and returns their handle. The input is 32-bit numbers: for every field their count
// (one, or any for the precedence) and values; whether there is huffing; repetition, same move,
// plies without progress, plies of a game, whether positions are compared by their pieces only,
// whether the same move counts in any position, number of draws by material, and for each of these
// its plies, least and most of the strong side's men, kings and pieces, of the weak side's, of all
// pieces, and main_road, unchanged, strong_main_road. damka.rules.parameters documents them.
DAMKA_API(damka_rules) std::int32_t damka_rules(std::int32_t n) {
    return guarded([&]() -> std::int32_t {
        Reader in(n);
        Rules rules;
        std::array<long, kMaxKeys> numbers{};
        const char* unsupported = RulesReader::read(rules, [&](const Field&) {
            const auto size = in.take<std::uint32_t>();
            if (size > kMaxKeys) return std::span<const long>();
            for (std::uint32_t i = 0; i < size; ++i) numbers[i] = in.take<std::int32_t>();
            return std::span<const long>(numbers.data(), size);
        });
        if (!unsupported) {
            const bool huffing = in.take<std::int32_t>() != 0;
            const DrawRules draws = take_draws(in);
            if (in.done() && are_countable(draws)) {
                return register_object(std::make_shared<RulesObject>(rules, draws, huffing));
            }
            unsupported = "draw";
        }
        if (!in.whole()) return kNoInput;
        Writer().text(unsupported);
        return kNotPlayed;
    });
}

// Writes the square of every bit of a record: a byte for each of 128 bits, 0 for none.
DAMKA_API(damka_squares) std::int32_t damka_squares(std::int32_t handle) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        const Layout& layout = layout_of(rules->rules());
        return Writer().bytes(layout.square_of.data(), layout.square_of.size()).size();
    });
}

// Writes an 8-byte hash of the rules that affect the value of any endgame.
DAMKA_API(damka_fingerprint) std::int32_t damka_fingerprint(std::int32_t handle) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        return Writer().put(table_fingerprint(rules->rules())).size();
    });
}

// Writes the number of weights for such a board as 32-bit numbers: without the network, and of the
// network.
DAMKA_API(damka_weight_count) std::int32_t damka_weight_count(std::int32_t handle) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        const auto sizes = Weights::Sizes::of(Regions::of(rules->rules()));
        return Writer()
            .put(static_cast<std::uint32_t>(sizes.all()))
            .put(static_cast<std::uint32_t>(sizes.net))
            .size();
    });
}

}  // namespace damka::wasm
