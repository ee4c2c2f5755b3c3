#include "connected_graph/torchscript/code/reachable_values.h"

#include <ATen/core/List.h>
#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace model_validator;

TEST_CASE("a value that several hold is visited once") {
  const at::Tensor tensor = at::ones({2});
  const c10::List<at::Tensor> list({tensor, tensor});
  c10::impl::GenericDict dict(c10::StringType::get(), c10::ListType::ofTensors());
  dict.insert("a", list);
  dict.insert("b", list);
  std::vector<std::string> kinds;
  torchscript::for_each_reachable(
      c10::ivalue::Tuple::create(dict, list, tensor, 1),
      [&](const c10::IValue& value) { kinds.push_back(value.tagKind()); });
  std::sort(kinds.begin(), kinds.end());
  CHECK(kinds == std::vector<std::string>{"GenericDict", "GenericList", "Tensor"});
}
