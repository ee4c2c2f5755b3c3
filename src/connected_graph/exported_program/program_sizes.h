#pragma once

#include "connected_graph/shapes/size.h"
#include "connected_graph/shapes/value_shapes.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace model_validator::exported_program {

/// `s77` of `Symbol('s77', integer=True)`; empty for a compound expression.
std::string symbol_in(const std::string& expression);

/// A size as SymPy's `srepr` writes it, `Add(Symbol('s0', integer=True), Integer(1))`; unknown
/// where it has a function that is not of sizes.
/// @param axis  where a symbol is met that is new
shapes::Size read_size(std::string_view expression, shapes::Sizes& sizes,
                       const shapes::FreeAxis& axis);

/// The sizes that a program states, over its own symbols.
class ProgramSizes {
public:
  /// @param meta  the `TensorMeta` of a value
  void note(ValueId value, const std::string& name, const nlohmann::json& meta);
  /// What was noted, by op, after assembly.
  std::shared_ptr<const SymbolicShapes> finish(const GraphAssembler& assembler,
                                               const ConnectedGraph& graph);

private:
  shapes::Size size_of(const std::string& expression, const shapes::FreeAxis& axis);

  SymbolicShapes found_;
  ValueShapes of_values_;
  std::unordered_map<std::string, shapes::Size> known_; ///< by expression
};

} // namespace model_validator::exported_program
