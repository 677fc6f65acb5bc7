#include "bindings/ruleset.hpp"

#include <nanobind/stl/pair.h>

#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "position/rules_reader.hpp"

namespace damka::bindings {

namespace {

int number(nb::handle object, const char* name) {
    const long value = PyLong_AsLong(nb::object(object.attr(name)).ptr());
    if (value == -1 && PyErr_Occurred()) nb::raise_python_error();
    return static_cast<int>(value);
}

bool has(nb::handle object, const char* name, const char* value) {
    return PyUnicode_CompareWithASCIIString(nb::object(object.attr(name)).ptr(), value) == 0;
}

Span read_span(nb::handle object, const char* name) {
    const auto [least, most] = nb::cast<std::pair<int, int>>(object.attr(name));
    return {least, most};
}

Force read_force(nb::handle object) {
    return {read_span(object, "men"), read_span(object, "kings"), read_span(object, "pieces")};
}

// Cache of parsed rules by Python object, which the cache keeps alive. It is cleared when full;
// boards have their own references.
class GameRulesCache {
   public:
    std::shared_ptr<const GameRules> of(nb::handle rules) {
        {
            const std::lock_guard lock(mutex_);
            const auto cached = cache_.find(rules.ptr());
            if (cached != cache_.end()) return cached->second;
        }
        auto game_rules = std::make_shared<const GameRules>(read_rules(rules), read_draws(rules),
                                                            has(rules, "obligation", "huff"));
        std::vector<nb::object> released;  // destroyed after the lock is released
        const std::lock_guard lock(mutex_);
        if (cache_.size() >= kMax) {
            for (const auto& [object, _] : cache_) released.push_back(nb::steal(object));
            cache_.clear();
        }
        if (cache_.emplace(rules.ptr(), game_rules).second) rules.inc_ref();
        return game_rules;
    }

   private:
    static constexpr std::size_t kMax = 256;

    std::mutex mutex_;
    std::unordered_map<PyObject*, std::shared_ptr<const GameRules>> cache_;
};

}  // namespace

std::shared_ptr<const GameRules> game_rules_of(nb::handle rules) {
    // Never destroyed: the interpreter is finalized before static objects.
    static auto* const cache = new GameRulesCache;
    return cache->of(rules);
}

DrawRules read_draws(nb::handle rules) {
    DrawRules draws{.repetition = number(rules, "repetition"),
                    .same_move = number(rules, "same_move"),
                    .no_progress_plies = number(rules, "no_progress_plies"),
                    .material = {},
                    .game_plies = number(rules, "move_limit_plies"),
                    .pieces_only = has(rules, "repetition_of", "pieces"),
                    .moves_anywhere = has(rules, "same_move_in", "game")};
    for (const nb::handle draw : nb::iter(rules.attr("material_draws"))) {
        if (draws.material.size() == kMaxMaterialDraws) {
            throw nb::value_error("too many draws by material");
        }
        draws.material.push_back(
            {.plies = 2 * number(draw, "moves"),
             .strong = read_force(draw.attr("strong")),
             .weak = read_force(draw.attr("weak")),
             .pieces = read_span(draw, "pieces"),
             .main_road = nb::cast<bool>(draw.attr("main_road")),
             .unchanged = nb::cast<bool>(draw.attr("unchanged")),
             .strong_main_road = nb::cast<bool>(draw.attr("strong_main_road"))});
    }
    if (!are_countable(draws)) throw nb::value_error("material_draws: not supported by the kernel");
    return draws;
}

Side read_side(nb::handle side) {
    if (PyUnicode_Check(side.ptr())) {
        if (PyUnicode_CompareWithASCIIString(side.ptr(), "W") == 0) return Side::white;
        if (PyUnicode_CompareWithASCIIString(side.ptr(), "B") == 0) return Side::black;
    }
    throw nb::value_error("side: \"W\" or \"B\"");
}

Rules read_rules(nb::handle rules) {
    Rules read;
    const nb::object values = rules.attr("kernel");
    std::vector<long> numbers;
    const auto add = [&](nb::handle value) {
        const long n = PyLong_AsLong(value.ptr());
        if (n == -1 && PyErr_Occurred()) nb::raise_python_error();
        numbers.push_back(n);
    };
    const char* unsupported = RulesReader::read(read, [&](const Field& field) {
        numbers.clear();
        const nb::object value = values[field.name];
        if (PyTuple_Check(value.ptr())) {
            for (const nb::handle each : nb::iter(value)) add(each);
        } else {
            add(value);
        }
        return std::span<const long>(numbers);
    });
    if (unsupported) {
        throw nb::value_error((std::string("unsupported rules: ") + unsupported).c_str());
    }
    return read;
}

}  // namespace damka::bindings
