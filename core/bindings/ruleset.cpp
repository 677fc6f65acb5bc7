#include "ruleset.hpp"

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
    r.width = whole(rules, "width", 8, 10);
    if (r.width == 9 || whole(rules, "height", 8, 10) != r.width) {
        throw nb::value_error("the kernel plays on 8x8 and 10x10");
    }
    r.rows = whole(rules, "rows", 1, (r.width - 1) / 2);
    r.dark_left = choose<bool>(rules, "dark_corner", {{"left", true}, {"right", false}});
    r.first = read_side(rules.attr("first"));
    r.flying_kings = choose<bool>(rules, "king_range", {{"flying", true}, {"short", false}});
    r.men_capture_back = choose<bool>(rules, "man_capture", {{"all", true}, {"forward", false}});
    r.men_take_kings = nb::cast<bool>(rules.attr("man_takes_king"));
    r.land_adjacent = choose<bool>(rules, "king_landing", {{"any", false}, {"adjacent", true}});
    r.remove_at_once = choose<bool>(rules, "removal", {{"after", false}, {"immediate", true}});
    r.u_turn = nb::cast<bool>(rules.attr("u_turn"));
    r.promotion = choose<Promotion>(
        rules, "promotion",
        {{"stop", Promotion::stop}, {"pass", Promotion::pass}, {"go", Promotion::go}});
    choose<bool>(rules, "capture_lines", {{"diagonal", true}});
    choose<bool>(rules, "objective", {{"normal", true}});
    std::vector<PrecedenceKey> keys;
    const std::pair<std::string_view, PrecedenceKey> names[] = {
        {"count", PrecedenceKey::count},
        {"with_king", PrecedenceKey::with_king},
        {"kings", PrecedenceKey::kings},
        {"king_early", PrecedenceKey::king_early},
    };
    const nb::object precedence = rules.attr("precedence");
    for (const nb::handle key : precedence) {
        const std::string text = nb::cast<nb::str>(key).c_str();
        for (const auto& [name, value] : names) {
            if (name == text) keys.push_back(value);
        }
    }
    // The checker of the record lets every key in once.
    if (keys.size() != nb::len(precedence) || keys.size() > 4) {
        throw nb::value_error("the kernel does not play this precedence");
    }
    r.ranking = Ranking::of(keys.data(), keys.data() + keys.size());
    return r;
}

}  // namespace damka::bindings
