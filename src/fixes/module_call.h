#pragma once

#include "fixes/module_class.h"
#include "fixes/operation.h"
#include "fixes/python/text_edit.h"

#include <model_validator/diagnostic.h>

#include <optional>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// How the call of an operation becomes that of a module.
struct ModuleCall {
  std::string constructor; ///< `nn.ReLU(inplace=True)`; without the `nn.` for a class of ours
  std::optional<ModuleClass> own; ///< the class, where torch has none
  std::vector<TextEdit> edits;    ///< at the call
  std::string refusal;            ///< why it cannot; a clause
};

/// What is known of a call besides its expression.
struct CallContext {
  const Rewrite& rewrite;
  bool compiled = false;    ///< TorchScript's compiler reads what is written
  bool own_classes = false; ///< classes that torch does not have are written, not a package's
  bool shares_mode = false; ///< other code may put a module into another mode than its class
  std::string self;         ///< what the method calls its instance
  std::string callee;       ///< what it calls the module: `self.add`
};

ModuleCall module_call(const Operation& operation, const CallContext& context);

} // namespace model_validator::fixes
