#pragma once

#include "connected_graph/onnx/form_list.h"

#include <map>
#include <onnx-ml.pb.h>
#include <set>
#include <string>

namespace model_validator::onnx_format {

/// The forms that functions of a file have, and their calls.
class FunctionForms {
public:
  FunctionForms(const ::onnx::ModelProto& model, FormList& forms);

  void read(const ::onnx::FunctionProto& function);
  /// Of any node: where it calls a function of the file.
  void read_call(const ::onnx::NodeProto& node);
  /// After all nodes.
  void read_uncalled();

private:
  /// Of a node that calls none of them.
  void read_missing(const ::onnx::NodeProto& node);
  void read_results(const ::onnx::FunctionProto& function);
  /// @param own  opsets that the function imports, by domain
  void read_opset(const ::onnx::FunctionProto& function, const std::map<std::string, int>& own,
                  const ::onnx::NodeProto& node);

  FormList& forms_;
  std::map<std::string, const ::onnx::FunctionProto*> functions_;
  std::set<const ::onnx::FunctionProto*> called_;
  std::map<std::string, int> opsets_; ///< of the model, by domain
};

} // namespace model_validator::onnx_format
