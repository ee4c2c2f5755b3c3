#include "files/xml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace model_validator {
namespace {

constexpr std::size_t max_depth = 256;
constexpr std::size_t max_attributes = 256; ///< of one element
constexpr std::string_view spaces = " \t\r\n";
constexpr std::string_view ends_of_name = " \t\r\n/>=<\"'&";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

constexpr std::array<std::pair<std::string_view, char>, 5> entities{
    {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}}};

/// Only those of ASCII, which is all that writers of models escape.
std::optional<char> numbered_character(std::string_view number) {
  const bool is_hexadecimal = number.starts_with("x");
  if (is_hexadecimal) number.remove_prefix(1);
  std::uint32_t code = 0;
  const char* end = number.data() + number.size();
  const auto [stopped, failure] =
      std::from_chars(number.data(), end, code, is_hexadecimal ? 16 : 10);
  if (failure != std::errc() || stopped != end || code == 0 || code > 127) return std::nullopt;
  return static_cast<char>(code);
}

char character_of(std::string_view entity) {
  const auto known = std::ranges::find(entities, entity, [](const auto& row) { return row.first; });
  if (known != entities.end()) return known->second;
  const auto numbered =
      entity.starts_with("#") ? numbered_character(entity.substr(1)) : std::nullopt;
  if (!numbered)
    throw XmlError("uses the entity `&" + std::string(entity.substr(0, 20)) +
                   ";`, which no writer of models does");
  return *numbered;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find('&'), text.size());
    plain += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    const std::size_t end = text.find(';');
    if (end == std::string_view::npos) throw XmlError("has an `&` that begins no entity");
    plain += character_of(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
  }
  return plain;
}

} // namespace

const std::string* XmlTag::find(std::string_view attribute) const {
  const auto found =
      std::ranges::find(attributes, attribute, [](const auto& each) { return each.first; });
  return found == attributes.end() ? nullptr : &found->second;
}

XmlWalk::XmlWalk(std::string_view document) : size_(document.size()), rest_(document) {
  if (starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
}

std::optional<XmlTag> XmlWalk::next() {
  if (closing_) {
    const XmlTag tag{*closing_, false, open_.size()};
    closing_.reset();
    open_.pop_back();
    return tag;
  }
  while (true) {
    const std::size_t at = std::min(rest_.find('<'), rest_.size());
    if (open_.empty() && rest_.find_first_not_of(spaces) < at)
      throw XmlError("has text outside its elements");
    if (at == rest_.size()) {
      if (!open_.empty() || !had_root_) throw XmlCutOff();
      return std::nullopt;
    }
    rest_.remove_prefix(at);
    if (auto tag = read_tag()) return tag;
  }
}

/// Nothing for what is no tag.
std::optional<XmlTag> XmlWalk::read_tag() {
  constexpr std::string_view comment = "<!--", literal = "<![CDATA[";
  if (starts_with(comment))
    skip_behind("-->");
  else if (starts_with(literal))
    skip_behind("]]>");
  else if (starts_with("<?"))
    skip_behind("?>");
  else if (comment.starts_with(rest_) || literal.starts_with(rest_))
    throw XmlCutOff();
  else if (starts_with("<!"))
    throw XmlError("declares a document type, which no writer of models does");
  else if (starts_with("</"))
    return end_tag();
  else
    return begin_tag();
  return std::nullopt;
}

XmlTag XmlWalk::end_tag() {
  rest_.remove_prefix(2);
  const XmlTag tag{name(), false, open_.size()};
  skip_spaces();
  if (open_.empty() || open_.back() != tag.name || !starts_with(">"))
    throw XmlError("ends the element `" + std::string(tag.name.substr(0, 80)) +
                   "` where it is not open");
  rest_.remove_prefix(1);
  open_.pop_back();
  return tag;
}

void XmlWalk::read_attributes(XmlTag& tag) {
  for (skip_spaces(); !starts_with(">") && !starts_with("/>"); skip_spaces()) {
    if (rest_ == "/") throw XmlCutOff();
    auto read = attribute();
    if (tag.find(read.first) != nullptr)
      throw XmlError("gives the attribute `" + std::string(read.first) + "` twice");
    if (tag.attributes.size() == max_attributes) throw XmlError("has too many attributes");
    tag.attributes.push_back(std::move(read));
  }
}

XmlTag XmlWalk::begin_tag() {
  rest_.remove_prefix(1);
  if (open_.empty() && had_root_) throw XmlError("goes on behind its end");
  XmlTag tag{name(), true, open_.size() + 1};
  read_attributes(tag);
  if (tag.depth > max_depth) throw XmlError("nests elements too deeply");
  had_root_ = true;
  open_.push_back(tag.name);
  if (starts_with("/>")) closing_ = tag.name;
  rest_.remove_prefix(closing_ ? 2 : 1);
  return tag;
}

std::pair<std::string_view, std::string> XmlWalk::attribute() {
  const std::string_view key = name();
  skip_spaces();
  if (!starts_with("=")) throw XmlError("has an attribute without a value");
  rest_.remove_prefix(1);
  skip_spaces();
  return {key, value()};
}

std::string_view XmlWalk::name() {
  const std::size_t end = rest_.find_first_of(ends_of_name);
  if (end == std::string_view::npos) throw XmlCutOff();
  if (end == 0) throw XmlError("has a tag that is damaged");
  const std::string_view found = rest_.substr(0, end);
  rest_.remove_prefix(end);
  return found;
}

std::string XmlWalk::value() {
  if (!starts_with("\"") && !starts_with("'"))
    throw XmlError("has an attribute whose value is not quoted");
  const std::size_t end = rest_.find(rest_.front(), 1);
  if (end == std::string_view::npos) throw XmlCutOff();
  std::string found = unescaped(rest_.substr(1, end - 1));
  rest_.remove_prefix(end + 1);
  return found;
}

void XmlWalk::skip_behind(std::string_view mark) {
  const std::size_t at = rest_.find(mark);
  if (at == std::string_view::npos) throw XmlCutOff();
  rest_.remove_prefix(at + mark.size());
}

void XmlWalk::skip_spaces() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(spaces), rest_.size()));
  if (rest_.empty()) throw XmlCutOff();
}

} // namespace model_validator
