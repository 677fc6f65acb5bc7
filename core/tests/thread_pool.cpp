// Search features: multiple lines, threads, time limits.
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "search/abdada.hpp"
#include "search/time_manager.hpp"
#include "tests/check.hpp"
#include "tests/search.hpp"

namespace damka::tests {

namespace {

const DrawRules kDraws{.repetition = 3, .same_move = 0, .no_progress_plies = 50, .material = {}};

SearchRoot start_of(const Rules& rules) {
    return RootReplay(rules, kDraws, start_position<Wide>(rules)).root();
}

SearchRoot setting(const Rules& rules, const char* pieces, Side turn) {
    WidePosition p{};
    CHECK(read_pieces(layout_of(rules), pieces, turn, p));
    return RootReplay(rules, kDraws, p).root();
}

Analysis run(const Rules& rules, const Task& task, const StopToken& signal = {}) {
    TranspositionTable table(std::size_t{1} << 20);
    Observer observer;
    return search_by(rules, kDraws, table)->run(task, signal, observer);
}

void repeat_tests() {
    for (const Rules& rules : {international(), american(), russian()}) {
        const Task task{.root = start_of(rules), .limits = {.depth = 9}};
        const Analysis a = run(rules, task);
        const Analysis b = run(rules, task);
        CHECK(a.depth == 9 && a.nodes == b.nodes && a.score == b.score && a.line == b.line);
    }
}

void line_tests() {
    const Rules rules = international();
    Task task{.root = start_of(rules), .limits = {.depth = 6}};
    task.lines = 4;
    const Analysis a = run(rules, task);
    CHECK(a.others.size() == 3 && a.depth == 6);
    std::set<int> first{a.line[0].from * 128 + a.line[0].to};
    int score = a.score;
    for (const Variation& v : a.others) {
        CHECK(v.score <= score && v.line.size() > 1);
        score = v.score;
        first.insert(v.line[0].from * 128 + v.line[0].to);
    }
    CHECK(first.size() == 4);
    // There are at most as many lines as moves.
    task.lines = 100;
    task.limits.depth = 2;
    CHECK(run(rules, task).others.size() == 8);
}

void thread_tests() {
    //                                  1   2   3   4   5   6   7   8
    const SearchRoot mate = setting(american(), "............W.....B.........W.W.", Side::white);
    Task task{.root = mate, .limits = {.depth = 15}};
    const Analysis single = run(american(), task);
    CHECK(single.score > kSureWin);
    for (const std::size_t threads : {2u, 4u}) {
        task.threads = threads;
        const Analysis multi = run(american(), task);
        // Delayed threads may report a longer win.
        CHECK(multi.score > kSureWin && !multi.line.empty());
    }
    Task game{.root = start_of(international()), .limits = {.nodes = 40'000}};
    game.threads = 3;
    const Analysis a = run(international(), game);
    CHECK(a.nodes <= 40'000 && a.depth >= 4 && a.line.size() > 1);
}

// Pauses the main thread, so that its helpers progress on a shared processor.
class SlowObserver : public Observer {
   public:
    bool poll() override {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return false;
    }
};

// Without helpers, only the main thread's share of the limit would be searched.
void helper_tests() {
    constexpr std::uint64_t kShare = 20'000;
    Task task{.root = start_of(international()), .limits = {.nodes = 4 * kShare}};
    task.threads = 4;
    TranspositionTable table(std::size_t{1} << 20);
    SlowObserver leader;
    const Analysis a = search_by(international(), kDraws, table)->run(task, {}, leader);
    CHECK(a.nodes > 2 * kShare && a.nodes <= 4 * kShare);
}

void sharing_tests() {
    AbdadaTable abdada;
    const auto mark = [](std::uint64_t key, int depth) { return AbdadaTable::mark_of(key, depth); };
    CHECK(!abdada.busy(mark(8, 5)));
    abdada.enter(mark(8, 5));
    abdada.enter(mark(8, 5));
    CHECK(abdada.busy(mark(8, 5)) && !abdada.busy(mark(8, 6)) && !abdada.busy(mark(16, 5)));
    // One thread's leave removes the mark for all.
    abdada.leave(mark(8, 5));
    CHECK(!abdada.busy(mark(8, 5)));
    // More marks than the table holds: the latest is present.
    for (std::uint64_t i = 0; i < 100'000; ++i) {
        abdada.enter(mark(zobrist::mix(i), 4));
        CHECK(abdada.busy(mark(zobrist::mix(i), 4)));
    }
    abdada.clear();
    for (std::uint64_t i = 0; i < 100'000; ++i) CHECK(!abdada.busy(mark(zobrist::mix(i), 4)));
}

// Several threads find the wins that one thread finds, possibly at another depth: the order in
// which they fill the table affects reductions.
void agreement_tests() {
    for (const char* pieces :
         {"............W.....B.........W.W.", "....w.....b.....w....b....ww....",
          "b....b.........w.....w......w..."}) {
        Task task{.root = setting(american(), pieces, Side::white), .limits = {.depth = 11}};
        const Analysis single = run(american(), task);
        task.threads = 4;
        task.limits.depth += 6;
        for (int turn = 0; turn < 5; ++turn) {
            const Analysis multi = run(american(), task);
            CHECK(multi.depth >= single.depth && !multi.line.empty());
            if (single.score > kSureWin) CHECK(multi.score > kSureWin);
            if (single.score < -kSureWin) CHECK(multi.score < -kSureWin);
        }
    }
}

void time_tests() {
    const auto seconds_of = [](const Task& task, const StopToken& signal) {
        const auto begun = Clock::now();
        CHECK(!run(international(), task, signal).line.empty());
        return std::chrono::duration<double>(Clock::now() - begun).count();
    };
    Task task{.root = start_of(international())};
    const StopToken never;
    task.limits.target = 0.02;
    CHECK(seconds_of(task, never) < 5);
    task.limits.target = kForever;
    task.limits.seconds = 0.02;
    CHECK(seconds_of(task, never) < 5);

    // A time limit set during a search without limits.
    task.limits.seconds = kForever;
    StopToken signal;
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        signal.set_time(0.01, 0.02);
    });
    CHECK(seconds_of(task, signal) < 5);
    other.join();

    // A single legal move uses no time.
    task.root =
        setting(international(), "b....................................w............", Side::white);
    task.root.choices = {{0, 41, 35, false, false}};
    task.limits.target = 1000;
    CHECK(seconds_of(task, never) < 5);
}

// --- time management ---

constexpr int kTarget = 1000;
constexpr WideMove kOne{0, 41, 35, false, false};
constexpr WideMove kOther{0, 41, 36, false, false};

// Returns the seconds after which the search stops, for a target of `kTarget`.
int stop_time(const TimeManager& manager) {
    const StopToken never;
    int seconds = 0;
    while (!manager.should_stop(seconds, 2, never)) {
        ++seconds;
        CHECK(seconds < 10 * kTarget);
    }
    return seconds;
}

TimeManager manager_after(int depths, const WideMove& choice, int score) {
    TimeManager manager({.target = kTarget});
    for (int i = 0; i < depths; ++i) manager.update(choice, score);
    return manager;
}

void choice_tests() {
    // The longer a choice is stable, the earlier the search stops.
    const int stable = stop_time(manager_after(12, kOne, 10));
    const int unstable = stop_time(manager_after(1, kOne, 10));
    CHECK(stable < kTarget && unstable > kTarget);
    for (int depths = 1; depths < 12; ++depths) {
        CHECK(stop_time(manager_after(depths + 1, kOne, 10)) <=
              stop_time(manager_after(depths, kOne, 10)));
    }
    // A new choice resets the stability.
    TimeManager changed = manager_after(12, kOne, 10);
    changed.update(kOther, 10);
    CHECK(stop_time(changed) == unstable);
}

void falling_tests() {
    const int stable = stop_time(manager_after(12, kOne, 10));
    const auto after = [](int score) {
        TimeManager manager = manager_after(12, kOne, 10);
        manager.update(kOne, score);
        return manager;
    };
    // A choice that has lost a man gets more time, until its score is stable.
    TimeManager falling = after(-90);
    CHECK(stop_time(falling) > stable);
    falling.update(kOne, -90);
    CHECK(stop_time(falling) == stable);
    // A choice that has gained a man or lost little does not.
    CHECK(stop_time(after(110)) == stable && stop_time(after(5)) == stable);
    // The first score cannot have dropped.
    CHECK(stop_time(manager_after(1, kOne, -90)) == stop_time(manager_after(1, kOne, 10)));
    // A drop and a new choice get the most time.
    TimeManager lost = manager_after(12, kOne, 10);
    lost.update(kOther, -90);
    CHECK(stop_time(lost) > stop_time(manager_after(1, kOther, -90)));
}

// A single legal move needs no time; without a target, the search never stops early.
void target_tests() {
    const StopToken never;
    CHECK(manager_after(1, kOne, 10).should_stop(0, 1, never));
    CHECK(!TimeManager({}).should_stop(1e9, 1, never));
    // A limit set during the search counts like one set before.
    StopToken signal;
    signal.set_time(0, kForever);
    CHECK(TimeManager({}).should_stop(0, 2, signal));
    signal.set_time(1e9, kForever);
    CHECK(!TimeManager({}).should_stop(1e9, 2, signal));
}

void contempt_tests() {
    // Contempt changes the search, which stays reproducible.
    Task task{.root = start_of(international()), .limits = {.depth = 9}};
    const Analysis without_contempt = run(international(), task);
    task.contempt = kMaxContempt;
    const Analysis a = run(international(), task);
    const Analysis b = run(international(), task);
    CHECK(a.nodes == b.nodes && a.score == b.score && a.line == b.line);
    CHECK(a.nodes != without_contempt.nodes);
    // Contempt does not hide a win.
    Task end{.root = setting(american(), "............W.....B.........W.W.", Side::white),
             .limits = {.depth = 19}};
    end.contempt = kMaxContempt;
    CHECK(run(american(), end).score > kSureWin);
    // Contempt is ignored where the aim is to lose.
    Rules losing = international();
    losing.objective = Objective::losing;
    Task other{.root = start_of(losing), .limits = {.depth = 7}};
    const Analysis without = run(losing, other);
    other.contempt = kMaxContempt;
    const Analysis with = run(losing, other);
    CHECK(with.nodes == without.nodes && with.line == without.line);
}

}  // namespace

void thread_pool_tests() {
    repeat_tests();
    line_tests();
    thread_tests();
    helper_tests();
    sharing_tests();
    agreement_tests();
    time_tests();
    choice_tests();
    falling_tests();
    target_tests();
    contempt_tests();
}

}  // namespace damka::tests
