#include "bindings/ruleset.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace damka::bindings {

namespace {

// The kernel's value for a text; `choices` pairs each text with one.
template <class T>
T choose(nb::handle rules, const char* key,
         std::initializer_list<std::pair<std::string_view, T>> choices) {
    const nb::object value = rules.attr(key);
    const char* text = PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8(value.ptr()) : nullptr;
    if (text) {
        for (const auto& [name, choice] : choices) {
            if (name == text) return choice;
        }
    } else {
        PyErr_Clear();
    }
    throw nb::value_error((std::string("the kernel does not play this ") + key).c_str());
}

int whole(nb::handle rules, const char* key, int low, int high) {
    const long value = PyLong_AsLong(nb::object(rules.attr(key)).ptr());
    if (value == -1 && PyErr_Occurred()) nb::raise_python_error();
    if (value < low || value > high) {
        throw nb::value_error((std::string("the kernel does not play this ") + key).c_str());
    }
    return static_cast<int>(value);
}

}  // namespace

Side read_side(nb::handle side) {
    if (PyUnicode_Check(side.ptr())) {
        if (PyUnicode_CompareWithASCIIString(side.ptr(), "W") == 0) return Side::white;
        if (PyUnicode_CompareWithASCIIString(side.ptr(), "B") == 0) return Side::black;
    }
    throw nb::value_error("a side is \"W\" or \"B\"");
}

Rules read_rules(nb::handle rules) {
    Rules r;
    r.all_squares = choose<bool>(rules, "squares", {{"dark", false}, {"all", true}});
    r.width = whole(rules, "width", 6, 12);
    r.height = whole(rules, "height", 6, 12);
    const bool square = r.width == r.height && r.width % 2 == 0;
    if (r.all_squares ? r.width != 8 || r.height != 8
                      : !square && (r.width != 10 || r.height != 8)) {
        throw nb::value_error("the kernel does not play on this board");
    }
    r.rows = whole(rules, "rows", 1, (r.height - 1) / 2);
    r.rows_behind = whole(rules, "rows_behind", 0, (r.height - 1) / 2 - r.rows);
    r.dark_left = choose<bool>(rules, "dark_corner", {{"left", true}, {"right", false}});
    r.first = read_side(rules.attr("first"));
    r.flying_kings = choose<bool>(rules, "king_range", {{"flying", true}, {"short", false}});
    r.men_capture_back = choose<bool>(rules, "man_capture", {{"all", true}, {"forward", false}});
    r.men_take_kings = nb::cast<bool>(rules.attr("man_takes_king"));
    enum class Landing { any, adjacent, killer };
    const Landing landing = choose<Landing>(
        rules, "king_landing",
        {{"any", Landing::any}, {"adjacent", Landing::adjacent}, {"killer", Landing::killer}});
    r.land_adjacent = landing == Landing::adjacent;
    r.land_killing = landing == Landing::killer;
    r.remove_at_once = choose<bool>(rules, "removal", {{"after", false}, {"immediate", true}});
    r.u_turn = nb::cast<bool>(rules.attr("u_turn"));
    r.promotion = choose<Promotion>(
        rules, "promotion",
        {{"stop", Promotion::stop}, {"pass", Promotion::pass}, {"go", Promotion::go}});
    const std::initializer_list<std::pair<std::string_view, Directions>> lines = {
        {"diagonal", kDiagonal}, {"orthogonal", kOrthogonal}, {"diagonal+orthogonal", kEveryWay}};
    r.move_lines = choose<Directions>(rules, "move_lines", lines);
    r.capture_lines = choose<Directions>(rules, "capture_lines", lines);
    const bool fits = r.all_squares ? r.move_lines != kDiagonal && r.capture_lines != kDiagonal
                                    : r.move_lines == kDiagonal && r.capture_lines != kOrthogonal;
    if (!fits) throw nb::value_error("the kernel does not play these lines on this board");
    r.capture_is_free =
        choose<bool>(rules, "obligation", {{"forced", false}, {"huff", false}, {"free", true}});
    r.objective = choose<Objective>(rules, "objective",
                                    {{"normal", Objective::normal},
                                     {"losing", Objective::losing},
                                     {"breakthrough", Objective::breakthrough}});
    r.king_streak = whole(rules, "king_streak", 0, 9);
    std::vector<PrecedenceKey> keys;
    const std::pair<std::string_view, PrecedenceKey> names[] = {
        {"count", PrecedenceKey::count},           {"value", PrecedenceKey::value},
        {"with_king", PrecedenceKey::with_king},   {"kings", PrecedenceKey::kings},
        {"king_early", PrecedenceKey::king_early},
    };
    const nb::object precedence = rules.attr("precedence");
    for (const nb::handle key : precedence) {
        const std::string text = nb::cast<nb::str>(key).c_str();
        for (const auto& [name, value] : names) {
            if (name == text) keys.push_back(value);
        }
    }
    // The checker of the record lets every key in once, and king_early only where it fits.
    const auto has = [&](PrecedenceKey key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    if (keys.size() != nb::len(precedence) || keys.size() > 4 ||
        (has(PrecedenceKey::king_early) &&
         (has(PrecedenceKey::value) || r.capture_lines != kDiagonal))) {
        throw nb::value_error("the kernel does not play this precedence");
    }
    r.ranking = Ranking::of(keys.data(), keys.data() + keys.size());
    return r;
}

}  // namespace damka::bindings
