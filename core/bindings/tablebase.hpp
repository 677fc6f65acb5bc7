// Native part of damka.tablebase: the open tables of a rule set.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "bindings/python.hpp"
#include "position/position.hpp"
#include "tablebase/set.hpp"

namespace damka::bindings {

namespace nb = nanobind;

// A set of table files, thread-safe. Searches and readers use an immutable set, which adding a
// table replaces.
class OpenTables {
   public:
    explicit OpenTables(const Rules& rules)
        : rules_(rules), set_(std::make_shared<const TableSet>(rules)) {}

    // Adds the table in a file, which stays open; raises OSError and ValueError. The view is valid
    // as long as this object.
    const TableView& add(nb::handle path);

    const Rules& rules() const noexcept { return rules_; }

    // The current tables.
    std::shared_ptr<const TableSet> set() const {
        const std::lock_guard lock(change_mutex_);
        return set_;
    }

    // Returns the value of a position or OracleOf::kMissing. Throws TableError.
    int value(const WidePosition& p);

    // A single-threaded reader of positions' values.
    class Reader {
       public:
        virtual ~Reader() = default;
        virtual int value(const WidePosition& p) = 0;
    };

   private:
    const Rules rules_;
    mutable std::mutex change_mutex_;
    std::mutex read_mutex_;                // locked after `change_mutex_`
    std::shared_ptr<const TableSet> set_;  // read under either lock, changed under both
    std::unique_ptr<Reader> reader_;       // of the current set, created on first use
};

// Returns the current tables of a Python `Tables`, null for None. Raises ValueError for tables of
// other rules.
std::shared_ptr<const TableSet> tables_of(nb::handle object, const Rules& rules);

void bind_tablebase(nb::module_& m);

}  // namespace damka::bindings
