// Fuzz tests of the flat interface: malformed arguments and input return error codes.
#include <cstring>
#include <string_view>
#include <vector>

#include "tests/check.hpp"
#include "wasm/api.hpp"
#include "wasm/record.hpp"

using std::int32_t;

extern "C" {
void* damka_input(int32_t);
const void* damka_output();
int32_t damka_free(int32_t);
int32_t damka_rules(int32_t);
int32_t damka_fields();
int32_t damka_squares(int32_t);
int32_t damka_fingerprint(int32_t);
int32_t damka_weight_count(int32_t);
int32_t damka_begin(int32_t);
int32_t damka_place(int32_t, int32_t, int32_t);
int32_t damka_pieces(int32_t, int32_t);
int32_t damka_moves(int32_t, int32_t, int32_t);
int32_t damka_can_move(int32_t, int32_t);
int32_t damka_play(int32_t, int32_t, int32_t);
int32_t damka_huff(int32_t, int32_t, int32_t);
int32_t damka_remove(int32_t, int32_t, int32_t);
int32_t damka_routes(int32_t, int32_t, int32_t);
int32_t damka_result(int32_t, int32_t);
int32_t damka_counts(int32_t, int32_t);
int32_t damka_tensor(int32_t, int32_t);
int32_t damka_indices(int32_t, int32_t);
int32_t damka_perft(int32_t, int32_t, int32_t, int32_t);
int32_t damka_stop();
int32_t damka_stop_do(int32_t, int32_t, int32_t);
int32_t damka_weights(int32_t, int32_t, int32_t, int32_t);
int32_t damka_evaluate(int32_t, int32_t, int32_t);
int32_t damka_drawish(int32_t, int32_t);
int32_t damka_engine(int32_t);
int32_t damka_engine_clear(int32_t);
int32_t damka_search(int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
int32_t damka_tables(int32_t);
int32_t damka_tables_add(int32_t, int32_t);
int32_t damka_tables_pieces(int32_t);
int32_t damka_tables_probe(int32_t, int32_t, int32_t);
int32_t damka_tables_intact(int32_t, int32_t);
int32_t damka_pdn_find(int32_t, int32_t, int32_t);
int32_t damka_pdn_play(int32_t, int32_t, int32_t, int32_t, int32_t);
}

namespace damka::tests {

namespace {

using Data = std::vector<unsigned char>;

constexpr std::size_t kRecord = wasm::kRecord;

int32_t set_input(const Data& data) {
    const auto n = static_cast<int32_t>(data.size());
    void* memory = damka_input(n);
    CHECK(memory != nullptr);
    if (n) std::memcpy(memory, data.data(), data.size());
    return n;
}

Data output(int32_t n) {
    CHECK(n >= 0);
    const auto* from = static_cast<const unsigned char*>(damka_output());
    return n ? Data(from, from + n) : Data();
}

void add(Data& data, int32_t number) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&number);
    data.insert(data.end(), bytes, bytes + 4);
}

// The numbers of rules on a board of 8 × 8 or 12 × 12, with huffing.
Data rule_numbers(int32_t width, int32_t rows) {
    Data data;
    // In the order of for_each_field: width to king_streak.
    const int32_t fields[] = {width, width, rows, 0, 1, 0, 0, 1, 1, 1,
                              0,     0,     0,    1, 0, 0, 0, 1, 0, 2};
    for (const int32_t value : fields) {
        add(data, 1);
        add(data, value);
    }
    add(data, 1);  // the precedence: by count
    add(data, 0);
    for (const int32_t value : {1, 3, 5, 30, 90, 1, 1, 1, 20}) add(data, value);
    // One draw by material: anything against anything.
    for (int i = 0; i < 7; ++i) {
        add(data, 0);
        add(data, 72);
    }
    for (int i = 0; i < 3; ++i) add(data, 0);
    return data;
}

// Valid data with some bytes changed, removed or added.
Data corrupted(Random& random, Data data) {
    for (unsigned i = random.below(4); i-- > 0 && !data.empty();) {
        data[random.below(static_cast<unsigned>(data.size()))] =
            static_cast<unsigned char>(random.next());
    }
    if (random.chance(10)) data.resize(random.below(static_cast<unsigned>(data.size() + 1)));
    if (random.chance(5)) data.resize(data.size() + random.below(300), 0x5a);
    return data;
}

struct Handles {
    int32_t rules, wide, stop, engine, tables;
};

// Arguments, valid and invalid.
int32_t random_argument(Random& random, const Handles& h) {
    const int32_t some[] = {
        h.rules, h.wide, h.stop, h.engine,   h.tables,       0, 1, 2, 3, 17, -1, 64, 73, 200,
        1000,    -128,   256,    2147483647, -2147483647 - 1};
    return some[random.below(std::size(some))];
}

// Every call except search and perft, with random arguments.
void call_all(Random& random, const Handles& h, const Data& data) {
    const auto number = [&] { return random_argument(random, h); };
    const int32_t rules = random.chance(80) ? (random.chance(50) ? h.rules : h.wide) : number();
    const auto n = [&] {
        return random.chance(90) ? set_input(data) : (set_input(data), number());
    };
    damka_pieces(rules, n());
    damka_moves(rules, n(), number());
    damka_can_move(rules, n());
    damka_play(rules, n(), number());
    damka_huff(rules, n(), number());
    damka_remove(rules, n(), number());
    damka_routes(rules, n(), random.chance(50) ? 5 : number());
    damka_result(rules, n());
    damka_counts(rules, n());
    damka_tensor(rules, n());
    damka_indices(rules, n());
    damka_perft(rules, n(), static_cast<int32_t>(random.below(4)) - 1, 0);
    damka_evaluate(rules, n(), random.chance(80) ? 0 : number());
    damka_drawish(rules, n());
    damka_place(rules, n(), number());
    damka_tables_probe(h.tables, rules, n());
    damka_stop_do(number(), static_cast<int32_t>(random.below(5)), n());
    damka_stop_do(h.stop, 0, 0);
    damka_weights(rules, n(), number(), number());
    damka_pdn_find(n(), random.chance(50) ? 0 : number(), number());
    damka_tables_add(h.tables, n());
    damka_tables_intact(rules, n());
    damka_squares(rules);
    damka_fingerprint(rules);
    damka_weight_count(rules);
    damka_tables_pieces(rules);
    damka_engine_clear(rules);
}

void fuzz_calls() {
    Random random(19);
    const Data narrow_numbers = rule_numbers(8, 3);
    const Data wide_numbers = rule_numbers(12, 5);
    Handles h{};
    h.rules = damka_rules(set_input(narrow_numbers));
    h.wide = damka_rules(set_input(wide_numbers));
    h.stop = damka_stop();
    h.engine = damka_engine(64);
    h.tables = damka_tables(h.rules);
    CHECK(h.rules > 0 && h.wide > 0 && h.stop > 0 && h.engine > 0 && h.tables > 0);
    CHECK(damka_engine(-5) < 0 && damka_engine(0) < 0 && damka_free(12345) < 0);
    CHECK(damka_input(-1) == nullptr);

    // Random rules are rejected or usable.
    for (int i = 0; i < 3000; ++i) {
        const int32_t handle = damka_rules(
            set_input(corrupted(random, random.chance(50) ? narrow_numbers : wide_numbers)));
        if (handle <= 0) continue;
        const Data record = output(damka_begin(handle));
        CHECK(record.size() == kRecord);
        CHECK(damka_moves(handle, set_input(record), 1) >= 0);
        CHECK(damka_free(handle) == 0);
    }

    // A game with corrupted records.
    for (int game = 0; game < 30; ++game) {
        const int32_t rules = game % 2 ? h.wide : h.rules;
        Data record = output(damka_begin(rules));
        Data played = record;
        for (int ply = 0; ply < 40; ++ply) {
            const Data moves = output(damka_moves(rules, set_input(record), random.chance(90)));
            if (moves.empty()) break;
            std::vector<std::size_t> at;
            for (std::size_t i = 0; i < moves.size(); i += std::size_t{4} + moves[i + 3]) {
                at.push_back(i);
            }
            const std::size_t chosen = at[random.below(static_cast<unsigned>(at.size()))];
            Data sent = record;
            sent.insert(
                sent.end(), moves.begin() + static_cast<std::ptrdiff_t>(chosen),
                moves.begin() + static_cast<std::ptrdiff_t>(chosen) + 4 + moves[chosen + 3]);
            call_all(random, h, corrupted(random, sent));
            call_all(random, h, corrupted(random, played));
            const int32_t n = damka_play(rules, set_input(sent), 1);
            CHECK(n > static_cast<int32_t>(kRecord));
            record = output(n);
            record.resize(kRecord);
            played.insert(played.end(), record.begin(), record.end());
            CHECK(damka_result(rules, set_input(played)) >= 0);
        }
        // A search with few nodes and corrupted settings.
        Data task;
        for (const int32_t value : {4, 1, 0, 0, 0, 1000, 0, 0, 0, 0}) add(task, value);
        for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{500}}) {
            add(task, static_cast<int32_t>(value));
            add(task, 0);
        }
        const double soon = 0.05;
        for (int i = 0; i < 2; ++i) {
            const auto* bytes = reinterpret_cast<const unsigned char*>(&soon);
            task.insert(task.end(), bytes, bytes + 8);
        }
        task.insert(task.end(), played.begin(), played.end());
        CHECK(damka_search(h.engine, rules, set_input(task), 0, 0, h.stop) > 0);
        for (int i = 0; i < 20; ++i) {
            Data other = corrupted(random, task);
            // Retain the small node limit.
            if (other.size() > 56) std::memcpy(other.data() + 48, task.data() + 48, 8);
            damka_search(h.engine, rules, set_input(other), 0, random.chance(50) ? h.tables : 0,
                         h.stop);
        }
    }

    // Random bytes as PDN.
    const std::string_view text =
        "[Event \"?\"]\n[FEN \"W:W1:B2\"]\n1. 22-18 (9-14 {x}) /FEN \"W:W9:B3\"/ 11x18 $4 2. 3-7 *";
    for (int i = 0; i < 2000; ++i) {
        const Data pdn = corrupted(random, Data(text.begin(), text.end()));
        damka_pdn_find(set_input(pdn), 0, random.chance(50));
        Data sent = output(damka_begin(h.rules));
        for (int label = 0; label < 512; ++label) {
            sent.push_back(static_cast<unsigned char>(label <= 32 ? label : 0));
        }
        add(sent, 1);
        sent.push_back('*');
        sent.insert(sent.end(), pdn.begin(), pdn.end());
        if (random.chance(20)) sent = corrupted(random, sent);
        damka_pdn_play(h.rules, set_input(sent), 0, static_cast<int32_t>(pdn.size()), 3);
    }
    for (const int32_t handle : {h.rules, h.wide, h.stop, h.engine, h.tables}) {
        CHECK(damka_free(handle) == 0 && damka_free(handle) < 0);
    }
}

}  // namespace

void flat_tests() { fuzz_calls(); }

}  // namespace damka::tests
