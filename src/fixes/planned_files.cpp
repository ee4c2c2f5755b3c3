#include "fixes/planned_files.h"

#include "files/python_source.h"
#include "fixes/function_class.h"

#include <algorithm>
#include <filesystem>

namespace model_validator::fixes {
namespace {

namespace fs = std::filesystem;

std::string module_path_of(const PythonFile& file) {
  return (fs::path(file.file().path).parent_path() / module_file_name).string();
}

} // namespace

PythonFile& PlannedFiles::file_of(const SourceCall& call) {
  PythonFile* file = &file_at(call.place.file);
  if (!call.code.empty() && call.place.known() &&
      !is_same_code(file->line(call.place.line), call.code))
    throw Refusal{"its line has changed since the model was exported"};
  note_package(*file, call.class_name);
  return *file;
}

PythonFile& PlannedFiles::file_at(const std::string& path) {
  PythonFile*& file = recorded_[path];
  if (!file) {
    SourceFiles::File found = source_.files().find(path);
    auto& source = sources_[found.path];
    if (!source) source = std::make_unique<PythonFile>(std::move(found));
    file = source.get();
  }
  if (!file->file().refusal.empty()) throw Refusal{file->file().refusal};
  if (!file->tree().well_formed()) throw Refusal{file->tree().refusal()};
  return *file;
}

const ConstructorSite& PlannedFiles::site_in(const PythonFile& file, const Node& type) {
  auto& known = sites_[&file];
  auto site = known.find(type.begin());
  if (site == known.end()) site = known.emplace(type.begin(), constructor_site(type)).first;
  if (!site->second.refusal.empty()) throw Refusal{site->second.refusal};
  return site->second;
}

void PlannedFiles::place_in(const Node& type, Draft& draft) {
  draft.type = type;
  if (is_function(type)) return;
  draft.touched.push_back({Touched::Kind::type, name_of(type), type});
  draft.site = site_in(*draft.file, type);
  if (draft.site.new_init) draft.touched.push_back({Touched::Kind::signature, name_of(type), type});
  if (!draft.site.base.empty()) draft.site.wraps = imported(draft, {"functools", "wraps"});
}

std::pair<std::string, bool> PlannedFiles::attribute_for(PythonFile& file, const Node& type,
                                                         const Node& call, const std::string& name,
                                                         int first_number) {
  if (is_function(type)) return file.attribute_for(type, call, name, first_number);
  constexpr int tried = 10;
  const ClassFamily& family = source_.index().family_of(type);
  const std::string wanted = family.unseen_base ? name + "_op" : name;
  auto& taken = file.change_of(type).names;
  taken.insert(family.attributes.begin(), family.attributes.end());
  const auto& of_any = source_.index().attributes_of_any();
  taken.insert(of_any.begin(), of_any.end());
  for (const ClassKey& each : family.members)
    if (const auto given = given_.find(each); given != given_.end())
      taken.insert(given->second.begin(), given->second.end());
  for (int number = first_number; number < first_number + tried; ++number)
    if (std::string each = number > 1 ? wanted + '_' + std::to_string(number) : wanted;
        source_.index().is_set_outside(each))
      taken.insert(std::move(each));
  auto chosen = file.attribute_for(type, call, wanted, first_number);
  const Node kept = source_.index().kept(type);
  given_[key_of(kept ? kept : type)].insert(chosen.first);
  return chosen;
}

std::string PlannedFiles::module_from(const PythonFile& file, const PythonFile& other) {
  fs::path folder = fs::path(file.file().path).parent_path();
  const fs::path way = fs::path(other.file().path).lexically_relative(folder);
  if (!is_in_package(file) || !is_in_package(other)) return {};
  std::string dots = ".";
  std::string names;
  for (const fs::path& part : way) {
    if (part == "..") {
      folder = folder.parent_path();
      if (!source_.files().read((folder / "__init__.py").string())) return {};
      dots += '.';
    } else if (part.stem() != "__init__") {
      names += (names.empty() ? "" : ".") + part.stem().string();
    }
  }
  return dots + names;
}

const NameUses& PlannedFiles::names_in(const PythonFile& file, const Node& function) {
  auto& known = names_[&file];
  auto names = known.find(function.begin());
  if (names == known.end()) names = known.emplace(function.begin(), NameUses(function)).first;
  return names->second;
}

std::optional<ModuleLoop> PlannedFiles::module_loop_around(const Node& node,
                                                           const PythonFile& file) {
  const Node statement = loop_around(node);
  // TorchScript compiles neither `zip` in a comprehension, nor a module index that is not constant,
  // nor modules along with anything else.
  if (!statement || (compiles(file) && !statement.is("for_statement"))) return std::nullopt;
  const auto [loop, fresh] = loops_[&file].try_emplace(statement.begin());
  if (fresh) loop->second = module_loop(statement, file);
  const bool is_over_modules = loop->second && !loop->second->attribute.empty();
  return compiles(file) && !(is_over_modules && !loop->second->is_counted) ? std::nullopt
                                                                           : loop->second;
}

std::string PlannedFiles::constructor_of(const ModuleCall& made, Draft& draft) {
  const PythonFile& file = *draft.file;
  if (!made.own) return imported(draft, {"torch", "nn"}) + made.constructor.substr(2);
  std::string name = made.own->name;
  std::string package = options_.modules;
  if (package.empty()) {
    draft.module_file = module_path_of(file);
    name = module_file(draft.module_file).want(*made.own, [this](const std::string& each) {
      return source_.index().is_name_of_file_with_star(each);
    });
    draft.module_class = name;
    package = (is_in_package(file) ? "." : "") + fs::path(module_file_name).stem().string();
  }
  return imported(draft, {package, name}) + made.constructor.substr(made.own->name.size());
}

/// As the export imported it, where one of the classes that it made shows that.
bool PlannedFiles::is_in_package(const PythonFile& file) const {
  const auto known = packages_.find(&file);
  if (known != packages_.end()) return known->second;
  const fs::path folder = fs::path(file.file().path).parent_path();
  const std::string init = (folder / "__init__.py").string();
  return source_.files().read(init) || !source_.files().may_make(init);
}

/// `models.net.Net` of `…/models/net.py` shows that `models` is a package.
void PlannedFiles::note_package(const PythonFile& file, const std::string& class_name) {
  if (class_name.empty() || packages_.count(&file) != 0) return;
  std::string path = class_name;
  std::ranges::replace(path, '.', '/');
  const fs::path name(path);
  if (name.has_parent_path()) {
    const std::string module = name.parent_path().string();
    for (const std::string& end : {'/' + module + ".py", '/' + module + "/__init__.py"})
      if (file.file().path.ends_with(end))
        packages_[&file] = module.find('/') != std::string::npos || end.ends_with("__init__.py");
  } else if (find_class(file.root(), class_name)) {
    packages_[&file] = false; // the file was run as a script, so it is in no package
  }
}

const std::vector<NamedFunction>&
PlannedFiles::kept_functions(const PythonFile& file, const Kept& kept,
                             const std::function<std::vector<NamedFunction>()>& find) {
  auto& known = kept_[&file];
  auto found = known.find(kept);
  if (found == known.end()) found = known.emplace(kept, find()).first;
  return found->second;
}

bool PlannedFiles::compiles(const PythonFile& file) const {
  return options_.scripted || file.is_compiled();
}

ModuleFile& PlannedFiles::module_file(const std::string& path) {
  if (const auto known = modules_.find(path); known != modules_.end()) return *known->second;
  const auto text = source_.files().read(path);
  if (text && text->find("model_validator fix") == std::string::npos)
    throw Refusal{"`" + path + "` already exists and is not a file of such modules"};
  if (text ? !source_.files().find(path).refusal.empty() : !source_.files().may_make(path))
    throw Refusal{"`" + path + "` must not be written"};
  return *modules_.emplace(path, std::make_unique<ModuleFile>(text.value_or(std::string())))
              .first->second;
}

std::string imported(Draft& draft, const Import& import) {
  draft.imports.push_back(import);
  return draft.file->use(import);
}

std::string copy_of(const std::string& expression, Draft& draft) {
  const std::string known = draft.file->name_for("copy.deepcopy");
  const std::string function = known.empty() ? imported(draft, {"", "copy"}) + ".deepcopy" : known;
  return function + '(' + expression + ')';
}

} // namespace model_validator::fixes
