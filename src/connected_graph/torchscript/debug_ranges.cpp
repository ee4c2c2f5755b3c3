#include "connected_graph/torchscript/debug_ranges.h"

#include <torch/csrc/jit/serialization/pickle.h>

#include <algorithm>
#include <unordered_map>

namespace model_validator::torchscript {
namespace {

using torch::jit::Source;
using SourcePointer = std::shared_ptr<Source>;

/// Decodes the sources of one table, each once. The table either carries every line of Python once,
/// in a table of strings that the sources refer to, or (files before torch 1.11) the text itself.
class Sources {
public:
  explicit Sources(const c10::IValue* strings) {
    if (strings == nullptr) return;
    for (const c10::IValue& text : strings->toTupleRef().elements())
      strings_.push_back(std::make_shared<std::string>(text.toStringRef()));
  }

  SourcePointer decode(const c10::IValue& value) {
    auto& source = known_[static_cast<const void*>(&value.toTupleRef())];
    if (!source) source = make(value.toTupleRef().elements());
    return source;
  }

private:
  template <typename Elements> SourcePointer make(const Elements& elements) {
    TORCH_CHECK(elements.size() == 3, "a debug table names a source without three fields");
    const auto line = static_cast<std::size_t>(std::max<std::int64_t>(0, elements[2].toInt()));
    if (strings_.empty())
      return std::make_shared<Source>(text_of(elements[0]), name_of(elements[1]), line);
    std::vector<std::string_view> pieces;
    std::vector<std::shared_ptr<std::string>> owners;
    for (const std::int64_t index : elements[0].toIntVector()) {
      owners.push_back(string(index));
      pieces.emplace_back(*owners.back());
    }
    return std::make_shared<Source>(
        torch::jit::StringCordView(std::move(pieces), std::move(owners)),
        *string(elements[1].toInt()), line);
  }

  const std::shared_ptr<std::string>& string(std::int64_t index) const {
    return strings_.at(static_cast<std::size_t>(index));
  }
  static std::string text_of(const c10::IValue& value) { return value.toStringRef(); }
  static std::optional<std::string> name_of(const c10::IValue& value) {
    if (value.isNone()) return std::nullopt;
    return value.toStringRef();
  }

  std::vector<std::shared_ptr<std::string>> strings_;
  std::unordered_map<const void*, SourcePointer> known_;
};

bool has_string_table(const c10::ivalue::TupleElements& elements) {
  return elements.size() == 3 && elements[0].isString() &&
         elements[0].toStringRef() == torch::jit::kFormatWithStringTable;
}

} // namespace

void DebugRanges::decode() {
  const c10::IValue table = torch::jit::unpickle(pickle_.data(), pickle_.size());
  const auto& elements = table.toTupleRef().elements();
  const bool strings = has_string_table(elements);
  Sources sources(strings ? &elements[1] : nullptr);
  const auto& records = strings ? elements[2].toTupleRef().elements() : elements;
  for (const c10::IValue& value : records) {
    const auto& record = value.toTupleRef().elements();
    const auto& range = record.at(torch::jit::kSourceRangeIndex).toTupleRef().elements();
    auto source = sources.decode(range.at(0));
    const auto start = static_cast<std::uint64_t>(range.at(1).toInt());
    const auto end = static_cast<std::uint64_t>(range.at(2).toInt());
    if (start > end || end > source->size()) continue;
    const auto offset = static_cast<std::uint64_t>(record.at(torch::jit::kByteOffsetIndex).toInt());
    records_.push_back(Record{offset, start, end, std::move(source)});
  }
  const auto earlier = [](const Record& a, const Record& b) { return a.offset < b.offset; };
  std::stable_sort(records_.begin(), records_.end(), earlier);
}

std::optional<torch::jit::SourceRange>
DebugRanges::findSourceRangeThatGenerated(const torch::jit::SourceRange& range) {
  std::call_once(decoded_, [this] {
    try {
      decode();
    } catch (const std::exception&) {
      records_.clear(); // a model without readable places is still a model
    }
    pickle_ = {};
  });
  const auto after = std::upper_bound(
      records_.begin(), records_.end(), range.start(),
      [](std::uint64_t offset, const Record& record) { return offset < record.offset; });
  if (after == records_.begin()) return std::nullopt;
  const Record& record = *(after - 1);
  return torch::jit::SourceRange(record.source, record.start, record.end);
}

} // namespace model_validator::torchscript
