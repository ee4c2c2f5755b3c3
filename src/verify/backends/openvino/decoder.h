#pragma once

#include <openvino/frontend/pytorch/decoder.hpp>
#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A graph and what is known of it, shared by the decoders of its nodes.
struct DecodedGraph {
  explicit DecodedGraph(std::shared_ptr<torch::jit::Graph> decoded)
      : graph(std::move(decoded)), aliases(graph) {}
  std::shared_ptr<torch::jit::Graph> graph;
  torch::jit::AliasDb aliases;
};

/// Shows a block of a TorchScript graph, or one of its nodes, to OpenVINO's PyTorch front end.
class TorchScriptDecoder final : public ov::frontend::pytorch::TorchDecoder {
public:
  TorchScriptDecoder(std::shared_ptr<DecodedGraph> graph, torch::jit::Block* block);
  TorchScriptDecoder(std::shared_ptr<DecodedGraph> graph, torch::jit::Node* node);

  const std::vector<std::size_t>& inputs() const override { return input_ids_; }
  const std::vector<std::size_t>& outputs() const override { return output_ids_; }
  std::size_t output(std::size_t index) const override { return output_ids_.at(index); }
  std::size_t num_of_outputs() const override { return outputs_.size(); }
  std::size_t output_list_size() const override { return 0; }
  const std::string& get_input_debug_name(std::size_t i) const override {
    return input_names_.at(i);
  }
  const std::string& get_input_signature_name(std::size_t i) const override {
    return input_names_.at(i);
  }
  const std::string& get_output_debug_name(std::size_t i) const override {
    return output_names_.at(i);
  }
  ov::PartialShape get_input_shape(std::size_t index) const override;
  ov::PartialShape get_output_shape(std::size_t index) const override;
  const std::vector<std::size_t>& get_input_strides(std::size_t) const override { return strides_; }
  ov::Any get_input_type(std::size_t index) const override;
  ov::Any get_output_type(std::size_t index) const override;
  bool input_is_none(std::size_t index) const override;
  bool may_produce_alias(std::size_t input, std::size_t output) const override;

  ov::Any const_input(std::size_t) const override;
  ov::OutputVector as_constant() const override;
  const std::string& as_string() const override { return text_; }
  ov::OutputVector try_decode_get_attr() const override;
  const std::string& get_op_type() const override { return operator_; }
  const std::string& get_schema() const override { return schema_; }
  const std::string& decoder_type_name() const override { return kind_; }
  std::shared_ptr<ov::Node> mark_node(std::shared_ptr<ov::Node> node) const override;

  std::size_t get_subgraph_size() const override;
  void visit_subgraph(std::function<void(std::shared_ptr<TorchDecoder>)> visit) const override;
  std::shared_ptr<TorchDecoder> get_subgraph_decoder(std::size_t index) const override;

  // Of graphs of torch.fx only.
  bool is_input_inlined(std::size_t) const override { return false; }
  std::shared_ptr<TorchDecoder> get_inlined_input_decoder(std::size_t) const override { return {}; }
  ov::Any get_attribute(const std::string&) const override { return {}; }
  std::size_t get_named_input(const std::string& name) const override;
  ov::frontend::pytorch::DecoderRTInfo get_rt_info() const override { return {}; }
  bool has_converter() const override { return false; }
  ov::OutputVector convert(const ov::frontend::NodeContext*) const override { return {}; }

private:
  void note_values();

  std::shared_ptr<DecodedGraph> graph_;
  torch::jit::Node* node_ = nullptr;
  torch::jit::Block* block_ = nullptr;
  std::vector<torch::jit::Value*> inputs_, outputs_;
  std::vector<std::size_t> input_ids_, output_ids_, strides_;
  std::vector<std::string> input_names_, output_names_;
  std::string operator_, schema_, text_, kind_ = "ts";
  /// The front end keeps plain pointers to the decoders it was shown.
  mutable std::vector<std::shared_ptr<TorchDecoder>> shown_;
};

} // namespace model_validator::verify
