// The kernel's tests. Build and run them with `make check-core`, under the address and
// undefined-behaviour sanitizers; the first failed check is reported and ends the run.
//
//     run          run all groups of tests
//     run NAME     run one group
//     run --list   list the groups, slowest first, to run them in parallel
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
    {"perft", damka::tests::perft_tests},         {"weights", damka::tests::weights_tests},
    {"tablebase", damka::tests::tablebase_tests}, {"threads", damka::tests::thread_pool_tests},
    {"routes", damka::tests::route_tests},        {"flat", damka::tests::flat_tests},
    {"captures", damka::tests::capture_tests},    {"streaks", damka::tests::streak_tests},
    {"results", damka::tests::game_result_tests}, {"pdn", damka::tests::pdn_tests},
    {"batch", damka::tests::batch_tests},
};

void run(const Group& group) {
    damka::tests::checks_done = 0;
    group.run();
    std::printf("%s: %ld checks passed\n", group.name, damka::tests::checks_done);
}

}  // namespace

int main(int count, char** arguments) {
    const char* name = count > 1 ? arguments[1] : "";
    const bool list = std::strcmp(name, "--list") == 0;
    bool found = false;
    for (const Group& group : kGroups) {
        if (list) {
            std::puts(group.name);
        } else if (!*name || std::strcmp(name, group.name) == 0) {
            run(group);
        } else {
            continue;
        }
        found = true;
    }
    if (!found) std::fprintf(stderr, "no test group named %s\n", name);
    return found ? 0 : 2;
}
