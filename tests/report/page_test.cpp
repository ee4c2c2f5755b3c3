#include "report/page.h"
#include "sample.h"

#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <zlib.h>

using namespace model_validator;
using Catch::Contains;

namespace {

std::string from_base64(std::string text) {
  using namespace boost::archive::iterators;
  using Bytes = transform_width<binary_from_base64<const char*>, 8, 6>;
  text.erase(text.find_last_not_of('=') + 1);
  const std::size_t count = text.size() * 3 / 4;
  text.append(4, 'A');
  std::string bytes;
  Bytes next(text.data());
  for (std::size_t i = 0; i < count; ++i, ++next) bytes += *next;
  return bytes;
}

/// The document of a kind, as the page's script reads it.
std::string document(const std::string& page, const std::string& kind) {
  const std::string start = "data-kind=\"" + kind + "\"";
  const auto begin = page.find('>', page.find(start)) + 1;
  REQUIRE(page.find(start) != std::string::npos);
  const std::string packed = from_base64(page.substr(begin, page.find('<', begin) - begin));
  std::string text(1 << 20, '\0');
  uLongf size = text.size();
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                     reinterpret_cast<const Bytef*>(packed.data()), packed.size()) == Z_OK);
  text.resize(size);
  return text;
}

} // namespace

TEST_CASE("a document comes out of the page as it went in") {
  for (const std::size_t size : {0U, 1U, 2U, 3U, 1000U}) {
    std::ostringstream out;
    Page page(out);
    const std::string json(size, 'x');
    page.add("main", json);
    page.finish();
    CHECK(document(out.str(), "main") == json);
  }
}

TEST_CASE("the page holds the report as JSON, and what belongs to each model") {
  ModelReport report = test::report_with({test::reused("layer1.0.relu")});
  report.path = "</script><script>alert(1)</script>";
  report.documents.graph = "{\"schema\": \"model_validator-graph/1\"}";
  const std::string page = test::written("html", {report, report});
  CHECK(document(page, "main") == test::written("json", {report, report}));
  CHECK(document(page, "graph") == report.documents.graph);
  CHECK_THAT(page, Contains("data-kind=\"graph\" data-model=\"1\""));
  CHECK_THAT(page, !Contains("data-kind=\"inspect\" data-model"));
  CHECK_THAT(page, !Contains("alert(1)"));
}
