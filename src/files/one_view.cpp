#include "files/one_view.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/case_conv.hpp>

#include <unordered_set>

namespace model_validator {
namespace {

/// The last bytes are the end of the only directory, which lies right before it.
void require_one_directory(const ZipArchive& zip, std::vector<ZipEnd> ends) {
  std::erase_if(ends, [](const ZipEnd& end) { return !end.directory_is_at_offset; });
  const bool is_one =
      ends.size() == 1 && ends[0].directory_is_right_before && ends[0].bytes_after == 0;
  if (!is_one) contradict(zip, "where its directory is");
}

/// miniz, which torch reads zips with, looks for names without regard to case.
void require_different_names(const ZipArchive& zip) {
  std::unordered_set<std::string> names;
  for (const ZipEntry& entry : zip.entries())
    if (!names.insert(boost::algorithm::to_lower_copy(entry.name)).second)
      contradict(zip, "`" + entry.name + "`");
}

} // namespace

void require_one_view(const ZipArchive& zip, std::vector<ZipEnd> ends) {
  require_one_directory(zip, std::move(ends));
  require_different_names(zip);
}

void contradict(const ZipArchive& zip, const std::string& about) {
  throw Error(ErrorKind::damaged_zip, zip.path(), "the zip contradicts itself about " + about,
              "export the model again; do not trust this file if it is not yours");
}

} // namespace model_validator
