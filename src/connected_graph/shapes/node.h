#pragma once

#include "connected_graph/shapes/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::shapes {

/// The attributes of a node, whatever the format.
class Attributes {
public:
  virtual ~Attributes() = default;
  virtual std::optional<std::int64_t> integer(std::string_view name) const = 0;
  virtual std::optional<std::vector<std::int64_t>> integers(std::string_view name) const = 0;
  virtual std::optional<std::string> text(std::string_view name) const = 0;
  virtual std::optional<std::vector<double>> reals(std::string_view name) const = 0;
  /// How many elements a list or a tensor has; 1 of a single value, nothing where it is left out.
  virtual std::optional<std::int64_t> count(std::string_view name) const = 0;
  /// Of a text, a number or a list of texts: what is written. None of others.
  virtual std::vector<std::string> words(std::string_view name) const = 0;
  /// Of an input that is stored, a few numbers.
  virtual std::optional<std::vector<double>> stored_numbers(std::size_t input) const = 0;
};

/// An operator with what flows into it.
struct Node {
  std::string_view type;            ///< as the file spells it
  std::string_view domain;          ///< empty for ONNX's own
  int opset = 0;                    ///< of its domain
  std::string_view name;            ///< in the file; may be empty
  std::size_t number = 0;           ///< which node it is
  bool conditional = false;         ///< runs only on some paths
  bool by_data = false;             ///< which the values that a model is given choose
  std::vector<const Value*> inputs; ///< null for one that is left out
  std::size_t output_count = 0;
  const Attributes* attributes = nullptr;
};

} // namespace model_validator::shapes
