// For who calls the generator's table of functions and leaves its compiling, which is long, to the
// one file that says `template KernelOf<…> KernelOf<…>::of(const Rules&);`.
#pragma once

#include <cstdint>

#include "kernel.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

extern template KernelOf<std::uint64_t> KernelOf<std::uint64_t>::of(const Rules&);
extern template KernelOf<Wide> KernelOf<Wide>::of(const Rules&);

}  // namespace damka
