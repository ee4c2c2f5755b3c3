#include "validators/aimet_readiness.h"
#include "validators/baked_in_constant.h"
#include "validators/data_dependent_control_flow.h"
#include "validators/half_range.h"
#include "validators/hard_coded_device.h"
#include "validators/inplace_op.h"
#include "validators/large_constant.h"
#include "validators/lost_module_hierarchy.h"
#include "validators/mask_sentinel.h"
#include "validators/missing_modules.h"
#include "validators/mutated_state.h"
#include "validators/non_finite_weights.h"
#include "validators/nondeterministic_op.h"
#include "validators/old_format.h"
#include "validators/partly_quantised.h"
#include "validators/quantisation_pair.h"
#include "validators/quantisation_parameter.h"
#include "validators/quantised_bias.h"
#include "validators/quantiser_will_fail.h"
#include "validators/reused_modules.h"
#include "validators/shared_parameters.h"
#include "validators/training_mode.h"
#include "validators/unfoldable_batch_norm.h"
#include "validators/unknown_operator.h"
#include "validators/unsafe_op.h"
#include "validators/unsupported_dtype.h"
#include "validators/unsupported_ops.h"
#include "validators/unused_module.h"
#include "validators/weight_range.h"

#include <model_validator/error.h>
#include <model_validator/registry.h>

#include <algorithm>

namespace model_validator {

Registry Registry::builtin() {
  Registry registry;
  // In the order of their codes; tools/add_validator.py keeps it.
  registry.add(std::make_shared<ReusedModules>());            // GRA001
  registry.add(std::make_shared<MissingModules>());           // GRA002
  registry.add(std::make_shared<UnusedModule>());             // GRA003
  registry.add(std::make_shared<SharedParameters>());         // GRA004
  registry.add(std::make_shared<TrainingMode>());             // GRA005
  registry.add(std::make_shared<DataDependentControlFlow>()); // GRA006
  registry.add(std::make_shared<LostModuleHierarchy>());      // GRA007
  registry.add(std::make_shared<InplaceOp>());                // GRA008
  registry.add(std::make_shared<MutatedState>());             // GRA009
  registry.add(std::make_shared<NondeterministicOp>());       // NUM001
  registry.add(std::make_shared<NonFiniteWeights>());         // NUM002
  registry.add(std::make_shared<LargeConstant>());            // PRF001
  registry.add(std::make_shared<UnfoldableBatchNorm>());      // QNT001
  registry.add(std::make_shared<QuantisationParameter>());    // QNT002
  registry.add(std::make_shared<QuantisedBias>());            // QNT003
  registry.add(std::make_shared<QuantisationPair>());         // QNT004
  registry.add(std::make_shared<PartlyQuantised>());          // QNT005
  registry.add(std::make_shared<QuantiserWillFail>());        // QNT006
  registry.add(std::make_shared<MaskSentinel>());             // QNT007
  registry.add(std::make_shared<HalfRange>());                // QNT008
  registry.add(std::make_shared<AimetReadiness>());           // QNT009
  registry.add(std::make_shared<WeightRangeRule>());          // QNT010
  registry.add(std::make_shared<UnsafeOp>());                 // SER001
  registry.add(std::make_shared<OldFormat>());                // SER002
  registry.add(std::make_shared<UnknownOperator>());          // SER003
  registry.add(std::make_shared<BakedInConstant>());          // SHP001
  registry.add(std::make_shared<UnsupportedOps>());           // TGT001
  registry.add(std::make_shared<UnsupportedDtype>());         // TGT002
  registry.add(std::make_shared<HardCodedDevice>());          // TGT003
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
  const auto found = std::find_if(validators_.begin(), validators_.end(), [&](const auto& v) {
    return v->info().name == name_or_code || v->info().code == name_or_code;
  });
  return found == validators_.end() ? nullptr : found->get();
}

} // namespace model_validator
