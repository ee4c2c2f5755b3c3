#include "report/page.h"

#include "report/page_shell.h"

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>
#include <zlib.h>

namespace model_validator {
namespace {

constexpr std::string_view gap = "<!--documents-->";

std::string deflated(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(),
                Z_BEST_COMPRESSION) != Z_OK)
    throw std::runtime_error("a document of the page could not be compressed");
  bytes.resize(size);
  return bytes;
}

void write_base64(std::ostream& out, const std::string& bytes) {
  using namespace boost::archive::iterators;
  using Letters = base64_from_binary<transform_width<const char*, 6, 8>>;
  std::copy(Letters(bytes.data()), Letters(bytes.data() + bytes.size()),
            std::ostreambuf_iterator<char>(out));
  out << std::string((3 - bytes.size() % 3) % 3, '=');
}

} // namespace

Page::Page(std::ostream& out) : out_(out) {
  out_ << page_shell().substr(0, page_shell().find(gap));
}

void Page::add(std::string_view kind, std::string_view json, std::optional<std::size_t> model) {
  out_ << "<script type=\"text/plain\" data-kind=\"" << kind << '"';
  if (model) out_ << " data-model=\"" << *model << '"';
  out_ << '>';
  write_base64(out_, deflated(json));
  out_ << "</script>\n";
}

void Page::finish() { out_ << page_shell().substr(page_shell().find(gap) + gap.size()); }

} // namespace model_validator
