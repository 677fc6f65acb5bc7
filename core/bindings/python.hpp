// Differences between Python's full and stable ABI, and GIL guards.
#pragma once

#include <cstdio>  // required by nanobind; Python.h includes it only in the full ABI
// The blank line preserves the include order.
#include <nanobind/nanobind.h>

namespace damka::bindings {

namespace nb = nanobind;

// Stores `item` in a new list or tuple. Steals the reference.
inline void set_item(const nb::object& list, Py_ssize_t place, PyObject* item) {
#if defined(Py_LIMITED_API)
    PyList_SetItem(list.ptr(), place, item);
#else
    PyList_SET_ITEM(list.ptr(), place, item);
#endif
}

inline void set_tuple_item(const nb::object& tuple, Py_ssize_t place, PyObject* item) {
#if defined(Py_LIMITED_API)
    PyTuple_SetItem(tuple.ptr(), place, item);
#else
    PyTuple_SET_ITEM(tuple.ptr(), place, item);
#endif
}

// Releases the GIL during its lifetime.
using ReleaseGil = nb::gil_scoped_release;

// Holds the GIL during its lifetime.
using AcquireGil = nb::gil_scoped_acquire;

}  // namespace damka::bindings
