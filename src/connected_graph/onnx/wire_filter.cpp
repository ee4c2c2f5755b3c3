#include "connected_graph/onnx/wire_filter.h"

#include <model_validator/error.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace model_validator::onnx_format {
namespace {

/// ONNX messages that may contain tensors.
enum class Message { model, graph, function, node, attribute, sparse_tensor, tensor, other };

enum WireType : std::uint32_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

constexpr std::uint64_t max_protobuf_size = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t max_structure_size = std::size_t{1} << 30;
constexpr int deepest = 90;
/// Longer values than these are weights, not settings.
constexpr std::uint64_t max_inline_values = 4096;
constexpr std::size_t window_bytes = 64 * 1024;

/// Reads a file forwards through a small window, and skips without reading.
class WindowReader {
public:
  explicit WindowReader(const InputFile& file) : file_(file) {}

  std::uint64_t position() const noexcept { return position_; }
  std::uint64_t size() const noexcept { return file_.size(); }
  void skip(std::uint64_t count) noexcept { position_ += count; }

  /// @throws Error (`damaged-onnx`) at the end of the file
  std::uint8_t byte();
  std::uint64_t varint();
  void append(std::uint64_t count, std::string& to);
  [[noreturn]] void fail(const std::string& what) const;

private:
  const InputFile& file_;
  std::uint64_t position_ = 0;
  std::uint64_t window_start_ = 0;
  std::string window_;
};

void WindowReader::fail(const std::string& what) const {
  throw Error(ErrorKind::damaged_onnx, file_.path().string(),
              "the file is not a complete ONNX model: " + what,
              "export the model again, or fetch the file again");
}

std::uint8_t WindowReader::byte() {
  if (position_ < window_start_ || position_ - window_start_ >= window_.size()) {
    window_start_ = position_;
    window_ = position_ < size() ? file_.read_at(position_, window_bytes) : std::string{};
    if (window_.empty()) fail("it ends in the middle of a field");
  }
  return static_cast<std::uint8_t>(window_[position_++ - window_start_]);
}

std::uint64_t WindowReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    value |= static_cast<std::uint64_t>(next & 0x7Fu) << shift;
    if ((next & 0x80u) == 0) return value;
  }
  fail("a number in it is longer than any number may be");
}

void WindowReader::append(std::uint64_t count, std::string& to) {
  if (position_ > size() || count > size() - position_) fail("a field reaches beyond its end");
  while (count > 0) {
    to += static_cast<char>(byte());
    --count;
    const std::uint64_t at_hand = std::min<std::uint64_t>(
        count, window_.size() - static_cast<std::size_t>(position_ - window_start_));
    to.append(window_, static_cast<std::size_t>(position_ - window_start_),
              static_cast<std::size_t>(at_hand));
    position_ += at_hand;
    count -= at_hand;
  }
}

/// A field of one message that holds another, numbered as in onnx.proto.
struct MessageField {
  Message parent;
  std::uint32_t number;
  Message kind;
};

constexpr auto message_fields = std::to_array<MessageField>({
    {Message::model, 7, Message::graph},
    {Message::model, 25, Message::function},
    {Message::graph, 1, Message::node},
    {Message::graph, 5, Message::tensor},
    {Message::graph, 15, Message::sparse_tensor},
    {Message::function, 7, Message::node},
    {Message::function, 11, Message::attribute},
    {Message::node, 5, Message::attribute},
    {Message::attribute, 5, Message::tensor},
    {Message::attribute, 6, Message::graph},
    {Message::attribute, 10, Message::tensor},
    {Message::attribute, 11, Message::graph},
    {Message::attribute, 22, Message::sparse_tensor},
    {Message::attribute, 23, Message::sparse_tensor},
    {Message::sparse_tensor, 1, Message::tensor},
    {Message::sparse_tensor, 2, Message::tensor},
});

Message kind_of(Message parent, std::uint32_t field) {
  const auto* found =
      std::find_if(message_fields.begin(), message_fields.end(), [&](const MessageField& each) {
        return each.parent == parent && each.number == field;
      });
  return found == message_fields.end() ? Message::other : found->kind;
}

/// The fields of each message that onnx.proto gives one value, as bits. Parsers take the last of
/// several, or join them, and no writer writes two.
std::uint64_t single_fields_of(Message message) {
  const auto bits = [](std::initializer_list<unsigned> numbers) {
    std::uint64_t set = 0;
    for (const unsigned number : numbers) set |= std::uint64_t{1} << number;
    return set;
  };
  switch (message) {
  case Message::model: return bits({1, 2, 3, 4, 5, 6, 7});
  case Message::graph: return bits({2, 10});
  case Message::function: return bits({1, 8, 10, 13});
  case Message::node: return bits({3, 4, 6, 7, 8});
  case Message::attribute: return bits({1, 2, 3, 4, 5, 6, 13, 14, 20, 21, 22});
  case Message::sparse_tensor: return bits({1, 2});
  case Message::tensor: return bits({2, 3, 8, 9, 12, 14});
  case Message::other: break;
  }
  return 0;
}

bool is_training_info(Message parent, std::uint32_t field) {
  return parent == Message::model && field == 20;
}

/// Whether it is `raw_data`, or a long array of numbers.
bool holds_tensor_data(Message parent, std::uint32_t field, std::uint64_t size) {
  if (parent != Message::tensor) return false;
  if (field == 9) return true;
  const bool numbers = field == 4 || field == 5 || field == 7 || field == 10 || field == 11;
  return numbers && size > max_inline_values;
}

void append_varint(std::uint64_t value, std::string& to) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>((value & 0x7F) | 0x80);
  to += static_cast<char>(value);
}

void append_index(std::uint64_t value, std::string& to) {
  for (int i = 0; i < 8; ++i) to += static_cast<char>((value >> (8 * i)) & 0xFF);
}

class Filter {
public:
  explicit Filter(const InputFile& file) : file_(file), reader_(file) {}

  FilteredModel run() {
    filter(Message::model, reader_.size(), 0, model_.bytes);
    return std::move(model_);
  }

private:
  void filter(Message message, std::uint64_t end, int depth, std::string& to) {
    if (depth > deepest) reader_.fail("its subgraphs are nested too deeply");
    std::string places;
    Seen seen{single_fields_of(message), 0};
    while (reader_.position() < end) copy_field(message, seen, end, depth, to, places);
    if (reader_.position() != end) reader_.fail("a field reaches beyond the message around it");
    if (!places.empty()) append_field((9u << 3) | WireType::bytes, places, to);
    if (to.size() > max_structure_size)
      throw Error(ErrorKind::too_large, file_.path().string(),
                  "the model takes more than 1 GiB even without its weights",
                  "do not trust this file; if it is yours, export a part of the model");
  }

  /// Which fields of a message may occur once, and which of these did.
  struct Seen {
    std::uint64_t single;
    std::uint64_t found;
  };

  void require_first(std::uint32_t field, Seen& seen) const {
    const std::uint64_t bit = field < 64 ? std::uint64_t{1} << field : 0;
    if ((seen.single & seen.found & bit) != 0)
      reader_.fail("a field in it is given twice, of which runtimes choose one");
    seen.found |= bit;
  }

  void copy_field(Message message, Seen& seen, std::uint64_t end, int depth, std::string& to,
                  std::string& places) {
    const std::uint64_t key = reader_.varint();
    if (key > std::numeric_limits<std::uint32_t>::max())
      reader_.fail("it holds a field of an unknown kind");
    const auto field = static_cast<std::uint32_t>(key >> 3);
    require_first(field, seen);
    switch (key & 7u) {
    case WireType::varint:
      append_varint(key, to);
      append_varint(reader_.varint(), to);
      return;
    case WireType::fixed64: return copy_fixed(key, 8, to);
    case WireType::fixed32: return copy_fixed(key, 4, to);
    case WireType::bytes: break;
    default: reader_.fail("it holds a field of an unknown kind");
    }
    const std::uint64_t size = reader_.varint();
    if (reader_.position() > end || size > end - reader_.position())
      reader_.fail("a field reaches beyond the message around it");
    if (is_training_info(message, field)) return reader_.skip(size);
    if (holds_tensor_data(message, field, size)) {
      append_index(model_.tensor_data.size(), places);
      model_.tensor_data.push_back({reader_.position(), size});
      model_.fields.push_back(field);
      return reader_.skip(size);
    }
    std::string content;
    const Message kind = kind_of(message, field);
    if (kind == Message::other)
      copy_bytes(size, content);
    else
      filter(kind, reader_.position() + size, depth + 1, content);
    append_field(key, content, to);
  }

  void copy_bytes(std::uint64_t size, std::string& content) {
    if (size > max_structure_size) reader_.fail("a string in it is larger than 1 GiB");
    reader_.append(size, content);
  }

  void copy_fixed(std::uint64_t key, std::uint64_t size, std::string& to) {
    append_varint(key, to);
    reader_.append(size, to);
  }

  static void append_field(std::uint64_t key, const std::string& content, std::string& to) {
    append_varint(key, to);
    append_varint(content.size(), to);
    to += content;
  }

  const InputFile& file_;
  WindowReader reader_;
  FilteredModel model_;
};

} // namespace

FilteredModel without_tensor_data(const InputFile& file) {
  if (file.size() > max_protobuf_size)
    throw Error(ErrorKind::too_large, file.path().string(),
                "the file is larger than 2 GiB, which no ONNX file can be",
                "save the model with external data: its weights are then stored next to it");
  return Filter(file).run();
}

namespace {

std::vector<std::size_t> indices_in(const std::string& raw_data) {
  std::vector<std::size_t> indices;
  for (std::size_t at = 0; at + 8 <= raw_data.size(); at += 8) {
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < 8; ++i)
      index |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(raw_data[at + i])) << (8 * i);
    indices.push_back(index);
  }
  return indices;
}

} // namespace

std::vector<ByteSpan> spans_of(const std::string& raw_data, const std::vector<ByteSpan>& all) {
  std::vector<ByteSpan> spans;
  for (const std::size_t index : indices_in(raw_data)) spans.push_back(all.at(index));
  return spans;
}

std::vector<std::uint32_t> FilteredModel::fields_of(const std::string& raw_data) const {
  std::vector<std::uint32_t> found;
  for (const std::size_t index : indices_in(raw_data)) found.push_back(fields.at(index));
  return found;
}

} // namespace model_validator::onnx_format
