#include "cli/init/settings_choice.h"

#include "lint/target_formats.h"
#include "text/escape.h"
#include "text/lists.h"
#include "text/plural.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>

#include <algorithm>
#include <optional>
#include <set>

namespace model_validator::cli {
namespace {

using Formats = std::set<FileFormat>;

/// What compiles or runs models, the more usual first; those that quantise are for later.
const std::vector<std::string> usual_targets{"openvino", "executorch-xnnpack", "coreml",
                                             "tensorrt", "onnx-export",        "tvm"};

std::string named(FileFormat format) {
  switch (format) {
  case FileFormat::onnx: return "ONNX";
  case FileFormat::torchscript: return "TorchScript";
  case FileFormat::exported_program: return "torch.export";
  default: return "unreadable";
  }
}

bool is_model(FileFormat format) {
  return format != FileFormat::unknown && format != FileFormat::aot_package;
}

bool reads_all(const std::string& target, const Formats& formats) {
  try {
    const TargetProfile profile = load_target(target);
    return std::ranges::all_of(formats,
                               [&](FileFormat format) { return reads_format(profile, format); });
  } catch (const Error&) { // of a release that it does not have
    return false;
  }
}

std::string place_of(const Evidence& evidence) {
  return escape(evidence.file) + ":" + std::to_string(evidence.line);
}

std::string reason_of(const Evidence& evidence) {
  return evidence.line > 0 ? place_of(evidence) + " names `" + evidence.what + "`"
                           : escape(evidence.file) + " is a file of `" + evidence.what + "`";
}

/// Adds what the evidence speaks for, each target once.
template <class TargetOf>
void add_targets(ChosenTargets& chosen, const std::vector<Evidence>& evidence,
                 const Formats& formats, const TargetOf& target_of) {
  for (const Evidence& each : evidence) {
    const std::string target = target_of(each.what);
    if (target.empty() || contains(chosen.targets, target) || !reads_all(target, formats)) continue;
    chosen.targets.push_back(target);
    chosen.why += (chosen.why.empty() ? "" : ", ") + reason_of(each);
  }
}

/// Who has a package of ONNX beside a model of PyTorch exports it.
void add_export(ChosenTargets& chosen, const Survey& survey, const Formats& formats) {
  const auto onnx = std::ranges::find_if(
      survey.requirements, [](const Evidence& each) { return is_for_onnx(each.what); });
  if (onnx == survey.requirements.end()) return;
  const char* target = formats.contains(FileFormat::exported_program) ? "onnx-export" : "onnx";
  if (!reads_all(target, formats)) return;
  chosen.targets = {target};
  chosen.why = place_of(*onnx) + " names `" + onnx->what + "`, so it is exported to ONNX";
}

void choose_targets(ChosenTargets& chosen, const Survey& survey, const Formats& formats) {
  const auto itself = [](const std::string& target) { return target; };
  add_targets(chosen, survey.targets, formats, itself);
  if (chosen.targets.empty()) add_targets(chosen, survey.requirements, formats, target_of_package);
  if (chosen.targets.empty()) add_targets(chosen, survey.compiled, formats, itself);
  if (!chosen.targets.empty()) return;
  if (formats == Formats{FileFormat::onnx}) {
    chosen.targets = {"onnxruntime"};
    chosen.why = "no requirement names a runtime, and this is the usual one";
    return;
  }
  add_export(chosen, survey, formats);
  if (!chosen.targets.empty()) return;
  chosen.why = "no requirement names what compiles them";
  std::ranges::copy_if(usual_targets, std::back_inserter(chosen.possible),
                       [&](const std::string& target) { return reads_all(target, formats); });
}

std::string found_in_words(const std::map<FileFormat, FoundModels>& models) {
  std::vector<std::string> parts;
  for (const auto& [format, found] : models)
    if (is_model(format) && found.count > 0)
      parts.push_back(plural(found.count, named(format) + " file") + ", such as " +
                      escape(found.example));
  return parts.empty() ? "none here yet" : list_in_words(parts);
}

/// Endings with the same targets for the same reason stand together.
void add(Choice& choice, ChosenTargets chosen) {
  const auto alike = std::ranges::find_if(choice.files, [&](const ChosenTargets& each) {
    return each.targets == chosen.targets && each.why == chosen.why &&
           each.possible == chosen.possible;
  });
  if (alike == choice.files.end()) return choice.files.push_back(std::move(chosen));
  alike->patterns.push_back(chosen.patterns.front());
  if (alike->found != chosen.found) alike->found += "; " + chosen.found;
}

void choose_files(Choice& choice, const Survey& survey, const std::string& ending,
                  const std::map<FileFormat, FoundModels>& models) {
  Formats formats;
  for (const auto& [format, found] : models)
    if (is_model(format)) formats.insert(format);
  for (const auto& [format, found] : models)
    if (!is_model(format))
      choice.remarks.push_back(plural(found.count, "file") + " called *" + ending + ", such as " +
                               escape(found.example) + ", " +
                               (found.count == 1 ? "holds" : "hold") +
                               " no model that can be read");
  if (formats.empty()) return;
  ChosenTargets chosen;
  chosen.patterns = {"*" + ending};
  chosen.found = found_in_words(models);
  choose_targets(chosen, survey, formats);
  add(choice, std::move(chosen));
}

/// Where no model is kept in the repository, for what it exports.
void choose_for_none(Choice& choice, const Survey& survey) {
  const std::pair<const char*, FileFormat> usual[] = {{".onnx", FileFormat::onnx},
                                                      {".pt2", FileFormat::exported_program},
                                                      {".pt", FileFormat::torchscript}};
  for (const auto& [ending, format] : usual)
    choose_files(choice, survey, ending, {{format, FoundModels{}}});
}

void choose_preset(Choice& choice, const Survey& survey) {
  std::vector<std::string> reasons;
  for (const Evidence& each : survey.requirements)
    if (quantises(each.what)) reasons.push_back(place_of(each) + " names `" + each.what + "`");
  for (const Evidence& each : survey.calls)
    reasons.push_back(place_of(each) + " uses `" + each.what + "`");
  choice.preset = reasons.empty() ? "deploy" : "quantise";
  choice.why_preset = reasons.empty() ? "nothing here quantises" : first_in_words(reasons, 3);
  if (survey.presets.empty()) return;
  const Evidence& own = survey.presets.front();
  choice.preset = own.what;
  choice.why_preset = place_of(own) + " asks for it";
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "\"" : ", \"") + word + "\"";
  return "[" + list + "]";
}

/// Of those whose refusals are warnings, as what they do not take runs elsewhere.
std::string remark_on_fallback(const ChosenTargets& chosen) {
  std::vector<std::string> names;
  for (const std::string& target : chosen.targets)
    if (load_target(target).falls_back) names.push_back(target);
  if (names.empty()) return {};
  return "# What " + list_in_words(names) + (names.size() == 1 ? " does" : " do") +
         " not take runs elsewhere, more slowly. That is a warning; fail-on = \"error\" lets it "
         "pass, with all other warnings.\n";
}

std::string section(const ChosenTargets& chosen) {
  const bool any = !chosen.targets.empty();
  const std::string mark = any ? "" : "# ";
  std::string text = "\n# " + chosen.found + ": " + chosen.why + ".\n";
  if (!any) text += "# Targets that read them: " + joined(chosen.possible, ", ") + ".\n";
  text += remark_on_fallback(chosen);
  return text + mark + "[[per-file]]\n" + mark + "files = " + list_of(chosen.patterns) + "\n" +
         mark + "target = " + list_of(any ? chosen.targets : std::vector{chosen.possible.front()}) +
         "\n";
}

} // namespace

Choice choose(const Survey& survey) {
  Choice choice;
  choose_preset(choice, survey);
  for (const auto& [ending, models] : survey.models) choose_files(choice, survey, ending, models);
  choice.finds_models = !survey.models.empty();
  if (survey.models.empty()) choose_for_none(choice, survey);
  for (const Evidence& each : survey.compiled)
    choice.remarks.push_back(escape(each.file) + " is run by `verify`, not linted: " +
                             "`model_validator check " + escape(each.file) + "` says how");
  for (const Evidence& gate : survey.gates)
    choice.remarks.push_back(place_of(gate) + " runs model_validator, which finds this file; what "
                                              "it is given there has the last word");
  for (const std::string& each : survey.left_out)
    choice.remarks.push_back("not looked at: " + escape(each));
  return choice;
}

std::string settings_text(const Choice& choice) {
  std::string text =
      "# Settings of model_validator, chosen by `model_validator init` from what this folder "
      "holds. Change what does not fit:\n"
      "# `model_validator targets` lists what `target` may name, and `model_validator config "
      "MODEL` prints what holds for a model.\n"
      "\n"
      "# deploy: models are compiled as they are. quantise: what only quantisers ask for is asked "
      "as well, such as a module for\n"
      "# every call. Chosen because " +
      choice.why_preset + ".\npreset = \"" + choice.preset + "\"\n";
  for (const ChosenTargets& each : choice.files) text += section(each);
  return text;
}

std::vector<std::string> explanation(const Choice& choice) {
  std::vector<std::string> lines{"preset " + choice.preset + ": " + choice.why_preset};
  for (const ChosenTargets& each : choice.files)
    lines.push_back(
        joined(each.patterns, ", ") + " for " +
        (each.targets.empty() ? "no target" : joined(each.targets, ", ")) + ": " + each.found +
        "; " + each.why +
        (each.targets.empty() ? "; " + joined(each.possible, ", ") + " read them" : ""));
  lines.insert(lines.end(), choice.remarks.begin(), choice.remarks.end());
  return lines;
}

} // namespace model_validator::cli
