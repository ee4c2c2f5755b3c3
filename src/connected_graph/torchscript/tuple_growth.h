#pragma once

#include <cstdint>
#include <string_view>

namespace model_validator::torchscript {

/// How many elements all tuples together have that are made in the functions of this code, tuples
/// in tuples counted each time: at least as many, where one is passed on by a call of LibTorch's.
/// LibTorch goes through the whole type of every value, so `t = (t, t)`, written thirty times,
/// would keep it busy for days.
std::uint64_t elements_of_tuples(std::string_view code);

} // namespace model_validator::torchscript
