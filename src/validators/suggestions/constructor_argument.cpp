#include "validators/suggestions/constructor_argument.h"

namespace model_validator::torch_arguments {

Origin attribute(std::string_view name) { return {Origin::Kind::attribute, name}; }
Origin operand(std::string_view name) { return {Origin::Kind::operand, name}; }
Origin operand_or_none(std::string_view name, std::string_view absent) {
  Origin origin = operand(name);
  origin.absent = absent;
  return origin;
}
Origin presence(std::string_view parameter) { return {Origin::Kind::presence, parameter}; }
Origin dimensions(std::string_view parameter, std::size_t first) {
  return {Origin::Kind::dimensions, parameter, first};
}
Origin dimension(std::string_view parameter, std::size_t index, std::string_view times,
                 std::size_t divided_by) {
  return {Origin::Kind::dimension, parameter, index, times, divided_by};
}

Argument plain(std::string_view name, std::string_view default_value, Origin other) {
  Argument argument{name, default_value, {attribute(name), operand(name)}};
  if (!other.name.empty()) argument.origins.push_back(other);
  return argument;
}
Argument spatial(std::string_view name, std::string_view default_value, Origin other) {
  Argument argument = plain(name, default_value, other);
  argument.tuples = Tuples::scalar_if_uniform;
  return argument;
}
Argument stride_of_pool() {
  Argument argument = spatial("stride", "None");
  argument.follows = "kernel_size";
  return argument;
}
Argument has(std::string_view name, std::string_view parameter, std::string_view default_value) {
  return {name, default_value, {attribute(name), presence(parameter)}};
}
Argument bias() { return {"bias", "True", {presence("bias")}}; }
Argument bias_beside_weight() {
  Origin origin = presence("bias");
  origin.beside = "weight";
  Argument argument{"bias", "True", {origin}};
  argument.leaves_no_trace = true;
  return argument;
}
Argument inplace() {
  return {"inplace", "False", {attribute("inplace"), {Origin::Kind::in_place, "inplace"}}};
}
Argument silent(std::string_view name, std::string_view default_value) {
  Argument argument = plain(name, default_value);
  argument.leaves_no_trace = true;
  return argument;
}
Argument silent_spatial(std::string_view name, std::string_view default_value) {
  Argument argument = spatial(name, default_value);
  argument.leaves_no_trace = true;
  return argument;
}

Argument sized(std::string_view name, Origin shape) { return {name, {}, {attribute(name), shape}}; }

Argument conv_padding() {
  Origin beforehand = operand("pad");
  beforehand.uniform_only = true;
  return {"padding",
          "0",
          {attribute("padding"), beforehand, operand("padding")},
          Tuples::scalar_if_uniform};
}
Argument padding_mode() {
  Argument argument{"padding_mode", "'zeros'", {attribute("padding_mode"), operand("mode")}};
  argument.leaves_no_trace = true;
  return argument;
}

} // namespace model_validator::torch_arguments
