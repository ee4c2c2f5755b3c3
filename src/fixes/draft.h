#pragma once

#include "fixes/constructor_site.h"
#include "fixes/python/mention.h"
#include "fixes/python_file.h"

#include <model_validator/diagnostic.h>

#include <string>
#include <vector>

namespace model_validator::fixes {

/// Why a finding gets no edits, as a clause. Thrown where its edits are drafted.
struct Refusal {
  std::string reason;
};

/// Says what a finding's edits do, in the names that they give.
inline void propose(Diagnostic& finding, const std::string& help) {
  finding.help = help;
  finding.fix->description = help;
}

/// The edits of one finding, before they are combined with those of others.
struct Draft {
  PythonFile* file = nullptr;
  std::vector<TextEdit> edits = {};
  Node type = {}; ///< the class that is given something; a function that a class is made of
  ConstructorSite site = {};                 ///< where it is
  std::vector<std::string> assignments = {}; ///< of its `__init__`: `add = Add()`
  std::vector<Import> imports = {};
  NodeKey operation = {};            ///< that becomes a call of a module
  std::string module_file = {};      ///< that holds the class
  std::string module_class = {};     ///< that stands for the operation, where torch has none
  std::vector<Touched> touched = {}; ///< what other code may name
  std::string doubt = {}; ///< why it waits for its author's word though its proof holds; a clause
  bool is_beyond_proof = false; ///< results change, as is intended
  std::vector<Draft> also = {}; ///< edits of other code that belong to these
};

} // namespace model_validator::fixes
