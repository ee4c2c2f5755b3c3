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

/// The ways in which the classes of torch keep their constructor arguments.
namespace torch_arguments {

using Argument = ConstructorArgument;

Origin attribute(std::string_view name);
Origin operand(std::string_view name);
Origin operand_or_none(std::string_view name, std::string_view absent);
Origin presence(std::string_view parameter);
Origin dimensions(std::string_view parameter, std::size_t first);
Origin dimension(std::string_view parameter, std::size_t index, std::string_view times = {},
                 std::size_t divided_by = 1);
/// An argument kept as an attribute of the same name, and given to the operator under that name.
Argument plain(std::string_view name, std::string_view default_value = {}, Origin other = {});
/// One that has an element for each spatial dimension.
Argument spatial(std::string_view name, std::string_view default_value = {}, Origin other = {});
Argument stride_of_pool();
/// A switch that is on where the module has the parameter.
Argument has(std::string_view name, std::string_view parameter, std::string_view default_value);
/// `bias` is an attribute of the module, but holds the parameter.
Argument bias();
/// That of a normalization, which may have only a weight.
Argument bias_beside_weight();
Argument inplace();
/// One that the operators of a module show only where it is not the default.
Argument silent(std::string_view name, std::string_view default_value);
Argument silent_spatial(std::string_view name, std::string_view default_value);
/// A size that a parameter has as well.
Argument sized(std::string_view name, Origin shape);
/// Other modes than zeros pad beforehand, each dimension twice and in reverse, and convolve
/// without.
Argument conv_padding();
Argument padding_mode();

} // namespace torch_arguments
} // namespace model_validator
