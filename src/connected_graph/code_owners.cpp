#include "connected_graph/code_owners.h"

#include "connected_graph/torch_sources.h"
#include "files/installed_package.h"

#include <algorithm>

namespace model_validator {
namespace {

/// The place to look at; null where no line is known.
const SourceLocation* first_place(const Diagnostic& finding) {
  const auto& all = finding.locations;
  const auto known =
      std::find_if(all.begin(), all.end(), [](const auto& each) { return each.source.known(); });
  return known == all.end() ? nullptr : &known->source;
}

std::string package_of_file(const std::string& file) {
  std::string package = installed_package(file);
  return package.empty() && is_inside_torch(file) ? "torch" : package;
}

} // namespace

std::string class_of(const Diagnostic& finding) {
  const bool called = finding.fix && finding.fix->rewrite && !finding.fix->rewrite->calls.empty();
  return called ? finding.fix->rewrite->calls.front().class_name : std::string();
}

CodeOwners::CodeOwners(const std::vector<Diagnostic>& findings) {
  for (const Diagnostic& finding : findings)
    if (const SourceLocation* place = first_place(finding))
      if (std::string package = package_of_file(place->file); !package.empty())
        installed_.insert(std::move(package));
}

std::string CodeOwners::package_of(const Diagnostic& finding) const {
  if (const SourceLocation* place = first_place(finding)) return package_of_file(place->file);
  // Where no line is recorded, a class is of an installed package if other lines of that are.
  const std::string name = class_of(finding);
  const auto found = installed_.find(name.substr(0, name.find('.')));
  return found == installed_.end() ? std::string() : *found;
}

} // namespace model_validator
