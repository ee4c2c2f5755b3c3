#pragma once

#include <cstdint>
#include <string_view>

namespace model_validator {

/// What Python does when it unpickles a name.
enum class UnpickledName : std::uint8_t {
  data,   ///< makes tensors or plain values
  object, ///< makes an object of a package, which runs that package's code
  code,   ///< may run anything: a function, or a class of the standard library that does things
};

/// @param name  `torch._utils._rebuild_tensor_v2`; `package:Class.Nested` where Python looks up one
/// name after the other
UnpickledName judge_unpickled(std::string_view name);

} // namespace model_validator
