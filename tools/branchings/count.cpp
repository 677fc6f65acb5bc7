// Counts how often capture routes branch. Reads lines from standard input:
//
//     rules FIELD=NUMBER[,NUMBER...] ...   the rules of the following lines
//     at KIND TURN PIECES                  a position and its successors within two plies
//     random KIND N                        N positions of random play: games, crowds or hunts
//
// Writes a line for each kind and rule set: `KIND WORST BRANCHES:POSITIONS ...`, where WORST is the
// position with the most branches, as TURN:PIECES.
#include <cstdint>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "movegen/capture_walk.hpp"
#include "movegen/movegen.hpp"
#include "position/rules_reader.hpp"
#include "position/visit.hpp"
#include "tests/check.hpp"

namespace {

using namespace damka;
using tests::Random;

constexpr std::uint32_t kMax = 2'000'000;

struct Tally {
    std::map<std::uint32_t, std::uint64_t> positions;  // by branches
    std::string worst = "-";
};

template <class V>
class Meter {
    using G = Generator<V>;
    using Bits = typename V::Bits;
    using Position = PositionOf<Bits>;

   public:
    Meter(const Rules& rules, Random& random, Tally& tally)
        : rules_(rules), layout_(layout_of(rules)), random_(random), tally_(tally) {}

    bool walk(const std::string& turn, const std::string& pieces) {
        Position p;
        const bool read = read_pieces(layout_, pieces, turn == "W" ? Side::white : Side::black, p);
        if (read) walk(p, 2);
        return read;
    }

    void play(const std::string& kind, std::uint64_t positions) {
        for (left_ = positions; left_;) {
            if (kind == "games") {
                play(start_position<Bits>(rules_), 250);
            } else if (kind == "crowds") {
                const unsigned density = 50 + random_.below(650);
                const unsigned own = density * (10 + random_.below(81)) / 100;
                play(crowd(own, density - own, random_.below(101)), 30);
            } else {
                const unsigned kings = random_.chance(50) ? 100 : random_.below(101);
                play(crowd(10 + random_.below(80), 100 + random_.below(500), kings), 4);
            }
        }
    }

   private:
    void measure(const Position& p) {
        std::uint32_t branches = 0;
        list_.clear();
        if (G::can_capture(rules_, p, p.turn)) {
            with_side(p.turn, [&](auto s) {
                const auto t = G::pieces_of(p, s.value);
                CaptureWalk<V, s.value, false> walk(rules_, t, list_);
                walk.run(G::template man_jumps<s.value>(rules_, t));
                branches = walk.branches();
            });
        }
        const auto& known = tally_.positions;
        const bool worst = known.empty() || branches > known.rbegin()->first;
        ++tally_.positions[branches];
        if (!worst) return;
        tally_.worst = p.turn == Side::white ? "W:" : "B:";
        for (int square = 1; square <= layout_.squares; ++square) {
            tally_.worst += piece_at(p, layout_.bit(square));
        }
    }

    void walk(const Position& p, int depth) {
        if (is_over(rules_, p)) return;
        measure(p);
        if (!depth) return;
        G::children(rules_, p, [&](const Position& child, const typename G::Move&) {
            walk(child, depth - 1);
        });
    }

    void play(Position p, int plies) {
        for (; plies && left_; --plies) {
            --left_;
            if (is_over(rules_, p)) return;
            measure(p);
            if (list_.empty() || rules_.capture_is_free) G::quiets(rules_, p, list_);
            if (list_.empty()) return;
            p = make(rules_, p, list_[random_.below(static_cast<unsigned>(list_.size()))]);
        }
    }

    // A random position: pieces of each side in thousandths of the squares, at most as many as in
    // the start position, and kings in hundredths of the pieces.
    Position crowd(unsigned own, unsigned enemy, unsigned kings) {
        Position p = empty_position<Bits>(random_.chance(50) ? Side::white : Side::black);
        const int most = count(start_position<Bits>(rules_).men[0]);
        int left[2] = {most, most};
        std::vector<int> squares;
        for (int square = 1; square <= layout_.squares; ++square) {
            squares.push_back(square);
            std::swap(squares.back(), squares[random_.below(static_cast<unsigned>(square))]);
        }
        for (const int square : squares) {
            const unsigned dice = random_.below(1000);
            if (dice >= own + enemy) continue;
            const unsigned side = index(dice < own ? p.turn : other(p.turn));
            const int row = (square - 1) / (layout_.squares / rules_.height);
            const bool last = row == (side == 0 ? 0 : rules_.height - 1);
            const bool no_kings = rules_.objective == Objective::breakthrough;
            const bool king = !no_kings && (last || random_.chance(kings));
            if ((last && !king) || left[side]-- <= 0) continue;
            (king ? p.kings : p.men)[side] |= Bits{1} << layout_.bit(square);
        }
        p.key = p.compute_key();
        return p;
    }

    const Rules& rules_;
    const Layout& layout_;
    Random& random_;
    Tally& tally_;
    MoveListOf<Bits> list_;
    std::uint64_t left_ = 0;
};

bool read_rules(std::istream& in, Rules& rules) {
    std::map<std::string, std::vector<long>> fields;
    for (std::string word; in >> word;) {
        const std::size_t equals = word.find('=');
        std::istringstream numbers(word.substr(equals + 1));
        auto& field = fields[word.substr(0, equals)];
        for (std::string n; std::getline(numbers, n, ',');) field.push_back(std::stol(n));
    }
    rules = Rules();
    return !RulesReader::read(
        rules, [&](const Field& field) { return std::span<const long>(fields[field.name]); });
}

void write(std::map<std::string, Tally>& tallies) {
    for (const auto& [kind, tally] : tallies) {
        std::cout << kind << ' ' << tally.worst;
        for (const auto& [branches, n] : tally.positions) std::cout << ' ' << branches << ':' << n;
        std::cout << '\n';
    }
    tallies.clear();
}

}  // namespace

int main() {
    std::uint64_t unused = 0;
    const LimitCaptures limit(kMax, unused);
    Random random(1);
    Rules rules;
    std::map<std::string, Tally> tallies;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream in(line);
        std::string command, kind, turn, pieces;
        std::uint64_t n = 0;
        in >> command;
        bool good = true;
        if (command == "rules") {
            write(tallies);
            good = read_rules(in, rules);
        } else if (command == "at") {
            in >> kind >> turn >> pieces;
            good = visit(rules, [&](auto v) {
                return Meter<decltype(v)>(rules, random, tallies[kind]).walk(turn, pieces);
            });
        } else {
            in >> kind >> n;
            visit(rules,
                  [&](auto v) { Meter<decltype(v)>(rules, random, tallies[kind]).play(kind, n); });
        }
        if (!good) {
            std::cerr << "cannot read " << line << '\n';
            return 1;
        }
    }
    write(tallies);
}
