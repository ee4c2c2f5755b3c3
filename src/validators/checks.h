#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// A check that comes with the program: what it declares, and the function that looks.
class Check final : public Validator {
public:
  using Run = void (*)(const ConnectedGraph& graph, const Context& context,
                       Diagnostics& diagnostics);

  constexpr Check(const RuleInfo& rule, Run look) noexcept : rule_(rule), run_(look) {}
  const RuleInfo& info() const override { return rule_; }
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override {
    run_(graph, context, diagnostics);
  }

private:
  const RuleInfo& rule_;
  Run run_;
};

/// Each in the file of its name; registry.cpp says which ones run.
namespace checks {

extern const Check aimet_readiness;
extern const Check baked_dimension;
extern const Check baked_in_constant;
extern const Check data_dependent_control_flow;
extern const Check half_range;
extern const Check hard_coded_device;
extern const Check inplace_op;
extern const Check invalid_graph;
extern const Check invalid_node;
extern const Check large_constant;
extern const Check lost_module_hierarchy;
extern const Check mask_sentinel;
extern const Check missing_modules;
extern const Check mutated_state;
extern const Check non_finite_weights;
extern const Check nondeterministic_op;
extern const Check old_format;
extern const Check partly_quantised;
extern const Check quantisation_pair;
extern const Check quantisation_parameter;
extern const Check quantised_bias;
extern const Check quantiser_will_fail;
extern const Check reused_modules;
extern const Check saturating_products;
extern const Check scale_proportion;
extern const Check shape_mismatch;
extern const Check shared_parameters;
extern const Check stored_bytes;
extern const Check training_mode;
extern const Check unfoldable_batch_norm;
extern const Check unknown_operator;
extern const Check unlike_ranges;
extern const Check unsafe_op;
extern const Check unsupported_dtype;
extern const Check unsupported_ops;
extern const Check unused_declaration;
extern const Check unused_module;
extern const Check weight_range;
extern const Check wrong_declaration;

} // namespace checks

} // namespace model_validator
