#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// What a picture of a graph shows, before it is written in a drawing program's language: boxes
/// inside nested frames, and arrows between boxes.
struct Drawing {
  /// One op, or a module with all that is in it.
  struct Box {
    std::string id;                 ///< unique: the op's name, or the path of the module
    std::vector<std::string> lines; ///< of its label
    std::string tooltip;
    OpKind kind = OpKind::functional;
    bool collapsed = false;            ///< a module that is not opened
    bool conditional = false;          ///< in an arm of an `if` or in a loop
    Severity severity = Severity::off; ///< the most severe of its findings
    std::size_t frame = none;
  };
  /// A module that is opened.
  struct Frame {
    std::string label;
    std::string tooltip;
    Severity severity = Severity::off;
    std::size_t parent = none; ///< comes before this one
  };
  struct Arrow {
    std::size_t from = none;
    std::size_t to = none;
    std::size_t products = 1; ///< how many it stands for
  };

  std::string title;
  std::vector<Box> boxes;
  std::vector<Frame> frames;
  std::vector<Arrow> arrows;
};

struct DrawingOptions {
  /// Modules that many levels below the model are boxes; without it, as deep as stays readable.
  std::optional<std::size_t> depth;
  /// Sizes, integers and lists are drawn too.
  bool queries = false;
};

/// @param findings  the findings in the graph; those that are suppressed are left out
Drawing draw(const ConnectedGraph& graph, const std::vector<Diagnostic>& findings = {},
             const DrawingOptions& options = {});

} // namespace model_validator
