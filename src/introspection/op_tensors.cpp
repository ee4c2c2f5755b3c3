#include "introspection/op_tensors.h"

#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
#include "connected_graph/program_of.h"

#include <optional>

namespace model_validator {
namespace {

/// What operators do behind which a stored tensor is still itself, but for its shape.
constexpr Does passing = Does::keeps | Does::converts | Does::reshapes | Does::transposes;

/// The nodes of a file that ops stand for.
class NodeTensors {
public:
  explicit NodeTensors(const ConnectedGraph& graph)
      : graph_(graph), held_(program_of(graph)), program_(*held_) {}

  std::vector<std::pair<OpId, OpTensor>> of(const std::vector<OpId>& ops) const {
    const auto nodes = nodes_by_op(program_);
    std::vector<std::pair<OpId, OpTensor>> found;
    for (const OpId op : ops) {
      const auto [first, last] = nodes.equal_range(op);
      for (auto node = first; node != last; ++node) add(*node->second, found);
    }
    return found;
  }

private:
  void add(const ProgramNode& node, std::vector<std::pair<OpId, OpTensor>>& found) const {
    for (std::size_t operand = 0; operand < node.inputs.size(); ++operand) {
      auto tensor = behind(node.inputs[operand], max_steps);
      if (!tensor || tensor->name.empty()) continue;
      for (const QuantisedOperand& each : node.quantised)
        if (each.operand == operand && !tensor->quantisation)
          tensor->quantisation = each.quantisation;
      found.emplace_back(node.op, std::move(*tensor));
    }
  }

  /// @param steps  that are taken at most, so that a file of a million of them is not followed
  std::optional<OpTensor> behind(std::size_t value, int steps) const {
    if (value == none || steps == 0) return std::nullopt;
    const ProgramValue& described = program_.values[value];
    if (described.stored()) return OpTensor{described.name, role_of(described), false, {}};
    const ProgramNode* made_by = program_.maker(value);
    if (made_by == nullptr) return std::nullopt;
    const ProgramNode& maker = *made_by;
    const bool dequantises = maker.role == QuantisedRole::dequantise;
    const std::string_view name = bare_operator(maker.schema);
    if (maker.inputs.empty() || !(dequantises || does(name, passing))) return std::nullopt;
    auto tensor = behind(maker.inputs[0], steps - 1);
    if (!tensor) return std::nullopt;
    if (does(name, Does::transposes)) tensor->turned = !tensor->turned;
    if (dequantises && !maker.quantised.empty())
      tensor->quantisation = maker.quantised.front().quantisation;
    return tensor;
  }

  /// What a module calls it; files of nodes name the tensor alone.
  std::string role_of(const ProgramValue& stored) const {
    const bool known = graph_.origin.format == FileFormat::torchscript && stored.parameter != none;
    return known ? graph_.parameters()[stored.parameter].name : std::string();
  }

  static constexpr int max_steps = 8;
  const ConnectedGraph& graph_;
  std::shared_ptr<const Program> held_;
  const Program& program_;
};

} // namespace

std::string unquantised_name(const std::string& name) {
  constexpr std::string_view ending = "_quantized";
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
}

std::vector<std::pair<OpId, OpTensor>> tensors_of(const ConnectedGraph& graph,
                                                  const std::vector<OpId>& ops) {
  return NodeTensors(graph).of(ops);
}

} // namespace model_validator
