#include "connected_graph/torchscript/file/debug_ranges.h"

#include "files/pickle.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace model_validator::torchscript {
namespace {

using pickle::Document;
using pickle::Index;
using pickle::Kind;
using pickle::Value;
using torch::jit::Source;
using SourcePointer = std::shared_ptr<Source>;

Index item_index(const Document& document, const Value& value, std::size_t position) {
  const auto items = document.items(value);
  if (position >= items.size()) throw std::out_of_range("a debug table misses a field");
  return items[position];
}

const Value& item(const Document& document, const Value& value, std::size_t position) {
  return document[item_index(document, value, position)];
}

std::uint64_t natural(const Value& value) {
  if (value.kind != Kind::integer || value.integer < 0)
    throw std::out_of_range("a debug table holds something else in place of a number");
  return static_cast<std::uint64_t>(value.integer);
}

/// The list that `torch.jit._pickle.build_intlist` was called with.
const Value& plain_list(const Document& document, const Value& value) {
  return value.kind == Kind::call ? item(document, item(document, value, 1), 0) : value;
}

// Lines of Python are stored once and occur in many sources: in real models the sources take thirty
// times the bytes of their table.
constexpr std::size_t free_text = std::size_t{1} << 20U;
constexpr std::size_t max_text_ratio = 100;

/// Decodes the sources of one table, each once. The table either carries every line of Python once,
/// in a table of strings that the sources refer to, or (older files) the text itself.
class Sources {
public:
  Sources(const Document& document, const Value* strings)
      : document_(document), left_(free_text + max_text_ratio * document.bytes) {
    if (strings == nullptr) return;
    for (const Index index : document.items(*strings))
      strings_.push_back(std::make_shared<std::string>(Document::text(document[index])));
  }

  SourcePointer decode(Index index) {
    auto& source = known_[index];
    if (!source) source = make(document_[index]);
    return source;
  }

private:
  SourcePointer make(const Value& value) {
    const auto line = static_cast<std::size_t>(natural(item(document_, value, 2)));
    const Value& name = item(document_, value, 1);
    if (strings_.empty()) {
      charge(Document::text(item(document_, value, 0)));
      charge(Document::text(name));
      return std::make_shared<Source>(Document::text(item(document_, value, 0)),
                                      std::string(Document::text(name)), line);
    }
    charge(*string(name));
    std::vector<std::string_view> pieces;
    std::vector<std::shared_ptr<std::string>> owners;
    for (const Index index : document_.items(plain_list(document_, item(document_, value, 0)))) {
      owners.push_back(string(document_[index]));
      charge(*owners.back());
      pieces.emplace_back(*owners.back());
    }
    return std::make_shared<Source>(
        torch::jit::StringCordView(std::move(pieces), std::move(owners)), *string(name), line);
  }

  /// A source also keeps where its lines begin.
  void charge(std::string_view piece) {
    const auto lines = static_cast<std::size_t>(std::count(piece.begin(), piece.end(), '\n'));
    const std::size_t bytes = piece.size() + sizeof(std::size_t) * (lines + 4);
    if (bytes > left_) throw std::out_of_range("the sources of a debug table are longer than it");
    left_ -= bytes;
  }

  const std::shared_ptr<std::string>& string(const Value& index) const {
    return strings_.at(natural(index));
  }

  const Document& document_;
  std::size_t left_; ///< bytes that sources may still use
  std::vector<std::shared_ptr<std::string>> strings_;
  std::unordered_map<Index, SourcePointer> known_;
};

bool has_string_table(const Document& document, const Value& table) {
  return document.items(table).size() == 3 &&
         Document::text(item(document, table, 0)) == torch::jit::kFormatWithStringTable;
}

} // namespace

void DebugRanges::decode() {
  const Document document = pickle::parse(pickle_);
  if (!document.complete) return;
  const Value& table = document[document.root];
  const bool strings = has_string_table(document, table);
  Sources sources(document, strings ? &item(document, table, 1) : nullptr);
  const Value& records = strings ? item(document, table, 2) : table;
  for (const Index index : document.items(records)) {
    const Value& record = document[index];
    const Value& range = item(document, record, torch::jit::kSourceRangeIndex);
    auto source = sources.decode(item_index(document, range, 0));
    const std::uint64_t start = natural(item(document, range, 1));
    const std::uint64_t end = natural(item(document, range, 2));
    if (start > end || end > source->size()) continue;
    const std::uint64_t offset = natural(item(document, record, torch::jit::kByteOffsetIndex));
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
    } catch (const std::out_of_range&) {
      records_.clear(); // a model without readable locations is still a model
    }
    pickle_ = {};
  });
  const auto after = std::upper_bound(
      records_.begin(), records_.end(), range.start(),
      [](std::uint64_t offset, const Record& record) { return offset < record.offset; });
  if (after == records_.begin()) return std::nullopt;
  // A called function is a constant, which has no place; that of the call begins behind its name.
  const bool names_callee =
      (after - 1)->source->size() == 0 && after != records_.end() && after->offset == range.end();
  const Record& record = names_callee ? *after : *(after - 1);
  return torch::jit::SourceRange(record.source, record.start, record.end);
}

} // namespace model_validator::torchscript
