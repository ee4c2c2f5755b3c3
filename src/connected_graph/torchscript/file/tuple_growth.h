#pragma once

#include <cstdint>
#include <string_view>

namespace model_validator::torchscript {

/// The total number of elements of all tuples made in the functions of this code, counting nested
/// tuples each time; an upper bound if one passes through a LibTorch call. LibTorch traverses the
/// whole type of every value, so `t = (t, t)`, written thirty times, would keep it busy for days.
std::uint64_t elements_of_tuples(std::string_view code);

} // namespace model_validator::torchscript
