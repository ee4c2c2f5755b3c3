#include "connected_graph/quantised_products.h"

#include "connected_graph/operand_parameter.h"
#include "connected_graph/operators.h"
#include "connected_graph/quantised_role.h"

#include <model_validator/quantisation.h>

#include <string_view>

namespace model_validator {
namespace {

using Known = std::shared_ptr<const Quantisation>;

/// Whether its result is stored as its first operand is.
bool keeps_scale(const std::string& type) {
  return does(type, moves | Does::drops_out | Does::bounds | Does::averages | Does::interpolates);
}

class Marker {
public:
  explicit Marker(GraphBuilder& graph)
      : graph_(graph), of_results_(graph.op_count()), stored_(graph.op_count()) {}

  void run() {
    for (OpId id = 0; id < graph_.op_count(); ++id) of_results_[id] = result_of(id);
    for (const auto edge : boost::make_iterator_range(boost::edges(graph_.graph())))
      if (const Known& known = of_results_[boost::source(edge, graph_.graph())])
        graph_.product(edge).quantisation = known;
  }

private:
  Known result_of(OpId id) {
    const Op& op = graph_.op(id);
    const RoleOfOp part = quantised_role(op);
    if (part.role == QuantisedRole::dequantise) return nullptr;
    const OpId maker = op_at_operand(graph_, id, 0);
    const Known operand = maker == none || !stored_[maker] ? nullptr : of_results_[maker];
    if (part.role == QuantisedRole::other) {
      const bool keeps = keeps_scale(op.type);
      stored_[id] = keeps && operand;
      return stored_[id] ? operand : nullptr;
    }
    auto made = std::make_shared<Quantisation>(*quantisation_in(*part.arguments));
    take(id, "scale", 1, made->scale);
    take(id, "zero_point", 2, made->zero_point);
    if (!made->scale.given) return nullptr;
    stored_[id] = part.role != QuantisedRole::fake_quantise;
    if (part.role == QuantisedRole::compute && made->dtype.empty() && operand)
      made->dtype = operand->dtype;
    return made;
  }

  /// A scale that is a buffer of the module, or an operand.
  void take(OpId id, std::string_view name, std::size_t operand,
            QuantisationNumbers& numbers) const {
    if (numbers.given) return;
    const Op& op = graph_.op(id);
    const bool placed =
        op.type.starts_with("quantize_per_") || op.type.starts_with("fake_quantize_per_");
    for (std::size_t i = 0; i < op.parameters.size(); ++i) {
      const Parameter& parameter = graph_.parameters()[op.parameters[i]];
      const bool there =
          placed && i < op.parameter_inputs.size() && op.parameter_inputs[i] == operand;
      if (!there && parameter.name != name) continue;
      numbers.name = parameter.path;
      numbers.type = parameter.type;
      numbers.given = numbers.constant = true;
    }
    if (numbers.given || !placed) return;
    for (const auto edge : boost::make_iterator_range(boost::in_edges(id, graph_.graph())))
      if (graph_.graph()[edge].input == operand) {
        numbers.name = graph_.graph()[edge].name;
        numbers.type = graph_.graph()[edge].type;
        numbers.given = true;
      }
  }

  GraphBuilder& graph_;
  std::vector<Known> of_results_;
  std::vector<bool> stored_; ///< as integers; fake quantisation leaves real numbers
};

} // namespace

void mark_quantised_products(GraphBuilder& graph) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (is_quantised(graph.op(id))) return Marker(graph).run();
}

} // namespace model_validator
