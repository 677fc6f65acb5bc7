// The native half of damka.tablebase: the tables that are open for some rules.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "bindings/python.hpp"
#include "position/position.hpp"
#include "tablebase/set.hpp"

namespace damka::bindings {

namespace nb = nanobind;

// A set of tables in files.
class OpenTables {
   public:
    explicit OpenTables(const Rules& rules) : set_(rules) {}

    // Adds the table in a file, which stays open; raises OSError and ValueError.
    const TableView& add(nb::handle path);

    const TableSet& set() const noexcept { return set_; }

    // The value of a position or OracleOf::kMissing; for any thread. Throws TableError.
    int value(const WidePosition& p);

    // A position's value as one reader sees it.
    class Reader {
       public:
        virtual ~Reader() = default;
        virtual int value(const WidePosition& p) = 0;
    };

   private:
    TableSet set_;
    std::mutex reading_;
    std::unique_ptr<Reader> reader_;  // when first asked
};

// The tables behind a Python `Tables` of such rules, none behind None; they are held by the caller
// while they are asked. Raises ValueError for tables of other rules.
const TableSet* tables_of(nb::handle object, const Rules& rules);

void bind_tablebase(nb::module_& m);

}  // namespace damka::bindings
