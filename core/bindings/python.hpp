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

// Whether this thread runs without Python's lock though Python knows the thread. The stable ABI
// does not tell, so everything in the bindings that releases or takes the lock says it here.
inline thread_local bool lock_is_released = false;

inline bool holds_lock() { return !lock_is_released && PyGILState_GetThisThreadState() != nullptr; }

// Lets other threads of Python run while it exists.
class WithoutLock {
   public:
    WithoutLock() { lock_is_released = true; }
    ~WithoutLock() { lock_is_released = false; }
    WithoutLock(const WithoutLock&) = delete;
    WithoutLock& operator=(const WithoutLock&) = delete;

   private:
    const nb::gil_scoped_release release_;
};

// Takes the lock while it exists.
class WithLock {
   public:
    WithLock() { lock_is_released = false; }
    ~WithLock() { lock_is_released = before_; }
    WithLock(const WithLock&) = delete;
    WithLock& operator=(const WithLock&) = delete;

   private:
    const bool before_ = lock_is_released;
    const nb::gil_scoped_acquire acquire_;
};

}  // namespace damka::bindings
