#include "connected_graph/exported_program/program_entry.h"

#include "files/one_view.h"

#include <model_validator/error.h>

#include <string_view>
#include <vector>

namespace model_validator::exported_program {
std::string program_entry(const InputFile& file, const ZipArchive& zip) {
  require_one_view(zip, bytes_of(file));
  std::vector<std::string> programs;
  for (const ZipEntry& entry : zip.entries()) {
    const std::string name(zip.name_inside(entry));
    // torch loads whatever is there as a program: the name of each is cut off where `.json` begins.
    const bool is_new = name.starts_with("models/") && name != "models/";
    if (is_new && zip.top_folder().empty()) contradict(zip, "the folder around everything in it");
    if (is_new && name.rfind('/') > std::string_view("models").size())
      contradict(zip, "the name of its program"); // which names its weights, too
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
