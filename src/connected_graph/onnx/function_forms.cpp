#include "connected_graph/onnx/function_forms.h"

#include "connected_graph/onnx/domain.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace model_validator::onnx_format {
namespace {

std::string domain_of(const std::string& domain) { return is_default_domain(domain) ? "" : domain; }

template <class Imports> std::map<std::string, int> opsets_of(const Imports& imports) {
  std::map<std::string, int> opsets;
  for (const auto& each : imports)
    opsets[domain_of(each.domain())] =
        static_cast<int>(std::clamp<std::int64_t>(each.version(), 0, 1 << 20));
  return opsets;
}

bool leaves_out(const google::protobuf::RepeatedPtrField<std::string>& given, int formal) {
  return given.size() < formal || std::ranges::any_of(given, &std::string::empty);
}

std::string key_of(const std::string& domain, const std::string& name,
                   const std::string& overload) {
  return domain + '\n' + name + '\n' + overload;
}

/// Whether a runtime may have an operator of this domain itself.
bool is_of_runtimes(const std::string& domain) {
  return is_default_domain(domain) || domain.starts_with("ai.onnx.") ||
         domain.starts_with("com.microsoft");
}

} // namespace

FunctionForms::FunctionForms(const ::onnx::ModelProto& model, FormList& forms)
    : forms_(forms), opsets_(opsets_of(model.opset_import())) {
  for (const auto& each : model.functions())
    functions_.emplace(key_of(each.domain(), each.name(), each.overload()), &each);
}

void FunctionForms::read(const ::onnx::FunctionProto& function) {
  const std::map<std::string, int> own = opsets_of(function.opset_import());
  for (const auto& node : function.node()) read_opset(function, own, node);
  read_results(function);
}

void FunctionForms::read_results(const ::onnx::FunctionProto& function) {
  std::set<std::string_view> made;
  for (const auto& node : function.node()) made.insert(node.output().begin(), node.output().end());
  const std::set<std::string_view> given(function.input().begin(), function.input().end());
  for (const std::string& result : function.output()) {
    if (made.contains(result)) continue;
    const bool passed = given.contains(result);
    forms_.add(passed ? "function-passes" : "function-result",
               "the function `" + function.name() + "` yields `" + result +
                   (passed ? "`, which is its input" : "`, which no node of it makes"));
  }
}

void FunctionForms::read_opset(const ::onnx::FunctionProto& function,
                               const std::map<std::string, int>& own,
                               const ::onnx::NodeProto& node) {
  const std::string domain = domain_of(node.domain());
  const auto found = own.find(domain);
  const std::string where = "`" + node.op_type() + "` in the function `" + function.name() + "`";
  if (found == own.end()) {
    forms_.add("function-import", where + " is of " +
                                      (domain.empty() ? "ai.onnx" : "the domain `" + domain + "`") +
                                      ", which the function does not import");
    return;
  }
  const auto outside = opsets_.find(domain);
  if (outside == opsets_.end() || outside->second == found->second) return;
  forms_.add_opset(schema_of(node), found->second, outside->second,
                   where + " is of opset " + std::to_string(found->second) + ", and the model of " +
                       std::to_string(outside->second));
}

void FunctionForms::read_uncalled() {
  for (const auto& [key, function] : functions_)
    if (!called_.contains(function))
      forms_.add("unused-function", "no node calls the function `" + function->name() + "`");
}

void FunctionForms::read_call(const ::onnx::NodeProto& node) {
  if (functions_.empty()) return;
  const auto found = functions_.find(key_of(node.domain(), node.op_type(), node.overload()));
  if (found == functions_.end()) return read_missing(node);
  const ::onnx::FunctionProto& function = *found->second;
  called_.insert(&function);
  forms_.add("function", spoken(node) + " calls a function of the file");
  if (!opsets_.contains(domain_of(node.domain())))
    forms_.add("function-domain", "the file does not import `" + node.domain() +
                                      "`, the domain of its function `" + node.op_type() + "`");
  if (node.output_size() > function.output_size())
    forms_.add("function-outputs",
               spoken(node) + " takes " + counted(node.output_size(), "result") +
                   " of a function that has " + std::to_string(function.output_size()));
  if (leaves_out(node.input(), function.input_size()) ||
      std::ranges::any_of(node.output(), &std::string::empty))
    forms_.add("function-left-out", spoken(node) + " leaves out an operand of a function");
  if (node.output_size() < function.output_size())
    forms_.add("function-results-left",
               spoken(node) + " takes " + counted(node.output_size(), "result") +
                   " of a function that has " + std::to_string(function.output_size()));
}

void FunctionForms::read_missing(const ::onnx::NodeProto& node) {
  if (is_of_runtimes(node.domain())) return;
  const std::string domain = node.domain() + '\n';
  const auto first = functions_.lower_bound(domain);
  if (first != functions_.end() && first->first.starts_with(domain))
    forms_.add("function-missing", spoken(node) + " calls a function that the file does not have, "
                                                  "though it has others of that domain");
}

} // namespace model_validator::onnx_format
