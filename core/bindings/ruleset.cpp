#include "bindings/ruleset.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
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

}  // namespace

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
