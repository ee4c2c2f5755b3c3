#pragma once

#include "fixes/call_arguments.h"
#include "fixes/operation.h"
#include "fixes/python/text_edit.h"

#include <string>
#include <utility>
#include <vector>

namespace model_validator::fixes {

/// The edits that turn the expression of an operation into the call of a module. The operands keep
/// their text, with its comments and line breaks.
class CallEdits {
public:
  /// @param callee  what the module is called: `self.add`
  CallEdits(const Operation& operation, std::string callee)
      : operation_(operation), node_(operation.node), callee_(std::move(callee)) {}

  /// `a + b` becomes `self.add(a, b)`.
  void replace_operator(const Node& left, const Node& right);
  /// `a += b` becomes `a = self.add(a, b)`.
  void replace_augmented_assignment();
  /// `-x` becomes `self.neg(x)`.
  void replace_sign();
  /// `x` becomes `self.unbind(x)`.
  void hand_over();
  /// `F.relu` becomes `self.relu`, `x.mean(` becomes `self.mean(x, `.
  void replace_callee(bool more_arguments);
  /// Removes all arguments after the tensor from a call whose callee is replaced.
  void drop_arguments_behind_tensor(const std::vector<GivenArgument>& given);
  /// `(a + b for a in x)` becomes `([a + b for a in x])`, which runs where it stands.
  void compute_first(const Node& arguments);
  /// `[a, b]` becomes `a, b`, and any other list `*list`.
  void spread(const Node& list);

  std::vector<TextEdit> take() { return std::move(edits_); }

private:
  void replace(std::size_t begin, std::size_t end, std::string text);
  void open(const Node& around, std::string text);
  void close(const Node& around);
  void unwrap(const Node& operand);
  void separate(const Node& left, const Node& right);

  const Operation& operation_;
  Node node_;
  std::string callee_;
  std::vector<TextEdit> edits_;
};

} // namespace model_validator::fixes
