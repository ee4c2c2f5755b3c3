#include "fixes/calls_in_source.h"

#include "fixes/number_types.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

Place place_of(const SourceCall& call) {
  return {call.place.line, call.place.column > 0 ? call.place.column : -1};
}

Node forward_of(const PythonFile& file, const std::string& class_name) {
  const Node type = find_class(file.root(), last_part(class_name));
  const Node forward = type ? find_method(type, "forward") : Node();
  if (!forward) throw Refusal{"the model does not record where it is called"};
  return forward;
}

/// `relu` for a name that was made by `act = self.relu` in the same function.
std::string alias_of(const Node& call, const std::string& name) {
  std::string found;
  for (const Node& made : call.around("function_definition").all("assignment")) {
    if (made.field("left").text() != name) continue;
    const Node value = made.field("right");
    if (!found.empty() || !value.is("attribute")) return {};
    found = value.field("attribute").text();
  }
  return found;
}

/// Whether an attribute is a property of its class that returns another: `return self._act`.
bool is_property_for(const Node& use, const std::string& attribute) {
  const Node property = find_method(use.around("class_definition"), use.field("attribute").text());
  if (!property || property.parent().text().find("@property") != 0) return false;
  const auto returned = property.all("return_statement");
  if (returned.size() != 1 || returned.front().children().empty()) return false;
  const Node value = returned.front().children().front();
  return value.is("attribute") && value.field("object").text() == use.field("object").text() &&
         value.field("attribute").text() == attribute;
}

bool calls_attribute(const Node& call, const std::string& attribute) {
  const Node callee = call.field("function");
  if (callee.is("attribute"))
    return callee.field("object").is("identifier") &&
           (callee.field("attribute").text() == attribute || is_property_for(callee, attribute));
  return callee.is("identifier") && alias_of(call, std::string(callee.text())) == attribute;
}

/// A trace says of each operator whether it wrote in place: `x.mul_(g) if inplace else x * g`.
void keep_what_wrote_so(std::vector<Operation>& candidates, const Rewrite& rewrite) {
  const std::string name = rewrite.schema.substr(0, rewrite.schema.find('.'));
  if (!name.starts_with("aten::") || !rewrite.calls.front().code.empty()) return;
  const auto is_other = [in_place = name.ends_with('_')](const Operation& each) {
    return each.in_place != in_place;
  };
  if (!std::ranges::all_of(candidates, is_other)) std::erase_if(candidates, is_other);
}

/// `sum(self.sizes)`, `sum([1, n])`, `sum(len(each) for each in x)`
bool adds_likely_numbers(const Node& sum) {
  const Node given = sum.field("arguments");
  if (given.is("generator_expression")) return may_be_number(given.field("body"));
  const Node list = given.children().front();
  const auto elements = list.children();
  if (list.is("list") || list.is("tuple")) return std::ranges::all_of(elements, may_be_number);
  return list.is("list_comprehension") ? may_be_number(list.field("body")) : list.is("attribute");
}

/// `(size - 1)` of `(a - b) + (size - 1)`, where that is what makes the line unclear.
void leave_out_likely_numbers(std::vector<Operation>& candidates) {
  const auto is_likely = [](const Operation& each) {
    if (each.form == Operation::Form::sum) return adds_likely_numbers(each.node);
    return each.form == Operation::Form::binary && may_be_number(each.node.field("left")) &&
           may_be_number(each.node.field("right"));
  };
  if (!std::ranges::all_of(candidates, is_likely)) std::erase_if(candidates, is_likely);
}

} // namespace

std::vector<Node> expressions_of(const PythonFile& file, const SourceCall& call) {
  return call.place.known() ? expressions_at(file.root(), place_of(call))
                            : forward_of(file, call.class_name).all("call");
}

std::vector<Operation> operations_of(const Rewrite& rewrite, const PythonFile& file) {
  const SourceCall& call = rewrite.calls.front();
  if (call.place.known()) {
    auto found = operations_at(file.root(), file.imports(), place_of(call), rewrite.operation);
    keep_what_wrote_so(found, rewrite);
    if (call.count % std::max<std::size_t>(found.size(), 1) != 0) leave_out_likely_numbers(found);
    return found;
  }
  return functions_in(forward_of(file, call.class_name), file.imports(), rewrite.schema);
}

std::vector<Node> module_calls_at(const PythonFile& file, const SourceCall& call) {
  std::vector<Node> found = expressions_of(file, call);
  std::erase_if(found, [&](const Node& node) {
    return !node.is("call") || !calls_attribute(node, call.attribute);
  });
  return found;
}

Method method_around(const Node& node) {
  const MethodOrReason found = method_of(node);
  if (!found.method) throw Refusal{found.reason};
  return *found.method;
}

} // namespace model_validator::fixes
