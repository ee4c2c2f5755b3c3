#pragma once

#include "../choices.h"
#include "type.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fuzz {

struct Variable {
  std::string name; ///< or how it is reached: `self.weight`
  Type type;
};
using Scope = std::vector<Variable>;

/// Something that can be called: `__torch__.f`, or `(self.sub).forward`.
struct Callable {
  std::string name;
  std::vector<Type> takes;
  Type gives;
};

/// Writes expressions of a wanted type over what is in scope.
class Expressions {
public:
  explicit Expressions(Choices& choices) : choices_(choices) {}

  std::string of(const Type& type, const Scope& scope, int depth = 3);
  /// A literal, as default arguments usually are.
  std::string literal(const Type& type);
  /// A call that reads or writes files when it is run.
  std::string hostile_call();
  Type type(int depth = 2);

  std::vector<Callable> callables; ///< that code may call from here on

private:
  std::string fill(std::string_view pattern, const Scope& scope, int depth);
  std::string collection(const Type& type, const Scope& scope, int depth);
  std::string call(const Callable& callee, const Scope& scope, int depth);

  Choices& choices_;
};

/// A text as code writes it.
std::string python_text(std::string_view text);

} // namespace fuzz
