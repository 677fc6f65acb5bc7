#include "bindings/ruleset.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace damka::bindings {

namespace {

[[noreturn]] void refuse(const char* what) {
    throw nb::value_error((std::string("the kernel does not play this ") + what).c_str());
}

// A field's value among those that the table of parameters gives, as a number within its bounds.
int number(nb::handle value, const Field& field) {
    const long n = PyLong_AsLong(value.ptr());
    if (n == -1 && PyErr_Occurred()) nb::raise_python_error();
    if (n < field.least || n > field.most) refuse(field.name);
    return static_cast<int>(n);
}

Directions lines(int n) noexcept { return n == 0 ? kDiagonal : n == 1 ? kOrthogonal : kEveryWay; }

Ranking ranking(nb::handle keys, const Field& field) {
    std::vector<PrecedenceKey> order;
    for (const nb::handle each : nb::iter(keys)) {
        order.push_back(static_cast<PrecedenceKey>(number(each, field)));
    }
    const auto times = [&](PrecedenceKey key) {
        return std::count(order.begin(), order.end(), key);
    };
    const bool twice =
        std::any_of(order.begin(), order.end(), [&](PrecedenceKey key) { return times(key) > 1; });
    // Early kings leave no room for what a capture is worth.
    const bool crowded = times(PrecedenceKey::king_early) &&
                         (times(PrecedenceKey::value) || times(PrecedenceKey::points));
    if (twice || crowded) refuse(field.name);
    return Ranking::of(order.data(), order.data() + order.size());
}

// What does not hold of a field by itself. The record's checker lets nothing else through; here it
// keeps the kernel's memory safe, whoever asks.
void check(const Rules& r) {
    const bool square = r.width == r.height && r.width % 2 == 0;
    if (r.all_squares ? r.width != 8 || r.height != 8
                      : !square && (r.width != 10 || r.height != 8)) {
        refuse("board");
    }
    if (2 * (r.rows + r.rows_behind) >= r.height) refuse("start");
    const bool fits = r.all_squares ? r.move_lines != kDiagonal && r.capture_lines != kDiagonal
                                    : r.move_lines == kDiagonal && r.capture_lines != kOrthogonal;
    if (!fits) refuse("board with these lines");
    // Early kings are counted where only pieces inside the border can be taken.
    if (r.ranking.early && r.capture_lines != kDiagonal) refuse("precedence");
}

int number(nb::handle object, const char* name) {
    const long value = PyLong_AsLong(nb::object(object.attr(name)).ptr());
    if (value == -1 && PyErr_Occurred()) nb::raise_python_error();
    return static_cast<int>(value);
}

Span read_span(nb::handle object, const char* name) {
    const auto [least, most] = nb::cast<std::pair<int, int>>(object.attr(name));
    return {least, most};
}

Force read_force(nb::handle object) {
    return {read_span(object, "men"), read_span(object, "kings"), read_span(object, "pieces")};
}

// What was read of rules that boards have been made for, by the Python object. It keeps the objects
// alive and forgets all at once when there are many: boards hold on to what they have.
class GameRulesCache {
   public:
    std::shared_ptr<const GameRules> of(nb::handle rules) {
        {
            const std::lock_guard lock(mutex_);
            const auto known = read_.find(rules.ptr());
            if (known != read_.end()) return known->second;
        }
        const bool huffing = PyUnicode_CompareWithASCIIString(
                                 nb::object(rules.attr("obligation")).ptr(), "huff") == 0;
        auto made =
            std::make_shared<const GameRules>(read_rules(rules), read_draws(rules), huffing);
        std::vector<nb::object> forgotten;  // released after the lock
        const std::lock_guard lock(mutex_);
        if (read_.size() >= kMost) {
            for (const auto& [object, _] : read_) forgotten.push_back(nb::steal(object));
            read_.clear();
        }
        if (read_.emplace(rules.ptr(), made).second) rules.inc_ref();
        return made;
    }

   private:
    static constexpr std::size_t kMost = 256;

    std::mutex mutex_;
    std::unordered_map<PyObject*, std::shared_ptr<const GameRules>> read_;
};

}  // namespace

std::shared_ptr<const GameRules> game_rules_of(nb::handle rules) {
    // Never destroyed: Python is gone by then.
    static auto* const cache = new GameRulesCache;
    return cache->of(rules);
}

DrawRules read_draws(nb::handle rules) {
    DrawRules draws{.repetition = number(rules, "repetition"),
                    .same_move = number(rules, "same_move"),
                    .no_progress_plies = 2 * number(rules, "no_progress_moves"),
                    .material = {}};
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
    return draws;
}

Side read_side(nb::handle side) {
    if (PyUnicode_Check(side.ptr())) {
        if (PyUnicode_CompareWithASCIIString(side.ptr(), "W") == 0) return Side::white;
        if (PyUnicode_CompareWithASCIIString(side.ptr(), "B") == 0) return Side::black;
    }
    throw nb::value_error("a side is \"W\" or \"B\"");
}

Rules read_rules(nb::handle rules) {
    Rules read;
    const nb::object values = rules.attr("kernel");
    for_each_field(read, [&]<class T>(const Field& field, T& value) {
        const nb::object said = values[field.name];
        if constexpr (std::is_same_v<T, Ranking>) {
            value = ranking(said, field);
        } else if constexpr (std::is_same_v<T, Directions>) {
            value = lines(number(said, field));
        } else {
            value = static_cast<T>(number(said, field));
        }
    });
    check(read);
    return read;
}

}  // namespace damka::bindings
