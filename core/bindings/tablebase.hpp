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

// A set of tables in files, for any thread. Searches and readers work with a set that does not
// change: adding a table puts another set in its place.
class OpenTables {
   public:
    explicit OpenTables(const Rules& rules)
        : rules_(rules), set_(std::make_shared<const TableSet>(rules)) {}

    // Adds the table in a file, which stays open; raises OSError and ValueError. The view stays
    // while these tables do.
    const TableView& add(nb::handle path);

    const Rules& rules() const noexcept { return rules_; }

    // The tables there are now.
    std::shared_ptr<const TableSet> set() const {
        const std::lock_guard lock(changing_);
        return set_;
    }

    // The value of a position or OracleOf::kMissing. Throws TableError.
    int value(const WidePosition& p);

    // A position's value as one reader sees it.
    class Reader {
       public:
        virtual ~Reader() = default;
        virtual int value(const WidePosition& p) = 0;
    };

   private:
    const Rules rules_;
    mutable std::mutex changing_;
    std::mutex reading_;                   // taken after `changing_`
    std::shared_ptr<const TableSet> set_;  // read under either lock, changed under both
    std::unique_ptr<Reader> reader_;       // of the present set, when it was first asked
};

// The tables that a Python `Tables` of such rules has now, none behind None. Raises ValueError for
// tables of other rules.
std::shared_ptr<const TableSet> tables_of(nb::handle object, const Rules& rules);

void bind_tablebase(nb::module_& m);

}  // namespace damka::bindings
