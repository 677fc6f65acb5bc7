// Endgame tables in memory.
#include <span>
#include <string>
#include <vector>

#include "position/board_map.hpp"
#include "tablebase/set.hpp"
#include "tablebase/values.hpp"
#include "wasm/objects.hpp"
#include "wasm/record.hpp"

namespace damka::wasm {

// Creates an empty set of tables for some rules; returns its handle.
DAMKA_API(damka_tables) std::int32_t damka_tables(std::int32_t handle) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        return register_object(std::make_shared<TablesObject>(rules->rules()));
    });
}

// Adds the table in the input; not during a search with these tables. Writes for each half
// positions, wins, draws and losses (64 bits each), longest win, longest loss and length of its
// name (32 bits each), and the name.
DAMKA_API(damka_tables_add) std::int32_t damka_tables_add(std::int32_t handle, std::int32_t n) {
    return guarded([&]() -> std::int32_t {
        const auto tables = find<TablesObject>(handle);
        if (!tables) return kNoHandle;
        Reader in(n);
        const std::size_t size = in.left();
        const unsigned char* bytes = in.bytes(size);
        if (!bytes) return kNoInput;
        if (!can_allocate(2 * size)) return kNoMemory;
        auto file = std::make_unique<std::vector<std::uint8_t>>(bytes, bytes + size);
        std::string fault;
        const TableView* view =
            tables->set.add(std::make_unique<MemorySource>(Bytes(*file)), fault);
        Writer out;
        if (!view) {
            out.text(fault);
            return kDamaged;
        }
        tables->files.push_back(std::move(file));
        for (const TableView::Half& half : view->halves()) {
            const TableCounts& c = half.counts;
            const std::string name = half.material.name();
            out.put(c.positions).put(c.wins).put(c.draws).put(c.losses);
            out.put(static_cast<std::int32_t>(c.longest_win));
            out.put(static_cast<std::int32_t>(c.longest_loss));
            out.put(static_cast<std::uint32_t>(name.size())).text(name);
        }
        return out.size();
    });
}

// Returns the largest number of pieces of a table, 0 without tables.
DAMKA_API(damka_tables_pieces) std::int32_t damka_tables_pieces(std::int32_t handle) {
    const auto tables = find<TablesObject>(handle);
    return tables ? tables->set.pieces() : kNoHandle;
}

// Writes the table value of the position in the input: result for the side to move (1, 0, -1) and
// plies to the end, as 32-bit numbers. Writes nothing without a table.
DAMKA_API(damka_tables_probe)
std::int32_t damka_tables_probe(std::int32_t handle, std::int32_t rules_handle, std::int32_t n) {
    return guarded([&]() -> std::int32_t {
        const auto tables = find<TablesObject>(handle);
        const auto rules = find<RulesObject>(rules_handle);
        if (!tables || !rules) return kNoHandle;
        const TableSet& set = tables->set;
        if (table_fingerprint(set.rules()) != table_fingerprint(rules->rules())) {
            return kOtherRules;
        }
        Reader in(n);
        if (in.left() < kRecord) return kNoInput;
        GameSnapshot now;
        if (!take_record(in, rules->game, now)) return kBadRecord;
        std::string fault;
        const int value = with_word(set.rules(), [&](auto zero) {
            using Bits = decltype(zero);
            TableReaderOf<Bits> reader(set, 16);
            const int found =
                OracleOf<Bits>(set.rules(), reader).value(with_words<Bits>(now.position));
            if (found == StoreOf<Bits>::kDamaged) fault = reader.fault();
            return found;
        });
        Writer out;
        if (!fault.empty()) {
            out.text(fault);
            return kDamaged;
        }
        if (value < 0) return 0;
        const bool losing = set.rules().objective == Objective::losing;
        const bool lost = SuccessorValues::lost(static_cast<TableValue>(value), losing);
        out.put(static_cast<std::int32_t>(value == kTableDraw ? 0 : lost ? -1 : 1));
        out.put(static_cast<std::int32_t>(value == kTableDraw ? 0 : value - 1));
        return out.size();
    });
}

// Verifies that the input is a complete table of these rules with correct checksums: 0 or 1.
DAMKA_API(damka_tables_intact)
std::int32_t damka_tables_intact(std::int32_t handle, std::int32_t n) {
    return guarded([&]() -> std::int32_t {
        const auto rules = find<RulesObject>(handle);
        if (!rules) return kNoHandle;
        Reader in(n);
        const std::size_t size = in.left();
        const unsigned char* bytes = in.bytes(size);
        if (!bytes) return kNoInput;
        std::string fault;
        const auto view = TableView::open(std::make_unique<MemorySource>(Bytes(bytes, size)),
                                          table_fingerprint(rules->rules()), fault);
        if (view) return view->intact() ? 1 : 0;
        Writer().text(fault);
        return kDamaged;
    });
}

}  // namespace damka::wasm
