// The variants for which the generator is compiled; `visit` selects one.
#pragma once

#include "position/geometry.hpp"
#include "position/variant.hpp"

namespace damka {

// Flying or short kings; men that capture backwards ("Back") or only forward.
using Flying8 = Variant<Board8, true, false>;
using Flying8Back = Variant<Board8, true, true>;
using Short8 = Variant<Board8, false, false>;
using Short8Back = Variant<Board8, false, true>;
using Flying10 = Variant<Board10, true, false>;
using Flying10Back = Variant<Board10, true, true>;
using Short10 = Variant<Board10, false, false>;
using Short10Back = Variant<Board10, false, true>;
using Frisian10 = Variant<Board10, true, true, kEveryWay>;  // captures in eight directions

// All other rules of a board, read at run time.
using Any6 = AnyVariant<Board6>;
using Any8 = AnyVariant<Board8>;
using Any10 = AnyVariant<Board10>;
using Any10x8 = AnyVariant<Board10x8>;
using Any12 = AnyVariant<Board12>;
using AnyFull8 = AnyVariant<FullBoard8>;

}  // namespace damka
