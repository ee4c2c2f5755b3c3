#include "partition/subgraph_folder.h"

#include "files/input_file.h"
#include "introspection/digest.h"
#include "partition/manifest_file.h"

#include <model_validator/error.h>

#include <vector>

namespace model_validator::partition {
namespace {

namespace fs = std::filesystem;

std::string hash_of(const fs::path& path) {
  Digest digest;
  digest.add(InputFile(path));
  return digest.text();
}

Error already_there(const fs::path& folder, const std::string& cause, const std::string& hint) {
  return Error(ErrorKind::already_there, folder.string(), cause, hint);
}

/// The names in a folder of subgraphs that hold what was written with its manifest.
std::set<std::string> unchanged_files(const fs::path& folder) {
  std::set<std::string> names{manifest_name};
  for (const Subgraph& subgraph : read_subgraph_folder(folder).subgraphs)
    if (!subgraph.hash.empty()) names.insert(subgraph.file);
  return names;
}

/// All files of a folder that may be replaced. @throws Error (`already-there`)
std::set<std::string> files_to_replace(const fs::path& folder) {
  const auto refuse = [&](const std::string& what) {
    return already_there(folder, "there is something other than subgraphs of a model here: " + what,
                         "name a new folder, or remove this one yourself");
  };
  for (const auto& entry : fs::directory_iterator(folder))
    if (!fs::is_regular_file(entry.symlink_status()))
      throw refuse(entry.path().filename().string());
  std::set<std::string> names;
  try {
    names = unchanged_files(folder);
  } catch (const Error& error) {
    throw refuse(error.what());
  }
  for (const auto& entry : fs::directory_iterator(folder))
    if (!names.contains(entry.path().filename().string()))
      throw refuse(entry.path().filename().string());
  return names;
}

/// @throws Error (`already-there`)
std::set<std::string> replaced_in(const fs::path& folder, bool replace) {
  const fs::file_status status = fs::symlink_status(folder);
  if (!fs::exists(status)) return {};
  if (fs::is_symlink(status))
    throw already_there(folder, "this is a link, which is not followed",
                        "name the folder that it leads to, or a new one");
  if (fs::is_directory(status) && fs::is_empty(folder)) return {};
  if (replace && fs::is_directory(status)) return files_to_replace(folder);
  throw already_there(folder, "there is something here already",
                      fs::is_regular_file(folder / manifest_name)
                          ? "name a new folder, or replace it with --force"
                          : "name a new folder");
}

/// `out` for `out/` and `out/.`, which would lead through a link.
fs::path without_slash(fs::path folder) {
  while (folder.has_parent_path() && (!folder.has_filename() || folder.filename() == "."))
    folder = folder.parent_path();
  return folder == "." || folder.filename() == ".." ? fs::canonical(folder) : folder;
}

} // namespace

NewSubgraphFolder::NewSubgraphFolder(const fs::path& folder, bool replace, std::stop_token stop)
    : replaced_(replaced_in(without_slash(folder), replace)),
      folder_(without_slash(folder), std::move(stop)) {}

Manifest write_subgraphs(const PartitionableModel& model, const Plan& plan,
                         const fs::path& folder) {
  Manifest manifest = model.write_subgraphs(plan, folder);
  for (Subgraph& subgraph : manifest.subgraphs) subgraph.hash = hash_of(folder / subgraph.file);
  write_manifest(manifest, folder);
  return manifest;
}

Manifest read_subgraph_folder(const fs::path& folder) {
  Manifest manifest = read_manifest(folder);
  for (const Subgraph& subgraph : manifest.subgraphs) {
    const fs::path file = folder / subgraph.file;
    if (!fs::exists(file))
      throw Error(ErrorKind::not_found, file.string(), "this subgraph of the model is missing",
                  "divide the model again");
    if (!subgraph.hash.empty() && hash_of(file) != subgraph.hash)
      throw Error(ErrorKind::changed_subgraph, file.string(),
                  "the subgraph is not the one that was written with manifest.json",
                  "divide the model again; if the change is intended, remove the subgraph's `hash` "
                  "from manifest.json");
  }
  return manifest;
}

} // namespace model_validator::partition
