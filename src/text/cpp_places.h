#pragma once

#include <string>
#include <string_view>

namespace model_validator {

/// What a library says, without the places in its own C++ source that it names and the signatures
/// that follow them: `/src/ops.cc:31 void ns::Op<T>::check(int) [with T = long] the axis is bad` is
/// `the axis is bad`. Nobody can look them up who has only the library.
std::string without_cpp_places(std::string_view message);

} // namespace model_validator
