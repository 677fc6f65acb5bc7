// The kernel's tests. Build and run them with `make check-core`, under the address and
// undefined-behaviour sanitizers; the first check that fails is named and ends the run.
#include <cstdio>

#include "check.hpp"

int main() {
    damka::tests::perft_tests();
    damka::tests::streak_tests();
    damka::tests::invariant_tests();
    damka::tests::route_tests();
    damka::tests::crowded_tests();
    damka::tests::search_tests();
    damka::tests::tablebase_tests();
    damka::tests::team_tests();
    damka::tests::learned_tests();
    std::printf("%ld checks of the kernel hold\n", damka::tests::checks_done);
    return 0;
}
