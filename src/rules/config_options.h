#pragma once

#include "options/option.h"
#include "rules/config.h"
#include "rules/presets.h"

namespace model_validator {

inline void read_word(const std::string& word, Severity& severity) {
  severity = word == "never" ? Severity::off : severity_from(word).value_or(Severity::off);
}

// The settings of `check`: each of them, with the part of a layer that it sets.

/// What is checked; a part of a configuration file that is for some models alone may say so, too.
inline void describe_selection(OptionVisitor& visitor, Config& config) {
  visitor.option({"preset", "NAME",
                  "quantise: all that quantisers and compilers trip over (default); "
                  "deploy: without what only quantisers ask for, such as a module for "
                  "every operation",
                  preset_names()},
                 config.preset);
  visitor.option({"select", "RULE,...", "only these rules: names, codes, or starts of codes"},
                 config.selection.select);
  visitor.option({"extend-select", "RULE,...", "these rules as well"},
                 config.selection.extend_select);
  visitor.option({"ignore", "RULE,...", "not these rules"}, config.selection.ignore);
  visitor.option({"severity",
                  "RULE=LEVEL",
                  "a rule's severity: error, warning, info or off",
                  {"error", "warning", "info", "off"}},
                 config.severity);
  visitor.option({"target", "NAME,...", "what the model will be compiled for; see `targets`"},
                 config.targets);
  visitor.option({"profile", "FILE", "a target profile of your own"}, config.profiles);
  visitor.option({"plugin-operator",
                  "NAME",
                  "an operator that a plugin of yours gives the targets",
                  {},
                  {},
                  Option::Lists::one_each,
                  "plugins"},
                 config.plugins);
  visitor.option({"opset", "N", "the ONNX opset to check against", {}, Bounds{1, 1000}},
                 config.opset);
  visitor.option({"fail-on",
                  "LEVEL",
                  "the lowest severity that makes the exit status 1 (default: warning)",
                  {"error", "warning", "info", "never"}},
                 config.fail_on);
  visitor.option({"fail-on-installed", "",
                  "findings about code of installed packages, which you cannot edit, make the exit "
                  "status 1 as well"},
                 config.fail_on_installed);
}

/// Which of the files that are found in folders or by patterns are left out.
inline void describe_files(OptionVisitor& visitor, Config& config) {
  visitor.option(
      {"exclude", "PATTERN,...",
       "leave out what is found in folders under these names or paths: old/*, *.ckpt.pt; "
       "files that you name are linted"},
      config.exclude);
}

/// What does not count.
inline void describe_baseline(OptionVisitor& visitor, Config& config) {
  visitor.option({"baseline", "FILE", "findings in this file are known and do not count"},
                 config.baseline);
}

} // namespace model_validator
