#include "validators/suggestions/torch_classes.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace model_validator;

TEST_CASE("the classes are sorted, so that each is found") {
  std::string_view before;
  for (const TorchClass& entry : torch_classes()) {
    CHECK(before < entry.name);
    before = entry.name;
    CHECK(find_torch_class(entry.name) == &entry);
  }
  CHECK(find_torch_class("Sequential") == nullptr);
}

TEST_CASE("each argument can be read from somewhere, and refers to arguments that exist") {
  for (const TorchClass& entry : torch_classes()) {
    CAPTURE(entry.name);
    std::set<std::string_view> names;
    for (const ConstructorArgument& argument : entry.arguments) names.insert(argument.name);
    CHECK(names.size() == entry.arguments.size());
    for (const ConstructorArgument& argument : entry.arguments) {
      CAPTURE(argument.name);
      CHECK_FALSE(argument.origins.empty());
      if (!argument.follows.empty()) CHECK(names.count(argument.follows) == 1);
      for (const Origin& origin : argument.origins) {
        CHECK(origin.divided_by > 0);
        if (!origin.times.empty()) CHECK(names.count(origin.times) == 1);
      }
    }
  }
}
