#include "bindings/pdn.hpp"

#include <nanobind/stl/string.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/board.hpp"
#include "bindings/move.hpp"
#include "bindings/ruleset.hpp"
#include "pdn/game_text.hpp"
#include "pdn/play.hpp"
#include "position/read_position.hpp"

namespace damka::bindings {

using namespace nb::literals;

namespace {

std::string_view view(const nb::bytes& data) { return {data.c_str(), data.size()}; }

nb::object bytes_of(std::string_view text) { return nb::bytes(text.data(), text.size()); }

// Decodes UTF-8 as a string, anything else as bytes.
nb::object decoded(std::string_view text) {
    PyObject* string =
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
    if (string) return nb::steal(string);
    PyErr_Clear();
    return bytes_of(text);
}

nb::object unescaped(std::string_view value) {
    if (value.find('\\') == std::string_view::npos) return decoded(value);
    std::string plain;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const bool escape = value[i] == '\\' && i + 1 < value.size() &&
                            (value[i + 1] == '"' || value[i + 1] == '\\');
        plain += value[escape ? ++i : i];
    }
    return decoded(plain);
}

const char* word(pdn::Fault fault) {
    switch (fault) {
        case pdn::Fault::none: return "";
        case pdn::Fault::nested_comment: return "nested_comment";
        case pdn::Fault::open_comment: return "open_comment";
        case pdn::Fault::too_many_tags: return "too_many_tags";
        case pdn::Fault::unreadable: return "unreadable";
        case pdn::Fault::no_square: return "no_square";
        case pdn::Fault::illegal: return "illegal";
        case pdn::Fault::setup: return "setup";
        case pdn::Fault::too_deep: return "too_deep";
        case pdn::Fault::too_many: return "too_many";
        case pdn::Fault::too_complex: return "too_complex";
        case pdn::Fault::tag: return "tag";
        case pdn::Fault::sign: return "sign";
        case pdn::Fault::unknown_move: return "unknown_move";
        case pdn::Fault::number: return "number";
        case pdn::Fault::ambiguous: return "ambiguous";
        case pdn::Fault::open_variation: return "open_variation";
        case pdn::Fault::extra_close: return "extra_close";
        case pdn::Fault::result_inside: return "result_inside";
        case pdn::Fault::moves_in_comment: return "moves_in_comment";
        case pdn::Fault::too_many_faults: return "too_many_faults";
    }
    return "";
}

nb::object find_game(const nb::bytes& data, std::size_t at, bool final) {
    const std::string_view text = view(data);
    if (at > text.size()) throw nb::index_error("offset beyond the end of the text");
    pdn::GameText game;
    pdn::find_game(text, at, final, game);
    if (game.state == pdn::GameText::State::unfinished) return nb::none();
    if (game.state == pdn::GameText::State::none) return nb::bool_(false);
    nb::dict tags;
    for (const pdn::Tag& tag : game.tags) {
        tags[nb::str(tag.name.data(), tag.name.size())] = unescaped(tag.value);
    }
    nb::object damages = nb::none();
    if (!game.damages.empty()) {
        nb::list list;
        for (const auto& each : game.damages) {
            list.append(nb::make_tuple(word(each.fault), each.begin, each.end));
        }
        damages = list;
    }
    return nb::make_tuple(tags, game.begin, game.moves, game.end, game.next, damages);
}

constexpr std::size_t kLabels = 512;

pdn::Labels read_labels(const nb::bytes& table) {
    if (table.size() != kLabels) throw nb::value_error("labels: 512 bytes");
    pdn::Labels labels;
    std::memcpy(labels.numbers.data(), table.c_str(), labels.numbers.size());
    const char* letters = table.c_str() + labels.numbers.size();
    for (auto& file : labels.letters) {
        std::memcpy(file.data(), letters, file.size());
        letters += file.size();
    }
    return labels;
}

std::string pieces_of(const Rules& rules, const WidePosition& p) {
    const Layout& layout = layout_of(rules);
    std::string text;
    for (int square = 1; square <= layout.squares; ++square) {
        text += piece_at(p, layout.bit(square));
    }
    return text + streaks_text(layout, p);
}

struct Setup {
    const nb::object& read;
    const Layout& layout;
};

// Calls Python, which returns (pieces, turn), or None for an invalid position.
bool set_up(void* data, std::string_view fen, WidePosition& out) {
    const auto& setup = *static_cast<const Setup*>(data);
    const nb::object found = setup.read(bytes_of(fen));
    if (found.is_none()) return false;
    const auto pieces = nb::cast<std::string>(found[0]);
    return read_position(setup.layout, pieces, read_side(found[1]), out);
}

nb::object event_object(const Rules& rules, std::string_view text, const pdn::Event& event) {
    switch (event.kind) {
        case pdn::Kind::move: return to_python(rules, event.position, event.move);
        case pdn::Kind::comment: return decoded(text.substr(event.begin, event.end - event.begin));
        case pdn::Kind::nag: return nb::int_(event.nag);
        case pdn::Kind::open: return nb::bool_(true);
        case pdn::Kind::close: return nb::bool_(false);
        default:
            return nb::make_tuple(pieces_of(rules, event.position), side_name(event.position.turn));
    }
}

nb::object problem_of(const Rules& rules, const pdn::Problem& problem) {
    nb::object rest = nb::none();
    nb::object where = nb::none();
    if (problem.stops) {
        rest = nb::make_tuple(problem.rest, problem.line_end);
        where =
            nb::make_tuple(pieces_of(rules, problem.position), side_name(problem.position.turn));
    }
    return nb::make_tuple(word(problem.fault), problem.begin, problem.end, problem.depth != 0, rest,
                          where);
}

nb::object play_game(nb::handle board, const nb::bytes& data, std::size_t begin, std::size_t end,
                     const nb::bytes& labels, const nb::bytes& result, const nb::object& setup,
                     bool offences, bool tolerant, bool tree) {
    const std::string_view text = view(data);
    if (begin > end || end > text.size())
        throw nb::index_error("offset beyond the end of the text");
    const Rules rules = board_of(board).rules;
    const pdn::Labels names = read_labels(labels);
    std::vector<pdn::Event> events;
    Setup reader{setup, layout_of(rules)};
    const pdn::Request request{rules,        names,    board_of(board).position,
                               view(result), offences, tree ? &events : nullptr,
                               tolerant,     set_up,   &reader};
    const pdn::Playthrough playthrough = pdn::play(request, text, begin, end);
    nb::object list = nb::none();
    if (tree) {
        nb::list objects;
        for (const pdn::Event& event : events) objects.append(event_object(rules, text, event));
        list = objects;
    }
    nb::object problems = nb::none();
    if (!playthrough.problems.empty()) {
        nb::list all;
        for (const pdn::Problem& problem : playthrough.problems)
            all.append(problem_of(rules, problem));
        problems = all;
    }
    return nb::make_tuple(playthrough.moves, decoded(playthrough.result), problems, list);
}

}  // namespace

void bind_pdn(nb::module_& m) {
    m.def("pdn_find", &find_game, "data"_a, "at"_a, "final"_a,
          nb::sig("def pdn_find(data: bytes, at: int, final: bool) -> Found | bool | None"),
          R"(Find the first game at or after an offset in PDN text.

Returns False if there is no game, and None if more text is needed, which cannot happen
if the text is `final`.)");
    m.def("pdn_play", &play_game, "board"_a, "data"_a, "begin"_a, "end"_a, "labels"_a, "result"_a,
          "setup"_a, "offences"_a, "tolerant"_a, "tree"_a,
          nb::sig("def pdn_play(board: Board, data: bytes, begin: int, end: int, labels: bytes, "
                  "result: bytes, setup: Callable[[bytes], tuple[str, Side] | None], "
                  "offences: bool, tolerant: bool, tree: bool) -> PdnReplay"),
          R"(Play a movetext from a board's position by its rules.

With `tolerant`, a line ends at its first fault and reading continues after the line;
without it, reading ends at the first fault.)");
}

}  // namespace damka::bindings
