// What of Python differs between its full and its stable ABI, and the global lock.
#pragma once

#include <cstdio>  // nanobind counts on it, and Python.h brings it along in the full ABI alone
// The line between keeps them in this order.
#include <nanobind/nanobind.h>

namespace damka::bindings {

namespace nb = nanobind;

// Put `item` at a place of a list or tuple that has just been made. Takes over the reference.
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

// Lets other threads of Python run while it exists.
using WithoutLock = nb::gil_scoped_release;

// Takes the lock while it exists.
using WithLock = nb::gil_scoped_acquire;

}  // namespace damka::bindings
