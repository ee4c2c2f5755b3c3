#pragma once

#include "connected_graph/torchscript/walk_context.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::torchscript {

/// What the names of a method's code stand for in the call that is walked.
using Environment = std::unordered_map<const Value*, Abstract>;
/// Inputs of a node or a call, in order.
using Inputs = std::vector<Abstract>;
/// Walks the nodes of a block. @return false if nothing comes after it: it raises
using WalkBlock = std::function<bool(const Block&, Environment&)>;

/// Makes values, and looks them up.
class Values {
public:
  explicit Values(WalkContext& context);

  Abstract of(const Value* value, const Environment& environment) const;
  Inputs inputs_of(const Node& node, const Environment& environment) const;
  /// The single alternative left by what has been decided, if there is only one; else the value
  /// itself.
  Abstract refined(Abstract value) const;

  /// A number that no other value has.
  std::uint64_t next_number() { return next_number_++; }
  Abstract unknown(const c10::TypePtr& type);
  /// What stands for the parts of a value that nothing is known of.
  Dependence::Node add_node() { return state_.add(); }
  /// The value that an op yields, opened if its type is a tuple. @param output of the op; advanced
  /// by the number of outputs the value has
  Abstract result(const c10::TypePtr& type, OpId op, std::size_t& output, bool query);
  /// A value that the file holds. @param owner  the object whose attribute it is; null for a
  /// constant of the code
  Abstract from_ivalue(const c10::IValue& value, const c10::ivalue::Object* owner,
                       const std::string& name);
  /// One of several values: the data of all of them.
  Abstract any_of(const std::vector<Abstract>& values, const c10::TypePtr& type);
  /// One of two values; a write into it is a write into either.
  Abstract either(const Abstract& a, const Abstract& b, const c10::TypePtr& type);
  /// Any element of a collection, or one that the walk has not seen enter it.
  Abstract any_element(const Items& items, const c10::TypePtr& type);
  Abstract element(const Abstract& list, const Abstract& index, const c10::TypePtr& type);

private:
  Abstract mixed(const std::vector<Abstract>& values, const c10::TypePtr& type);
  Abstract from_tensor(const at::Tensor& tensor, const c10::ivalue::Object* owner,
                       const std::string& name);
  Abstract from_elements(c10::ArrayRef<c10::IValue> elements, const c10::ivalue::Object* owner,
                         const std::string& name);
  Abstract from_dict(const c10::IValue& value, const c10::ivalue::Object* owner,
                     const std::string& name);

  WalkContext& context_;
  StateRecord& state_;
  std::uint64_t next_number_ = 1;
};

} // namespace model_validator::torchscript
