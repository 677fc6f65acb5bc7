// Counting moves.
#include "movegen/perft.hpp"

#include <memory>

#include "movegen/capture_limits.hpp"
#include "position/visit.hpp"
#include "wasm/objects.hpp"
#include "wasm/record.hpp"

namespace damka::wasm {

// Writes the number of sequences of `depth` legal moves (0 to 60) from the record in the input: 8
// bytes. `hash_mb`: size of the hash table in megabytes, 0 to 1024. The host is polled.
DAMKA_API(damka_perft)
std::int32_t damka_perft(std::int32_t handle, std::int32_t n, std::int32_t depth,
                         std::int32_t hash_mb) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        Reader in(n);
        GameSnapshot now;
        if (in.left() < kRecord) return kNoInput;
        if (!take_record(in, rules->game, now)) return kBadRecord;
        if (depth < 0 || depth > 60 || hash_mb < 0 || hash_mb > 1024) return kBadNumber;
        const auto bytes = static_cast<std::size_t>(hash_mb) << 20;
        if (bytes && !can_allocate(bytes + bytes / 64)) return kNoMemory;
        const auto table = bytes ? std::make_unique<PerftTable>(bytes) : nullptr;
        bool stopped = false;
        const auto poll = [&] {
            return stopped = stopped || request_host(HostRequest::poll, 0) != 0;
        };
        const std::uint64_t unfinished = capture_limits().unfinished;
        const std::uint64_t leaves = visit(rules->rules(), [&](auto v) {
            using V = decltype(v);
            const auto p = with_words<typename V::Bits>(now.position);
            return perft<V>(rules->rules(), p, depth, Poll::of(poll), table.get());
        });
        if (stopped) return kStopped;
        if (capture_limits().unfinished != unfinished) return kTooComplex;
        return Writer().put(leaves).size();
    });
}

}  // namespace damka::wasm
