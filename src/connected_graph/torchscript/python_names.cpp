#include "connected_graph/torchscript/python_names.h"

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>

#include <vector>

namespace model_validator::torchscript {

std::string python_name(std::string_view qualified_name) {
  std::vector<std::string> parts;
  boost::split(parts, qualified_name, [](char c) { return c == '.'; });
  std::erase_if(parts, [](const std::string& part) {
    return part == "__torch__" || part.starts_with("___torch_mangle_");
  });
  return boost::join(parts, ".");
}

std::string python_method(std::string_view method) {
  const auto last = method.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == method.size()) return std::string(method);
  const std::string_view stem = method.substr(0, last + 1);
  if (stem == "forward") return "forward";
  if (stem.size() > 2 && stem.ends_with("__") && !stem.starts_with("__"))
    return std::string(stem.substr(0, stem.size() - 2));
  return std::string(method);
}

bool is_torch_functional(std::string_view python_name) {
  return python_name.starts_with("torch.nn.functional.") ||
         python_name.starts_with("torch.functional.");
}

} // namespace model_validator::torchscript
