#pragma once

#include "expressions.h"

#include <string>

namespace fuzz {

/// Writes the bodies of functions.
class Statements {
public:
  Statements(Choices& choices, Expressions& expressions)
      : choices_(choices), expressions_(expressions) {}

  /// A body that returns `result`, indented.
  std::string body(Scope scope, const Type& result);
  /// Attributes of `self` that may be assigned in the body.
  std::vector<Variable> assignable;

private:
  using Lines = std::string;
  void block(Lines& to, Scope& scope, std::size_t indent, int depth);
  void statement(Lines& to, Scope& scope, std::size_t indent, int depth);
  void assign(Lines& to, Scope& scope, const std::string& margin);
  void chain(Lines& to, Scope& scope, const std::string& margin);
  void update(Lines& to, Scope& scope, const std::string& margin);
  void branch(Lines& to, Scope& scope, std::size_t indent, int depth);
  void loop(Lines& to, Scope& scope, std::size_t indent, int depth);
  void endless(Lines& to, Scope& scope, std::size_t indent, int depth);
  void change(Lines& to, Scope& scope, const std::string& margin);
  void nest(Lines& to, Scope& scope, const std::string& margin);
  void early_returns(Lines& to, Scope& scope, const std::string& margin);
  std::string fresh() { return "v" + std::to_string(values_++); }

  Choices& choices_;
  Expressions& expressions_;
  Type result_;
  std::size_t values_ = 0;
  std::size_t blocks_ = 0;
};

} // namespace fuzz
