#include "connected_graph/exported_program/program_entry.h"

#include "files/zip_end.h"

#include <model_validator/error.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <vector>

namespace model_validator::exported_program {
namespace {

[[noreturn]] void contradict(const InputFile& file, const std::string& about) {
  throw Error(ErrorKind::damaged_zip, file.path().string(),
              "the zip contradicts itself about " + about,
              "export the model again; do not trust this file if it is not yours");
}

/// The last bytes of the file are the end of its only directory, which lies right before it.
void require_one_directory(const InputFile& file) {
  std::vector<ZipEnd> ends = zip_ends(file);
  std::erase_if(ends, [](const ZipEnd& end) { return !end.directory_is_at_offset; });
  const bool is_one =
      ends.size() == 1 && ends[0].directory_is_right_before && ends[0].bytes_after == 0;
  if (!is_one) contradict(file, "where its directory is");
}

/// miniz, which torch reads zips with, looks for names without regard to case.
void require_different_names(const InputFile& file, const ZipArchive& zip) {
  std::unordered_set<std::string> names;
  for (const ZipEntry& entry : zip.entries()) {
    std::string name = entry.name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (!names.insert(std::move(name)).second) contradict(file, "`" + entry.name + "`");
  }
}

} // namespace

std::string program_entry(const InputFile& file, const ZipArchive& zip) {
  require_one_directory(file);
  require_different_names(file, zip);
  std::vector<std::string> programs;
  for (const ZipEntry& entry : zip.entries()) {
    const std::string name(zip.name_inside(entry));
    const bool is_new = name.starts_with("models/") && name.ends_with(".json");
    if (is_new && zip.top_folder().empty()) contradict(file, "the folder around everything in it");
    if (is_new || name == "serialized_exported_program.json") programs.push_back(name);
  }
  if (programs.size() > 1)
    throw Error(ErrorKind::several_models, file.path().string(),
                "the file holds several exported programs",
                "save each to its own file with `torch.export.save`");
  if (programs.empty())
    throw Error(ErrorKind::damaged_exported_program, file.path().string(),
                "the file holds no exported program",
                "save it again: `torch.export.save(program, path)`");
  return programs.front();
}

} // namespace model_validator::exported_program
