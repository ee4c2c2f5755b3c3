#include "introspection/executorch_file.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator {
namespace {

// Numbers of fields. (pytorch/executorch, schema/program.fbs)
namespace program {
enum : int { methods = 1, segments = 4, named = 7 };
}
namespace method {
enum : int { name = 0, delegates = 7 };
}
namespace delegate {
enum : int { id = 0, processed = 1 };
}
namespace processed {
enum : int { location = 0, index = 1 };
}
namespace segment_of {
enum : int { offset = 0, size = 1 };
}
namespace named_data {
enum : int { key = 0, segment = 1 };
}

} // namespace

ExecuTorchFile::ExecuTorchFile(const std::filesystem::path& path)
    : file_(path), root_(FlatTable::root(file_)), methods_(root_.tables(program::methods)) {
  if (methods_.empty()) damaged();
  for (const FlatTable& each : methods_) names_.push_back(each.text(method::name));
  const auto usual = std::ranges::find(names_, "forward");
  if (usual != names_.end()) chosen_ = static_cast<std::size_t>(usual - names_.begin());
  constexpr std::uint64_t magic = 8, base_at = 24;
  std::uint64_t base = 0;
  if (file_.read_at(magic, 4) != "eh00" ||
      file_.read_at(base_at, &base, sizeof base) != sizeof base)
    return;
  for (const FlatTable& each : root_.tables(program::segments))
    segments_.push_back({base + each.number<std::uint64_t>(segment_of::offset),
                         each.number<std::uint64_t>(segment_of::size)});
  for (const FlatTable& each : root_.tables(program::named))
    named_.emplace(each.text(named_data::key), each.number<std::uint32_t>(named_data::segment));
}

void ExecuTorchFile::damaged() const {
  throw Error(ErrorKind::damaged_file, file_.path().string(), "the ExecuTorch program is damaged",
              "copy it again, or lower the model again");
}

std::vector<XnnGraph> ExecuTorchFile::xnn_graphs() const {
  std::vector<XnnGraph> graphs;
  for (const FlatTable& each : method().tables(method::delegates))
    if (each.text(delegate::id) == "XnnpackBackend")
      if (auto graph = xnn_graph(each)) graphs.push_back(std::move(*graph));
  return graphs;
}

/// None where it lies in the program itself, as older releases had it.
std::optional<XnnGraph> ExecuTorchFile::xnn_graph(const FlatTable& delegate) const {
  constexpr std::uint64_t magic = 4, flat_offset = 10, data_offset = 18;
  const auto place = delegate.table(delegate::processed);
  const bool is_segment = place && place->number<std::int8_t>(processed::location) == 1;
  const auto part =
      is_segment ? segment(place->number<std::uint32_t>(processed::index)) : std::nullopt;
  std::uint32_t tables = 0, data = 0;
  if (!part || file_.read_at(part->offset + magic, 4) != "XH00" ||
      file_.read_at(part->offset + flat_offset, &tables, sizeof tables) != sizeof tables ||
      file_.read_at(part->offset + data_offset, &data, sizeof data) != sizeof data)
    return std::nullopt;
  return XnnGraph{FlatTable::root(file_, part->offset + tables), part->offset + data};
}

bool ExecuTorchFile::holds(const FilePart& part) const {
  return part.offset <= file_.size() && part.size <= file_.size() - part.offset;
}

std::optional<FilePart> ExecuTorchFile::segment(std::uint32_t index) const {
  const bool is_there = index < segments_.size() && holds(segments_[index]);
  return is_there ? std::optional(segments_[index]) : std::nullopt;
}

std::optional<FilePart> ExecuTorchFile::named(const std::string& key) const {
  const auto found = named_.find(key);
  return found == named_.end() ? std::nullopt : segment(found->second);
}

} // namespace model_validator
