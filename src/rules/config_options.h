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
  visitor.option({.name = "preset",
                  .value = "NAME",
                  .help = "quantise: all that quantisers and compilers trip over (default); "
                          "deploy: without what only quantisers ask for, such as a module for "
                          "every operation",
                  .words = preset_names()},
                 config.preset);
  visitor.option({.name = "select",
                  .value = "RULE,...",
                  .help = "only these rules: names, codes, or starts of codes"},
                 config.selection.select);
  visitor.option({.name = "extend-select", .value = "RULE,...", .help = "these rules as well"},
                 config.selection.extend_select);
  visitor.option({.name = "ignore", .value = "RULE,...", .help = "not these rules"},
                 config.selection.ignore);
  visitor.option({.name = "severity",
                  .value = "RULE=LEVEL",
                  .help = "a rule's severity: error, warning, info or off",
                  .words = {"error", "warning", "info", "off"}},
                 config.severity);
  visitor.option({.name = "target",
                  .value = "NAME,...",
                  .help = "what the model will be compiled for; see `targets`"},
                 config.targets);
  visitor.option({.name = "profile", .value = "FILE", .help = "a target profile of your own"},
                 config.profiles);
  visitor.option({.name = "opset",
                  .value = "N",
                  .help = "the ONNX opset to check against",
                  .bounds = Bounds{1, 1000}},
                 config.opset);
  visitor.option({.name = "fail-on",
                  .value = "LEVEL",
                  .help = "the lowest severity that makes the exit status 1 (default: warning)",
                  .words = {"error", "warning", "info", "never"}},
                 config.fail_on);
}

/// What does not count.
inline void describe_baseline(OptionVisitor& visitor, Config& config) {
  visitor.option({.name = "baseline",
                  .value = "FILE",
                  .help = "findings in this file are known and do not count"},
                 config.baseline);
}

} // namespace model_validator
