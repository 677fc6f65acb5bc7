// Whether threads are available: WebAssembly without shared memory has none.
#pragma once

#if defined(__wasm__) && !defined(_REENTRANT)
#define DAMKA_HAS_THREADS 0
#else
#define DAMKA_HAS_THREADS 1
#endif
