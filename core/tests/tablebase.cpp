// Endgame tables: index, codec, building, and damaged files.
#include <algorithm>
#include <vector>

#include "movegen/movegen_table.hpp"
#include "tablebase/build.hpp"
#include "tablebase/probe.hpp"
#include "tablebase/set.hpp"
#include "tablebase/verify.hpp"
#include "tablebase/writer.hpp"
#include "tests/check.hpp"

namespace damka::tests {

namespace {

class NoProgress : public Progress {
    bool report(int, std::uint64_t, std::uint64_t) override { return false; }
};

Rules small(void (*change)(Rules&)) { return make_rules(6, change); }

// --- the index ---

template <class Bits>
void index_tests(const Rules& rules, const Material& material) {
    const auto masks = BoardMasksOf<Bits>::of(rules);
    const IndexOf<Bits> index(masks, material);
    CHECK(index.size() == table_positions(masks, material));
    CursorOf<Bits> walker(index), jumper(index);
    Random random(7);
    std::uint64_t i = 0;
    walker.seek(0);
    for (int step = 0; step < 3000; ++step) {
        const auto& p = walker.position();
        CHECK(index.of(p) == i);
        CHECK(Material::of(p) == material);
        CHECK(!(p.men[0] & p.men[1]) && !(p.kings[0] & p.kings[1]));
        CHECK(!((p.men[0] & masks.top) | (p.men[1] & masks.bottom)));
        CHECK(masks.rotated(masks.rotated(p)) == p);
        jumper.seek(i);
        CHECK(jumper.position() == p);
        if (step % 100 == 50) {
            i = random.next() % index.size();
            walker.seek(i);
        } else {
            i = (i + 1) % index.size();
            walker.next();
        }
    }
    walker.seek(index.size() - 1);
    walker.next();
    CHECK(index.of(walker.position()) == 0);  // wraps around
}

void index_tests() {
    const Material two{{1, 0}, {0, 1}}, mixed{{1, 1}, {2, 1}}, many{{0, 3}, {3, 0}};
    for (const Material& m : {two, mixed, many}) {
        index_tests<std::uint64_t>(american(), m);
        index_tests<std::uint64_t>(frisian(), m);
        index_tests<std::uint64_t>(turkish(), m);
    }
    index_tests<Wide>(canadian(), two);
    index_tests<Wide>(canadian(), mixed);
    // The number of placements with both sides present on 32 squares.
    const std::uint64_t known[] = {3488, 196032, 6209316, 139450808};
    const auto masks = BoardMasksOf<std::uint64_t>::of(american());
    for (int n = 2; n <= 5; ++n) {
        std::uint64_t all = 0;
        for (const Material& m : table_materials(american(), n)) {
            if (m.pieces() < n) continue;
            all += IndexOf<std::uint64_t>(masks, m).size();
            if (m.own == m.their) continue;
            all += IndexOf<std::uint64_t>(masks, m.swapped()).size();
        }
        CHECK(all == known[n - 2]);
    }
}

// --- codec ---

void code_tests() {
    Random random(5);
    for (int round = 0; round < 300; ++round) {
        const unsigned kinds = 1 + random.below(round % 10 ? 6 : 900);
        const unsigned change = 1 + random.below(60);
        std::vector<int> values(1 + random.below(4000));
        int value = 0;
        for (int& v : values) {
            if (random.chance(change))
                value = static_cast<int>(random.below(kinds) * random.below(2) + 1);
            v = random.chance(20) ? -1 : value;
        }
        TableEncoder encoder;
        const auto blocks = [&](auto&& f) {
            for (std::size_t at = 0; at < values.size(); at += kTableBlock) {
                f(TableEncoder::Block(values).subspan(at,
                                                      std::min(kTableBlock, values.size() - at)));
            }
        };
        blocks([&](auto block) { encoder.count(block); });
        const TableCode& code = encoder.fit();
        blocks([&](auto block) {
            std::vector<std::uint8_t> bytes;
            encoder.write(block, bytes);
            std::vector<TableValue> out(block.size());
            CHECK(code.decode(bytes, out.data(), out.size()));
            for (std::size_t i = 0; i < out.size(); ++i) CHECK(block[i] < 0 || block[i] == out[i]);
            // Damage causes an error or other values, within bounds.
            bytes[random.below(static_cast<unsigned>(bytes.size()))] ^=
                static_cast<std::uint8_t>(1 + random.below(255));
            code.decode(bytes, out.data(), out.size());
            bytes.resize(random.below(static_cast<unsigned>(bytes.size())));
            code.decode(bytes, out.data(), out.size());
        });
    }
}

// --- building, reading, verifying ---

using Files = std::vector<std::vector<std::uint8_t>>;

template <class Bits>
Files build(const Rules& rules, int pieces) {
    Files files;
    TableSet set(rules);
    NoProgress progress;
    for (const Material& m : table_materials(rules, pieces)) {
        UnpackedOf<Bits> unpacked(set);
        BuilderOf<Bits> builder(rules, m, unpacked, 2, progress);
        builder.run();
        files.push_back(TableWriter<Bits>(rules, builder).bytes());
        set.add(files.back());
    }
    return files;
}

template <class Bits>
void build_tests(const Rules& rules, int pieces) {
    const Files files = build<Bits>(rules, pieces);
    TableSet set(rules);
    for (const auto& file : files) CHECK(set.add(file).intact());
    CHECK(set.pieces() == pieces);
    NoProgress progress;
    VerifierOf<Bits> verifier(set, 2, progress);
    TableReaderOf<Bits> reader(set);
    OracleOf<Bits> oracle(rules, reader);
    UnpackedOf<Bits> unpacked(set);
    OracleOf<Bits> again(rules, unpacked);
    for (const Material& m : table_materials(rules, pieces)) {
        for (const Material& half : {m, m.swapped()}) {
            const auto report = verifier.run(*set.half(half), 1, 0);
            CHECK(report.faults == 0);
            CHECK(report.counts == set.half(half)->counts);
        }
        const IndexOf<Bits> index(oracle.masks(), m);
        CursorOf<Bits> cursor(index);
        for (std::uint64_t i = 0; i < index.size(); i += 97) {
            cursor.seek(i);
            const auto& p = cursor.position();
            CHECK(oracle.value(p) == again.value(p));
            CHECK(oracle.value(oracle.masks().rotated(p)) == oracle.value(p));
        }
    }
}

void build_tests() {
    build_tests<std::uint64_t>(american(), 2);
    build_tests<std::uint64_t>(frisian(), 2);
    build_tests<Wide>(canadian(), 2);
    const auto unchanged = [](Rules&) {};
    build_tests<std::uint64_t>(small(unchanged), 3);
    build_tests<std::uint64_t>(small([](Rules& r) { r.objective = Objective::losing; }), 3);
    build_tests<std::uint64_t>(small([](Rules& r) { r.objective = Objective::breakthrough; }), 4);
    build_tests<std::uint64_t>(small([](Rules& r) { r.capture_is_free = true; }), 3);
    build_tests<std::uint64_t>(small([](Rules& r) {
                                   r.king_streak = 2;
                                   r.flying_kings = false;
                               }),
                               3);
}

// --- damage ---

void damage_tests() {
    const Rules rules = small([](Rules&) {});
    const Files files = build<std::uint64_t>(rules, 2);
    const auto is_rejected = [&](const std::vector<std::uint8_t>& bytes, const Rules& by) {
        try {
            TableSet set(by);
            if (!set.add(bytes).intact()) return true;
        } catch (const TableError&) {
            return true;
        }
        return false;
    };
    const auto& file = files.front();
    CHECK(!is_rejected(file, rules));
    CHECK(is_rejected(file, american()));
    Random random(11);
    for (std::size_t at = 0; at < file.size(); ++at) {
        auto bytes = file;
        bytes[at] ^= static_cast<std::uint8_t>(1 + random.below(255));
        CHECK(is_rejected(bytes, rules));
        bytes.resize(at);
        CHECK(is_rejected(bytes, rules));
    }
    // A block detects its own damage.
    auto bytes = file;
    bytes[bytes.size() - 9] ^= 1;
    TableSet set(rules);
    const TableView& view = set.add(bytes);
    std::vector<TableValue> out(kTableBlock);
    const auto& half = view.halves().back();
    CHECK(!half.read(half.block_count() - 1, out.data()));
}

// --- probes of the search ---

void endgame_tests() {
    const Rules rules = small([](Rules&) {});
    Files files = build<std::uint64_t>(rules, 2);
    EndgamesOf<std::uint64_t> endgames;
    int score = 0;
    Position p = empty_position();
    {
        TableSet set(rules);
        for (const auto& file : files) set.add(file);
        // Two kings, and a win in three plies.
        TableReaderOf<std::uint64_t> reader(set);
        OracleOf<std::uint64_t> oracle(rules, reader);
        const IndexOf<std::uint64_t> index(oracle.masks(), {{0, 1}, {0, 1}});
        CursorOf<std::uint64_t> cursor(index);
        cursor.seek(0);
        while (oracle.value(cursor.position()) != 4) cursor.next();
        p = cursor.position();
        const int value = oracle.value(p);
        CHECK(!endgames.may_contain(p));
        endgames.set(&set);
        CHECK(endgames.may_contain(p));
        CHECK(endgames.probe_exact(p, 3, 30, 30000, score) && score == 30000 - 3 - (value - 1));
        CHECK(!endgames.probe_exact(p, 3, value - 2, 30000, score));
        CHECK(!endgames.probe_likely_win(p, value - 2, score));
        CHECK(endgames.probe_likely_win(p, 30, score) &&
              score < EndgamesOf<std::uint64_t>::kLikelyWin);
        CHECK(!endgames.may_contain(start_position(rules)));
        endgames.set(nullptr);
    }
    CHECK(!endgames.may_contain(p));
    for (auto& file : files) std::fill(file.end() - 20, file.end() - 8, std::uint8_t{0});
    TableSet damaged(rules);
    for (const auto& file : files) damaged.add(file);
    endgames.set(&damaged);
    CHECK(endgames.may_contain(p) && !endgames.probe_exact(p, 3, 30, 30000, score));
    CHECK(!endgames.may_contain(p));
}

}  // namespace

void tablebase_tests() {
    index_tests();
    code_tests();
    build_tests();
    damage_tests();
    endgame_tests();
}

}  // namespace damka::tests
