#include "files/one_view.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace model_validator {
namespace {

constexpr std::uint64_t max_directory_size = std::uint64_t{1} << 28; ///< of a million entries

/// The last bytes are the end of the only directory, which lies right before it.
ZipEnd require_one_directory(const ZipArchive& zip, std::vector<ZipEnd> ends) {
  std::erase_if(ends, [](const ZipEnd& end) { return !end.directory_is_at_offset; });
  const bool is_one =
      ends.size() == 1 && ends[0].directory_is_right_before && ends[0].bytes_after == 0;
  if (!is_one) contradict(zip, "where its directory is");
  return ends[0];
}

/// Info-ZIP's field of a second name, which libzip takes for the entry's and miniz passes over.
/// (PKWARE's APPNOTE, 4.3.12 and 4.6.9.)
void require_one_name_each(const ZipArchive& zip, std::string_view directory) {
  constexpr std::uint16_t second_name = 0x7075;
  constexpr std::size_t header_size = 46, field_header_size = 4;
  const auto number = [&](std::size_t at) { return zip_number<std::uint16_t>(directory, at); };
  for (std::size_t at = 0;
       at + header_size <= directory.size() && directory.substr(at).starts_with("PK\x01\x02");) {
    const std::string_view name = directory.substr(at + header_size).substr(0, number(at + 28));
    std::size_t field = at + header_size + name.size();
    const std::size_t end = field + number(at + 30);
    for (; field + field_header_size <= end; field += field_header_size + number(field + 2))
      if (number(field) == second_name) contradict(zip, "the name of `" + std::string(name) + "`");
    at = std::min(end + number(at + 32), directory.size());
  }
}

/// miniz, which torch reads zips with, looks for names without regard to case.
void require_different_names(const ZipArchive& zip) {
  std::unordered_set<std::string> names;
  for (const ZipEntry& entry : zip.entries())
    if (!names.insert(boost::algorithm::to_lower_copy(entry.name)).second)
      contradict(zip, "`" + entry.name + "`");
}

} // namespace

void require_one_view(const ZipArchive& zip, const ZipBytes& bytes) {
  const ZipEnd end = require_one_directory(zip, zip_ends(bytes));
  if (end.directory_size > max_directory_size) contradict(zip, "how large its directory is");
  require_one_name_each(zip, bytes.read_at(end.directory_offset, end.directory_size));
  require_different_names(zip);
}

void contradict(const ZipArchive& zip, const std::string& about) {
  throw Error(ErrorKind::damaged_zip, zip.path(), "the zip contradicts itself about " + about,
              "export the model again; do not trust this file if it is not yours");
}

} // namespace model_validator
