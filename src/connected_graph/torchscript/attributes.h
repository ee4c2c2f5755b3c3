#pragma once

#include "connected_graph/torchscript/decisions.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace model_validator::torchscript {

/// The attributes of a model's objects, as a walk reads and sets them.
class Attributes {
public:
  Attributes(WalkContext& context, Values& values, Decisions& decisions);

  Abstract get(const Node& node, const Abstract& self);
  void set(const Node& node, const Inputs& inputs);
  /// `self.layers[i]`: the child, or the choice between all of them.
  Abstract child(const Node& node, const Inputs& inputs);

private:
  using OfClass = std::pair<const c10::ClassType*, std::string>;
  Abstract held(const c10::ivalue::Object& object, const std::string& name,
                const c10::TypePtr& type);
  Abstract one_of(const std::vector<Abstract>& children, const c10::TypePtr& type);

  WalkContext& context_;
  Values& values_;
  Decisions& decisions_;
  std::map<StateRecord::Key, Abstract> values_of_;
  std::set<OfClass> mutable_; ///< reassigned
  std::set<OfClass> filled_;  ///< changed in place
};

} // namespace model_validator::torchscript
