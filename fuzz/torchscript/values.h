#pragma once

#include "../choices.h"
#include "type.h"

#include <map>
#include <string>
#include <vector>

namespace fuzz {

struct Attribute {
  std::string name;
  Type type;
};

/// Pickles values of given types, as torch.jit.save does.
class Values {
public:
  explicit Values(Choices& choices) : choices_(choices) {}

  std::string of(const Type& type, int depth = 4);
  std::map<std::string, std::vector<Attribute>> classes; ///< by name

private:
  std::string object(const std::string& name, int depth);
  std::string items(const Type& type, int depth);

  Choices& choices_;
  std::map<std::string, unsigned> known_; ///< objects of the memo, by class
};

} // namespace fuzz
