#pragma once

#include <model_validator/connected_graph.h>

#include <map>
#include <string>

namespace model_validator {

/// By the path of each module that has this one as its child: the name of that attribute. A shared
/// module has several: `{"": "act", "block": "relu"}` for `act` and `block.relu`.
std::map<std::string, std::string> owner_attributes(const Module& module);

/// `relu` of `layer1.relu`.
std::string last_part(const std::string& path);

} // namespace model_validator
