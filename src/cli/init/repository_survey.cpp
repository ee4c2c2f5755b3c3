#include "cli/init/repository_survey.h"

#include "cli/init/requirement_names.h"
#include "files/process/worker_process.h"
#include "files/real_path.h"
#include "files/regular_file.h"
#include "lint/input_files.h"
#include "rules/project_requirements.h"
#include "text/lists.h"
#include "text/plural.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>
#include <model_validator/error.h>
#include <model_validator/target_profile.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

// What a repository of people holds; of a larger one, a part shows the same.
constexpr std::size_t max_entries = 50'000;
constexpr std::size_t max_models = 500;  ///< that are opened; others are known by their endings
constexpr std::size_t max_texts = 2'000; ///< files of text that are read
constexpr std::uint64_t max_text = 1U << 20U; ///< bytes of one
constexpr std::size_t max_line = 2'000;       ///< characters that are looked at
constexpr std::uint64_t max_memory = std::uint64_t{1} << 30;
constexpr std::chrono::seconds max_processor_time{20};

// What a reader says of each model, in a letter.
constexpr char by_its_ending = '?';
constexpr char is_no_model = '-';

/// What a file is where its content cannot be asked: one that was not fetched, for instance.
FileFormat usual_format(const std::string& ending) {
  if (ending == ".onnx") return FileFormat::onnx;
  if (ending == ".pt2") return FileFormat::exported_program;
  return contains(word_array<".ptl .torchscript">, ending) ? FileFormat::torchscript
                                                           : FileFormat::unknown;
}

char letter_for(const fs::path& file) {
  try {
    return static_cast<char>('a' + static_cast<int>(recognise(file)));
  } catch (const Error& error) {
    const bool none = contains({ErrorKind::pickled_checkpoint, ErrorKind::pickled_data,
                                ErrorKind::state_dict, ErrorKind::weights_only},
                               error.kind());
    return none ? is_no_model : by_its_ending;
  }
}

FileFormat format_by(char letter, const std::string& ending) {
  if (letter == by_its_ending) return usual_format(ending);
  const int number = letter - 'a';
  const bool known = number >= 0 && number <= static_cast<int>(FileFormat::unknown);
  return known ? static_cast<FileFormat>(number) : FileFormat::unknown;
}

/// A letter for each model. A file is nobody's: it is opened in a confined process.
std::string recognised(const std::vector<fs::path>& models, const fs::path& folder) {
  process::Confinement confinement;
  confinement.permissions.readable = {folder};
  confinement.limits.memory = max_memory;
  confinement.limits.processor_time = max_processor_time;
  const auto work = [&] {
    std::string letters;
    for (const fs::path& model : models) letters += letter_for(model);
    return letters;
  };
  const auto result = process::WorkerProcess(work, confinement).wait();
  const bool done = result.ending == process::WorkerResult::Ending::done;
  return done && result.bytes.size() == models.size() ? result.bytes
                                                      : std::string(models.size(), by_its_ending);
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool has_word(std::string_view line, std::string_view word) {
  for (auto at = line.find(word); at != line.npos; at = line.find(word, at + 1))
    if ((at == 0 || !is_of_word(line[at - 1])) &&
        (at + word.size() == line.size() || !is_of_word(line[at + word.size()])))
      return true;
  return false;
}

/// The package whose module a line of Python imports; empty for other lines.
std::string imported(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  for (const std::string_view word : {"import ", "from "})
    if (line.starts_with(word)) {
      line.remove_prefix(word.size());
      return std::string(line.substr(0, std::ranges::find_if_not(line, is_of_word) - line.begin()));
    }
  return {};
}

/// What a line of Python does to quantise; empty for other lines.
std::string quantising(std::string_view line) {
  line = line.substr(0, line.find('#'));
  constexpr auto& modules = word_array<"aimet_onnx aimet_torch brevitas modelopt mqbench nncf "
                                       "neural_compressor pytorch_quantization torchao">;
  if (const std::string module = imported(line); contains(modules, module)) return module;
  constexpr auto& functions =
      word_array<"prepare_fx prepare_pt2e prepare_qat prepare_qat_fx prepare_qat_pt2e quantize_ "
                 "quantize_dynamic quantize_fx quantize_static QuantizationSimModel">;
  const auto found = std::ranges::find_if(functions, [&](std::string_view name) {
    return has_word(line, name) && line.find(std::string(name) + "(") != line.npos;
  });
  return found == std::end(functions) ? "" : std::string(*found);
}

/// The values of an option on a line, as shells, YAML and TOML write them: `--target openvino`,
/// `"--target=onnx,openvino"`, `[--target, openvino]`.
std::vector<std::string> values_of(std::string_view option, std::string_view line) {
  std::vector<std::string> values;
  for (auto at = line.find(option); at != line.npos; at = line.find(option, at + 1)) {
    std::string_view rest = line.substr(at + option.size());
    const auto begin = rest.find_first_not_of(" =,'\"");
    if (begin == 0 || begin == rest.npos) continue;
    rest.remove_prefix(begin);
    const auto end = std::ranges::find_if(rest, [](char c) {
      return !is_of_word(c) && !contains({'-', '@', '.', ','}, c);
    });
    rest = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    while (!rest.empty()) values.emplace_back(take_before(',', rest));
  }
  return values;
}

/// Whether a line of YAML holds arguments of what a line before it calls.
bool is_argument(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("args") || line.starts_with("- ");
}

class Surveyor {
public:
  explicit Surveyor(const fs::path& folder) : folder_(folder) {}

  Survey take() {
    const FolderContents contents = files_beneath(folder_, max_entries);
    if (!contents.complete)
      survey_.left_out.push_back("some folders are too large, or cannot be read");
    look_at_models(contents.files);
    for (const fs::path& file : contents.files) look_at(file);
    if (texts_ > max_texts)
      survey_.left_out.push_back("all but " + plural(max_texts, "file") + " of text");
    return std::move(survey_);
  }

private:
  std::string shown(const fs::path& file) const {
    return file.lexically_relative(folder_).string();
  }

  void look_at_models(const std::vector<fs::path>& files) {
    std::vector<fs::path> models;
    std::ranges::copy_if(files, std::back_inserter(models), has_model_ending);
    const std::vector<fs::path> opened(
        models.begin(),
        models.begin() + static_cast<std::ptrdiff_t>(std::min(models.size(), max_models)));
    std::string letters = opened.empty() ? "" : recognised(opened, folder_);
    letters.resize(models.size(), by_its_ending);
    for (std::size_t i = 0; i < models.size(); ++i) {
      const std::string ending = models[i].extension().string();
      FoundModels& found = survey_.models[ending][format_by(letters[i], ending)];
      if (found.count++ == 0) found.example = shown(models[i]);
    }
  }

  void look_at(const fs::path& file) {
    const std::string name = file.filename().string();
    const std::string ending = file.extension().string();
    if (const std::string target = target_of_file(file); !target.empty())
      add(survey_.compiled, target, {"", shown(file), 0});
    if (name == "pyproject.toml") return look_at_project(file);
    if (is_of_requirements(file, name, ending)) return read_lines(file, &Surveyor::require);
    if (is_of_gates(file, name, ending)) return read_lines(file, &Surveyor::gate);
    if (ending == ".py") return read_lines(file, &Surveyor::python);
  }

  static bool is_of_requirements(const fs::path& file, const std::string& name,
                                 const std::string& ending) {
    if (contains(word_array<"Pipfile environment.yaml environment.yml setup.cfg setup.py">, name))
      return true;
    return (ending == ".txt" || ending == ".in") &&
           (name.starts_with("requirements") || file.parent_path().filename() == "requirements");
  }

  static bool is_of_gates(const fs::path& file, const std::string& name,
                          const std::string& ending) {
    if (contains(word_array<".gitlab-ci.yml .pre-commit-config.yaml Makefile tox.ini">, name))
      return true;
    return (ending == ".yml" || ending == ".yaml") && file.parent_path().filename() == "workflows";
  }

  using Look = void (Surveyor::*)(std::string_view line, const Evidence& place);

  void read_lines(const fs::path& file, Look look) {
    if (++texts_ > max_texts || !lies_beneath(file, folder_)) return;
    const FileText text = read_regular_file(file, max_text);
    if (!text.why_not.empty()) {
      survey_.left_out.push_back(shown(file) + " (" + text.why_not + ")");
      return;
    }
    Evidence place{"", shown(file), 0};
    std::string_view rest = text.bytes;
    while (!rest.empty()) {
      ++place.line;
      (this->*look)(take_before('\n', rest).substr(0, max_line), place);
    }
  }

  /// The first place of each thing is enough.
  void add(std::vector<Evidence>& all, const std::string& what, Evidence place) {
    if (std::ranges::find(all, what, &Evidence::what) != all.end()) return;
    place.what = what;
    all.push_back(std::move(place));
  }

  void require(const std::string& package, const Evidence& place) {
    if (!target_of_package(package).empty() || quantises(package) || is_for_onnx(package))
      add(survey_.requirements, package, place);
  }
  void require(std::string_view line, const Evidence& place) {
    for (const std::string& package : packages_in(line)) require(package, place);
  }

  void look_at_project(const fs::path& file) {
    if (!lies_beneath(file, folder_)) return;
    try {
      for (const Requirement& each : requirements_of(file))
        require(package_of(each.text), {"", shown(file), each.line});
    } catch (const Error& error) {
      survey_.left_out.push_back(shown(file) + " (" + error.what() + ")");
    }
  }

  void python(std::string_view line, const Evidence& place) {
    if (const std::string what = quantising(line); !what.empty()) add(survey_.calls, what, place);
  }

  /// Names count only where they are names of ours: the file is the repository's.
  void gate(std::string_view line, const Evidence& place) {
    const bool ours =
        std::ranges::any_of(word_array<"model_validator model-validator model-validator-system">,
                            [&](std::string_view name) { return has_word(line, name); });
    if (ours) add(survey_.gates, place.file, place);
    if (!ours && !is_argument(line)) return;
    if (std::ranges::find(survey_.gates, place.file, &Evidence::file) == survey_.gates.end())
      return;
    for (const std::string& target : values_of("--target", line))
      if (std::ranges::binary_search(targets_, target.substr(0, target.find('@'))))
        add(survey_.targets, target, place);
    for (const std::string& preset : values_of("--preset", line))
      if (preset == "deploy" || preset == "quantise") add(survey_.presets, preset, place);
  }

  fs::path folder_;
  Survey survey_;
  std::size_t texts_ = 0;
  const std::vector<std::string> targets_ = target_names();
};

} // namespace

Survey survey(const fs::path& folder) { return Surveyor(folder).take(); }

} // namespace model_validator::cli
