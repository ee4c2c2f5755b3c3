#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace model_validator {

/// What is wrong with a document, as a sentence about it: `nests elements too deeply`.
class XmlError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};
/// It ends before its root does.
class XmlCutOff : public XmlError {
public:
  XmlCutOff() : XmlError("is cut off") {}
};

/// The beginning of an element or, without attributes, its end.
struct XmlTag {
  std::string_view name;
  bool begins = true;
  std::size_t depth = 0; ///< of the root: 1
  std::vector<std::pair<std::string_view, std::string>> attributes = {};

  /// The value of an attribute; none where the element does not have it.
  const std::string* find(std::string_view attribute) const;
};

/// Walks through the elements of a document in UTF-8; text between them is stepped over. What files
/// of models do not use is refused: a document type, and so every entity that it would define, and
/// an attribute that is given twice.
class XmlWalk {
public:
  /// @param document  outlives the walk and its tags
  explicit XmlWalk(std::string_view document);

  /// The next tag; none behind the end of the root. @throws XmlError
  std::optional<XmlTag> next();
  /// Behind the last tag, in bytes of the document.
  std::size_t position() const { return size_ - rest_.size(); }

private:
  std::optional<XmlTag> read_tag();
  XmlTag end_tag();
  void read_attributes(XmlTag& tag);
  XmlTag begin_tag();
  std::pair<std::string_view, std::string> attribute();
  std::string_view name();
  std::string value();
  void skip_behind(std::string_view mark);
  void skip_spaces();
  bool starts_with(std::string_view text) const { return rest_.substr(0, text.size()) == text; }

  std::size_t size_;
  std::string_view rest_;
  std::vector<std::string_view> open_;
  std::optional<std::string_view> closing_; ///< an element without contents, which ends at once
  bool had_root_ = false;
};

} // namespace model_validator
