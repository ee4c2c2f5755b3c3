#include "verify/report/charts.h"

#include <boost/property_tree/xml_parser.hpp>
#include <catch2/catch.hpp>

#include <cmath>
#include <sstream>

using namespace model_validator::verify;

namespace {

boost::property_tree::ptree parsed(const std::string& svg) {
  std::istringstream text(svg);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(text, tree);
  return tree.get_child("svg");
}

double attribute(const boost::property_tree::ptree& node, const std::string& name) {
  return node.get<double>("<xmlattr>." + name);
}

/// Every shape lies within the picture.
void check_inside(const boost::property_tree::ptree& svg, double width, double height) {
  for (const auto& [tag, node] : svg) {
    if (tag != "rect" && tag != "circle") continue;
    const double x = attribute(node, tag == "rect" ? "x" : "cx");
    const double y = attribute(node, tag == "rect" ? "y" : "cy");
    CHECK((x >= 0 && x <= width));
    CHECK((y >= 0 && y <= height));
    if (tag == "rect") CHECK(x + attribute(node, "width") <= width);
  }
}

OpComparison op(double error) { return {"add", "add", "", "", error, 1e-4, {}, false, ""}; }

} // namespace

TEST_CASE("every bin that counts something is a bar, and equal elements one more") {
  Histogram histogram;
  histogram.exact = 5;
  histogram.counts[100] = 1;
  histogram.counts[130] = 100000;
  const auto svg = parsed(histogram_chart(histogram, 1e-4, "errors of <x>"));
  CHECK(svg.count("rect") == 3);
  CHECK(svg.get<std::string>("<xmlattr>.aria-label") == "errors of <x>");
  check_inside(svg, 640, 240);
}

TEST_CASE("histograms of nothing, of one bin and of all bins are drawn") {
  Histogram histogram;
  CHECK(parsed(histogram_chart(histogram, {}, "")).count("rect") == 0);
  histogram.counts[0] = 1;
  CHECK(parsed(histogram_chart(histogram, {}, "")).count("rect") == 1);
  histogram.counts.fill(7);
  const auto full = parsed(histogram_chart(histogram, 1e300, ""));
  CHECK(full.count("rect") == 256);
  check_inside(full, 640, 240);
}

TEST_CASE("every op is a point, and those beyond their tolerance are marked") {
  std::vector<OpComparison> ops{op(1e-7), op(0), op(1e-2), op(NAN), op(INFINITY), op(1e30)};
  ops[2].first_divergent = true;
  const auto svg = parsed(op_chart(ops));
  CHECK(svg.count("circle") == 6);
  int beyond = 0;
  for (const auto& [tag, node] : svg)
    if (tag == "circle") beyond += node.get<std::string>("<xmlattr>.class") == "point beyond";
  CHECK(beyond == 4);
  check_inside(svg, 960, 320);
}

TEST_CASE("one op and no op are drawn") {
  CHECK(parsed(op_chart({op(1e-5)})).count("circle") == 1);
  CHECK(parsed(op_chart({})).count("circle") == 0);
}
