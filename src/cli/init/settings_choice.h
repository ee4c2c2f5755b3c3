#pragma once

#include "cli/init/repository_survey.h"

#include <string>
#include <vector>

namespace model_validator::cli {

/// What is chosen for the files of some endings.
struct ChosenTargets {
  std::vector<std::string> patterns; ///< `*.onnx`
  std::vector<std::string> targets;  ///< none where nothing speaks for one
  std::vector<std::string> possible; ///< where there are none: those that read the files
  std::string found;                 ///< `3 ONNX files, such as net.onnx`
  std::string why;
};

struct Choice {
  std::string preset;
  std::string why_preset;
  std::vector<ChosenTargets> files;
  std::vector<std::string> remarks;
  bool finds_models = false;
};

/// Settings for a repository. A target is named only for files that it reads.
Choice choose(const Survey& survey);

/// The configuration file that says so, with the reasons as comments.
std::string settings_text(const Choice& choice);

/// The same for whoever reads what the command did, a line each.
std::vector<std::string> explanation(const Choice& choice);

} // namespace model_validator::cli
