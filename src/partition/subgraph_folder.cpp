#include "partition/subgraph_folder.h"

#include "files/input_file.h"
#include "introspection/digest.h"
#include "partition/manifest_file.h"

#include <model_validator/error.h>

#include <vector>

namespace model_validator::partition {
namespace {

namespace fs = std::filesystem;

bool is_empty_folder(const fs::path& folder) {
  return fs::is_directory(folder) && fs::is_empty(folder);
}

void refuse_existing(const fs::path& folder, bool replace) {
  if (!fs::exists(folder) || is_empty_folder(folder)) return;
  const bool subgraphs = fs::is_regular_file(folder / manifest_name);
  if (replace && subgraphs) return;
  throw Error(ErrorKind::already_there, folder.string(),
              replace ? "there is something other than subgraphs of a model here"
                      : "there is something here already",
              subgraphs ? "name a new folder, or replace it with --force" : "name a new folder");
}

/// @throws Error (`already-there`)
fs::path place_for(const fs::path& folder, bool replace) {
  const fs::path without_slash = folder.has_filename() ? folder : folder.parent_path();
  refuse_existing(without_slash, replace);
  return without_slash;
}

std::string hash_of(const fs::path& path) {
  const InputFile file(path);
  Digest digest;
  std::vector<char> part(std::size_t{1} << 20);
  std::uint64_t offset = 0;
  while (const std::size_t count = file.read_at(offset, part.data(), part.size())) {
    digest.add(part.data(), count);
    offset += count;
  }
  return digest.text();
}

} // namespace

NewSubgraphFolder::NewSubgraphFolder(const fs::path& folder, bool replace, std::stop_token stop)
    : folder_(place_for(folder, replace), std::move(stop)) {}

Manifest write_subgraphs(const Divisible& model, const Plan& plan, const fs::path& folder) {
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
