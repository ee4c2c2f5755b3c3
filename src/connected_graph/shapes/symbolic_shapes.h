#pragma once

#include "connected_graph/shapes/facts.h"
#include "connected_graph/shapes/value.h"

#include <model_validator/connected_graph.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// What operators make of the sizes of a model's inputs and weights, and what is wrong with that:
/// the `shapes` of a graph. Facts name ops, not nodes.
struct SymbolicShapes {
  /// A type in the file that the nodes contradict.
  struct WrongDeclaration {
    OpId op = none; ///< that yields the value
    std::string value;
    bool output = false; ///< of the model
    std::string declared;
    std::string found;
  };

  shapes::Sizes sizes;
  shapes::Facts facts;
  std::vector<WrongDeclaration> wrong_declarations;
  /// By op: the shape of each output; null where it is not known.
  std::vector<std::vector<std::shared_ptr<const shapes::Shape>>> of_ops;
};

/// The sizes that a file states; unknown ones are negative there.
shapes::Shape stated_shape(const std::vector<std::int64_t>& stated);

/// The shape of an output of an op: what was worked out, which says more than what is declared.
/// Nothing where not even its rank is known.
std::optional<shapes::Shape> known_shape(const ConnectedGraph& graph, OpId op, std::size_t output,
                                         const TensorType& declared);

/// The sizes of an output of an op, as names, numbers and expressions; nothing where its rank is
/// not known. `?` stands for an unknown size.
std::optional<std::vector<std::string>> size_names(const ConnectedGraph& graph, OpId op,
                                                   std::size_t output);

/// The same of an input or output of the model.
std::optional<std::vector<std::string>> port_size_names(const ConnectedGraph& graph, OpId port);

} // namespace model_validator
