#pragma once

#include "connected_graph/value_readers.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace model_validator::rules {

/// A model in the form that a target reads. A verdict is about the model, not about the format it
/// was saved in: a target of exported programs judges a TorchScript file by what exporting gives,
/// and a target of TorchScript an exported program by what tracing gives.
class FileForm {
public:
  /// Holds references to both.
  FileForm(const TargetProfile& profile, const ConnectedGraph& graph);

  /// Of a TorchScript file that becomes a program; else null.
  const NumbersOfData* numbers() const { return numbers_ ? &*numbers_ : nullptr; }

  /// Whether a vertex is an operator in that form. Sizes are numbers in a program, and what is
  /// computed from them is done when it is exported, as is a branch that they decide.
  bool has(OpId op) const;

  /// An operator, as it is written in that form; nothing where it is none.
  std::optional<Operator> written(const Operator& op) const;

  /// The same for a vertex that stands for no other operators. A number that a trace keeps as a
  /// tensor is an argument again.
  std::optional<Operator> written(OpId op) const;

private:
  enum class Change : std::uint8_t { none, to_program, to_trace };

  bool is_left_out(const Operator& op) const;
  Operator renamed(Operator op) const;

  const ConnectedGraph& graph_;
  std::optional<NumbersOfData> numbers_;
  Change change_ = Change::none;
  bool program_ = false;           ///< the file, or the form, is an exported program
  std::set<std::string> language_; ///< operators of the file's code that yield no tensors
};

} // namespace model_validator::rules
