#include "introspection/torchscript_weights.h"

#include "files/pickle.h"
#include "files/strided_spans.h"
#include "files/zip_archive.h"
#include "introspection/non_finite.h"

#include <model_validator/data/dtype.h>
#include <model_validator/error.h>

#include <map>
#include <optional>
#include <string_view>

namespace model_validator {
namespace {

using pickle::Document;
using pickle::Index;
using pickle::Kind;
using pickle::Value;

constexpr std::uint64_t max_pickle_size = std::uint64_t{1} << 30;
// Tensors share the names of what holds them; real files repeat each some ten times.
constexpr std::uint64_t free_paths = std::uint64_t{16} << 20U;
constexpr std::uint64_t max_paths_ratio = 64;

/// `float32` for `torch.FloatStorage`; empty for a storage of integers.
std::string float_dtype(const std::string& storage_type) {
  const auto dtype = dtype_of_storage(storage_type);
  return dtype && (is_floating(*dtype) || is_complex(*dtype)) ? to_string(*dtype) : std::string();
}

/// Of one element. A type that is not known here, or that is packed, is compared by its bytes.
std::uint64_t bytes_of(const std::string& storage_type) {
  const auto dtype = dtype_of_storage(storage_type);
  return dtype ? std::max(facts_of(*dtype).bits / 8, 1U) : 1;
}

/// Which tensors are listed.
enum class Kinds {
  floating, ///< each once
  all       ///< under every name
};

/// Finds the tensors in one pickle of a file: `data` or `constants`.
class Finder {
public:
  Finder(const ZipArchive& zip, const std::filesystem::path& file, std::string archive, Kinds kinds)
      : zip_(zip), file_(file), archive_(std::move(archive)), kinds_(kinds) {}

  void add_to(std::vector<StoredWeights>& found) {
    const ZipEntry* entry = zip_.find(archive_ + ".pkl");
    if (entry == nullptr) return;
    const std::string bytes = zip_.read(*entry, max_pickle_size);
    const Document document = pickle::parse(bytes);
    if (!document.complete) throw damaged(document.failure);
    visit(document, found);
  }

private:
  /// How the search reached a value.
  struct Step {
    Index value;
    std::size_t parent;                    ///< the step before
    std::string_view key = {};             ///< in the parent, which is a dict
    std::optional<std::size_t> place = {}; ///< in the parent, which is a list or tuple
  };

  Error damaged(const std::string& cause) const {
    return Error(ErrorKind::damaged_file, file_.string(), cause,
                 "copy or download it again, or export the model again");
  }

  /// The shortest paths come first; a value that several paths share is visited once.
  void visit(const Document& document, std::vector<StoredWeights>& found) {
    std::vector<bool> met(document.values().size());
    steps_ = {{document.root, 0, archive_ == "constants" ? "CONSTANTS" : ""}};
    left_for_paths_ = free_paths + max_paths_ratio * document.bytes;
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      const Index value = steps_[at].value;
      const bool tensor = is_tensor(document, document[value]);
      if (met[value] && !(tensor && kinds_ == Kinds::all)) continue;
      met[value] = true;
      if (tensor)
        add_tensor(document, document[value], path_of(at), found);
      else
        add_items(document, at);
    }
  }

  void add_items(const Document& document, std::size_t at) {
    const Value& value = document[steps_[at].value];
    const auto items = document.items(value);
    if (value.kind == Kind::dict) {
      for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        steps_.push_back({items[i + 1], at, Document::text(document[items[i]])});
    } else if (value.kind == Kind::call) {
      // The arguments, and the state that was built into the object, are the object.
      for (std::size_t i = 1; i < items.size(); ++i) steps_.push_back({items[i], at});
    } else if (value.kind == Kind::tuple || value.kind == Kind::list) {
      for (std::size_t i = 0; i < items.size(); ++i) steps_.push_back({items[i], at, {}, i});
    }
  }

  std::string name_of(const Step& step) const {
    if (!step.place) return std::string(step.key);
    const bool constant = step.parent == 0 && archive_ == "constants";
    return (constant ? "c" : "") + std::to_string(*step.place);
  }

  /// Made for tensors only, and bounded: they may share a long name that the file holds once.
  std::string path_of(std::size_t at) {
    std::vector<std::size_t> way{at};
    std::uint64_t length = 0;
    for (; way.back() != 0; way.push_back(steps_[way.back()].parent))
      length += steps_[way.back()].key.size() + 1;
    if (length > left_for_paths_)
      throw Error(ErrorKind::too_large, file_.string(),
                  "the names of its tensors are far longer than the file",
                  "do not trust this file; it was not made by an exporter");
    left_for_paths_ -= length;
    std::string path;
    for (auto step = way.rbegin(); step != way.rend(); ++step) {
      const std::string name = name_of(steps_[*step]);
      if (!path.empty() && !name.empty()) path += '.';
      path += name;
    }
    return path;
  }

  static bool is_tensor(const Document& document, const Value& value) {
    if (value.kind != Kind::call) return false;
    const std::string callable = document.name(document[document.items(value)[0]]);
    return callable == "torch._utils._rebuild_tensor_v2" ||
           callable == "torch._utils._rebuild_tensor";
  }

  const Value& item(const Document& document, const Value& value, std::size_t position) const {
    const auto items = document.items(value);
    if (position >= items.size()) throw damaged("a tensor is described with too few fields");
    return document[items[position]];
  }

  std::uint64_t natural(const Value& value) const {
    if (value.kind != Kind::integer || value.integer < 0)
      throw damaged("a tensor has something other than a size");
    return static_cast<std::uint64_t>(value.integer);
  }

  std::vector<std::uint64_t> naturals(const Document& document, const Value& value) const {
    std::vector<std::uint64_t> numbers;
    for (const Index number : document.items(value)) numbers.push_back(natural(document[number]));
    return numbers;
  }

  // The arguments are the storage, the offset in it, the sizes and the strides.
  void add_tensor(const Document& document, const Value& call, const std::string& path,
                  std::vector<StoredWeights>& found) const {
    const Value& arguments = item(document, call, 1);
    const Value& storage = item(document, item(document, arguments, 0), 0);
    StoredWeights weights;
    weights.name = path;
    const std::string type = document.name(item(document, storage, 1));
    weights.dtype = kinds_ == Kinds::all ? type : float_dtype(type);
    if (weights.dtype.empty()) return;
    const StridedLayout layout{natural(item(document, arguments, 1)),
                               naturals(document, item(document, arguments, 2)),
                               naturals(document, item(document, arguments, 3)), bytes_of(type)};
    if (layout.sizes.size() != layout.strides.size())
      throw damaged("a tensor has sizes and strides that do not fit each other");
    weights.shape = layout.sizes;
    weights.strides = layout.strides;
    weights.spans = strided_spans(layout);
    if (weights.spans.empty() && kinds_ == Kinds::floating) return;
    const std::string key(Document::text(item(document, storage, 2)));
    const ZipEntry* entry = zip_.find(archive_ + "/" + key);
    if (entry == nullptr) throw damaged("the data of a tensor is missing: `" + key + "`");
    weights.file = file_;
    weights.entry = entry->name;
    weights.compressed = entry->compressed;
    const Value& count = item(document, storage, 4);
    require_within(weights, std::min(entry->size, natural(count) * layout.element_bytes));
    found.push_back(std::move(weights));
  }

  const ZipArchive& zip_;
  const std::filesystem::path& file_;
  std::string archive_;
  Kinds kinds_;
  std::vector<Step> steps_;
  std::uint64_t left_for_paths_ = 0;
};

std::vector<StoredWeights> list(const std::filesystem::path& path,
                                std::initializer_list<const char*> archives, Kinds kinds) {
  const InputFile file(path);
  const ZipArchive zip(file);
  std::vector<StoredWeights> found;
  for (const char* archive : archives) Finder(zip, path, archive, kinds).add_to(found);
  return found;
}

} // namespace

std::vector<StoredWeights> list_torchscript_weights(const std::filesystem::path& file) {
  return list(file, {"data", "constants"}, Kinds::floating);
}

std::vector<StoredWeights> list_torchscript_tensors(const std::filesystem::path& file) {
  return list(file, {"data", "constants"}, Kinds::all);
}

std::vector<StoredWeights> list_torchscript_state(const std::filesystem::path& file) {
  return list(file, {"data"}, Kinds::all);
}

} // namespace model_validator
