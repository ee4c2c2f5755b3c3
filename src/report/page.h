#pragma once

#include <iosfwd>
#include <optional>
#include <string_view>

namespace model_validator {

/// A page for people: one HTML file that needs nothing but itself. It shows documents, which are
/// JSON as the commands print it, compressed; the script in it (the folder `page/`) draws them. No
/// text of a model stands in it as it is.
class Page {
public:
  /// Begins the page.
  explicit Page(std::ostream& out);
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  /// @param kind  `main`: what the page is about; `graph`, `inspect`, `sources`: what belongs to it
  /// @param model  which of several models it is about
  void add(std::string_view kind, std::string_view json, std::optional<std::size_t> model = {});
  void finish();

private:
  std::ostream& out_;
};

} // namespace model_validator
