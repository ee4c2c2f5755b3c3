#include "validators/missing_modules.h"
#include "validators/reused_modules.h"
#include "validators/unsupported_ops.h"

#include <model_validator/error.h>
#include <model_validator/registry.h>

#include <algorithm>

namespace model_validator {

Registry Registry::builtin() {
  Registry registry;
  // In the order of their codes; tools/add_validator.py keeps it.
  registry.add(std::make_shared<ReusedModules>());  // GRA001
  registry.add(std::make_shared<MissingModules>()); // GRA002
  registry.add(std::make_shared<UnsupportedOps>()); // TGT001
  return registry;
}

void Registry::add(std::shared_ptr<const Validator> validator) {
  const RuleInfo& info = validator->info();
  for (const std::string_view taken : {info.name, info.code})
    if (find(taken))
      throw Error("duplicate-rule", "", "there is already a rule `" + std::string(taken) + "`",
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
