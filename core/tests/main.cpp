// The kernel's tests. Build and run them with `make check-core`, under the address and
// undefined-behaviour sanitizers; the first failed check is reported and ends the run.
//
//     run          every group of tests, one after the other
//     run NAME     one group
//     run --list   the names, slowest first, for running them in parallel
#include <cstdio>
#include <cstring>

#include "tests/check.hpp"

namespace {

struct Group {
    const char* name;
    void (*run)();
};

constexpr Group kGroups[] = {
    {"search", damka::tests::search_tests},       {"invariants", damka::tests::invariant_tests},
    {"perft", damka::tests::perft_tests},         {"learned", damka::tests::weights_tests},
    {"tablebase", damka::tests::tablebase_tests}, {"team", damka::tests::thread_pool_tests},
    {"routes", damka::tests::route_tests},        {"flat", damka::tests::flat_tests},
    {"captures", damka::tests::capture_tests},    {"streaks", damka::tests::streak_tests},
    {"results", damka::tests::game_result_tests}, {"pdn", damka::tests::pdn_tests},
    {"batch", damka::tests::batch_tests},
};

void run(const Group& group) {
    damka::tests::checks_done = 0;
    group.run();
    std::printf("%s: %ld checks of the kernel hold\n", group.name, damka::tests::checks_done);
}

}  // namespace

int main(int count, char** arguments) {
    const char* asked = count > 1 ? arguments[1] : "";
    const bool list = std::strcmp(asked, "--list") == 0;
    bool found = false;
    for (const Group& group : kGroups) {
        if (list) {
            std::puts(group.name);
        } else if (!*asked || std::strcmp(asked, group.name) == 0) {
            run(group);
        } else {
            continue;
        }
        found = true;
    }
    if (!found) std::fprintf(stderr, "no tests are called %s\n", asked);
    return found ? 0 : 2;
}
