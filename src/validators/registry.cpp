#include "validators/checks.h"

#include <model_validator/error.h>
#include <model_validator/registry.h>

#include <algorithm>

namespace model_validator {
namespace {

/// In the order of their codes; tools/add_validator.py keeps it.
constexpr const Check* builtin_checks[] = {
    &checks::reused_modules,              // GRA001
    &checks::missing_modules,             // GRA002
    &checks::unused_module,               // GRA003
    &checks::shared_parameters,           // GRA004
    &checks::training_mode,               // GRA005
    &checks::data_dependent_control_flow, // GRA006
    &checks::lost_module_hierarchy,       // GRA007
    &checks::inplace_op,                  // GRA008
    &checks::mutated_state,               // GRA009
    &checks::unused_declaration,          // GRA010
    &checks::nondeterministic_op,         // NUM001
    &checks::non_finite_weights,          // NUM002
    &checks::large_constant,              // PRF001
    &checks::unfoldable_batch_norm,       // QNT001
    &checks::quantisation_parameter,      // QNT002
    &checks::quantised_bias,              // QNT003
    &checks::quantisation_pair,           // QNT004
    &checks::partly_quantised,            // QNT005
    &checks::quantiser_will_fail,         // QNT006
    &checks::mask_sentinel,               // QNT007
    &checks::half_range,                  // QNT008
    &checks::aimet_readiness,             // QNT009
    &checks::weight_range,                // QNT010
    &checks::scale_proportion,            // QNT011
    &checks::saturating_products,         // QNT012
    &checks::unlike_ranges,               // QNT013
    &checks::unsafe_op,                   // SER001
    &checks::old_format,                  // SER002
    &checks::unknown_operator,            // SER003
    &checks::invalid_node,                // SER004
    &checks::invalid_graph,               // SER005
    &checks::stored_bytes,                // SER006
    &checks::baked_in_constant,           // SHP001
    &checks::shape_mismatch,              // SHP002
    &checks::baked_dimension,             // SHP003
    &checks::wrong_declaration,           // SHP004
    &checks::unsupported_ops,             // TGT001
    &checks::unsupported_dtype,           // TGT002
    &checks::hard_coded_device,           // TGT003
};

} // namespace

Registry Registry::builtin() {
  Registry registry;
  for (const Check* check : builtin_checks) registry.add(std::make_shared<Check>(*check));
  return registry;
}

void Registry::add(std::shared_ptr<const Validator> validator) {
  const RuleInfo& info = validator->info();
  for (const std::string_view taken : {info.name, info.code})
    if (find(taken))
      throw Error(ErrorKind::duplicate_rule, "",
                  "there is already a rule `" + std::string(taken) + "`",
                  "give the check a name and a code of its own");
  validators_.push_back(std::move(validator));
}

const Validator* Registry::find(std::string_view name_or_code) const {
  const auto found = std::ranges::find_if(validators_, [&](const auto& v) {
    return v->info().name == name_or_code || v->info().code == name_or_code;
  });
  return found == validators_.end() ? nullptr : found->get();
}

} // namespace model_validator
