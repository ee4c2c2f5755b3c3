#pragma once

#include "fixes/python/mention.h"
#include "fixes/python/source_index.h"

#include <string>
#include <vector>

namespace model_validator::fixes {

/// Code by which something may run a class's methods without what its constructor makes:
/// `Net.__new__(Net)`, `net.__class__ = Net`, `forward = Net.forward`, a derived class that does
/// not run its `__init__`, `copy.deepcopy(self)` in that.
std::vector<Node> class_mentions(const Node& type, SourceIndex& index);

/// Code that tells modules by the names of their classes or attributes, and may take a new one for
/// another: `name.find("Conv")`, for `DynamicConv2d`; `"conv" in name`, for `self.conv2d`.
std::vector<Node> name_mentions(const std::string& name, SourceIndex& index);

} // namespace model_validator::fixes
