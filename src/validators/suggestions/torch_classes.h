#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace model_validator {

/// Where the value of a constructor argument can be read off a module.
struct Origin {
  enum class Kind {
    attribute,     ///< a constant or attribute of the module
    operand,       ///< a constant argument of an operator that the module runs
    dimension,     ///< one dimension of a parameter
    dimensions,    ///< the dimensions of a parameter, starting at one
    presence,      ///< whether the module has a parameter
    in_place,      ///< whether its operator writes into its input
    interpolation, ///< the mode in the name of an `upsample_…` operator
  };
  Kind kind = Kind::attribute;
  std::string_view name = {};
  std::size_t dimension = 0;
  std::string_view times = {}; ///< multiplied by the value of this argument
  std::size_t divided_by = 1;
  std::string_view absent = {}; ///< the operator's value for an argument that was not given
  std::string_view beside = {}; ///< says nothing about a module without this parameter
  bool uniform_only = false;    ///< says nothing where its elements differ
};

/// How a tuple is written.
enum class Tuples {
  as_they_are,
  scalar_if_single,  ///< `(64,)` as `64`
  scalar_if_uniform, ///< `(3, 3)` as `3`
};

struct ConstructorArgument {
  std::string_view name;
  std::string_view default_value; ///< the default as Python writes it; empty where required
  std::vector<Origin> origins;    ///< in the order in which they are tried
  Tuples tuples = Tuples::as_they_are;
  std::string_view follows = {}; ///< the default is the value of this argument
  bool leaves_no_trace = false;  ///< where there is no sign of it, the default is assumed
};

/// A class of `torch.nn` and how its modules are constructed.
struct TorchClass {
  std::string_view name; ///< `Conv2d`
  std::vector<ConstructorArgument> arguments;
};

/// The leaf classes of `torch.nn`, sorted by name.
const std::vector<TorchClass>& torch_classes();
/// Null where the class is not known.
const TorchClass* find_torch_class(std::string_view name);
/// Whether its constructor has an argument of that name.
bool takes(const TorchClass& type, std::string_view argument);
/// Whether modules of a class of these have weights or buffers of their own.
bool has_state(std::string_view name);

} // namespace model_validator
