#include "sample_report.h"

#include <model_validator/verify/render.h>

#include <boost/property_tree/xml_parser.hpp>
#include <catch2/catch.hpp>

#include <sstream>

using namespace model_validator::verify;

namespace {

boost::property_tree::ptree suite_of(const VerifyReport& report) {
  std::istringstream text(render_junit(report));
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(text, tree);
  return tree.get_child("testsuites.testsuite");
}

} // namespace

TEST_CASE("every output is a test case") {
  const auto suite = suite_of(sample::same_report());
  CHECK(suite.get<int>("<xmlattr>.tests") == 2);
  CHECK(suite.get<int>("<xmlattr>.failures") == 0);
  CHECK(suite.count("testcase") == 2);
}

TEST_CASE("failures and errors are counted and worded") {
  const auto suite = suite_of(sample::different_report());
  CHECK(suite.get<int>("<xmlattr>.failures") == 3);
  CHECK(suite.get<int>("<xmlattr>.errors") == 1);
  CHECK(suite.get<int>("<xmlattr>.tests") == 5);
  const auto& logits = suite.get_child("testcase");
  CHECK(logits.get<std::string>("<xmlattr>.name") == "logits");
  CHECK_THAT(logits.get<std::string>("failure.<xmlattr>.message"), Catch::Contains("NaN or Inf"));
}

TEST_CASE("what XML cannot hold becomes visible, and what it reads as markup is text") {
  VerifyReport report = sample::different_report();
  report.reference = "a<b> & \"c\" 'd'\x01";
  const auto suite = suite_of(report);
  CHECK(suite.get<std::string>("testcase.<xmlattr>.classname") == "a<b> & \"c\" 'd'\\x01");
}
