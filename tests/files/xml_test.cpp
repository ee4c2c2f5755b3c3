#include "files/xml.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace model_validator;

namespace {

/// `+` for each beginning, `-` for each end, and attributes.
std::string walked(const std::string& document) {
  XmlWalk walk(document);
  std::string text;
  while (const auto tag = walk.next()) {
    text += (tag->begins ? "+" : "-") + std::string(tag->name) + std::to_string(tag->depth);
    for (const auto& [name, value] : tag->attributes) text += " " + std::string(name) + "=" + value;
    text += ";";
  }
  return text;
}

std::string wrong(const std::string& document) {
  try {
    walked(document);
  } catch (const XmlError& error) {
    return error.what();
  }
  return "nothing";
}

bool is_cut_off(const std::string& document) {
  try {
    walked(document);
  } catch (const XmlCutOff&) {
    return true;
  } catch (const XmlError&) {
    return false;
  }
  return false;
}

std::string nested(std::size_t depth) {
  std::string document;
  for (std::size_t i = 0; i < depth; ++i) document += "<a>";
  for (std::size_t i = 0; i < depth; ++i) document += "</a>";
  return document;
}

std::string with_attributes(int count) {
  std::string document = "<a";
  for (int i = 0; i < count; ++i) document += " x" + std::to_string(i) + "=''";
  return document + "/>";
}

} // namespace

TEST_CASE("the elements of a document are met in order") {
  CHECK(walked("<?xml version=\"1.0\"?>\n<net><a x=\"1\" y = '2' /><b>text</b></net>\n") ==
        "+net1;+a2 x=1 y=2;-a2;+b2;-b2;-net1;");
  CHECK(walked("\xef\xbb\xbf<net></net >") == "+net1;-net1;");
  CHECK(walked("<net><!-- <a> --><![CDATA[<b>]]></net>") == "+net1;-net1;");
}

TEST_CASE("characters that are escaped are read as they are meant") {
  CHECK(walked("<a x='&lt;&amp;&gt;&quot;&apos;&#65;&#x42;'/>") == "+a1 x=<&>\"'AB;-a1;");
}

TEST_CASE("what a file of a model has no use for is refused") {
  CHECK(wrong("<!DOCTYPE a [<!ENTITY b 'x'>]><a>&b;</a>").starts_with("declares a document type"));
  CHECK(wrong("<a x='&b;'/>").starts_with("uses the entity `&b;`"));
  CHECK(wrong("<a x='&#0;'/>").starts_with("uses the entity"));
  CHECK(wrong("<a x='&#300;'/>").starts_with("uses the entity"));
  CHECK(wrong("<a x='&lt'/>") == "has an `&` that begins no entity");
  CHECK(wrong("<a x='1' x='2'/>") == "gives the attribute `x` twice");
  CHECK(wrong("<a><b></a></b>") == "ends the element `a` where it is not open");
  CHECK(wrong("<a/><b/>") == "goes on behind its end");
  CHECK(wrong("text <a/>") == "has text outside its elements");
  CHECK(wrong("<a x/>") == "has an attribute without a value");
  CHECK(wrong("<a x=1/>") == "has an attribute whose value is not quoted");
}

TEST_CASE("nesting and attributes have limits") {
  CHECK(wrong(nested(256)) == "nothing");
  CHECK(wrong(nested(257)) == "nests elements too deeply");
  CHECK(wrong(with_attributes(256)) == "nothing");
  CHECK(wrong(with_attributes(257)) == "has too many attributes");
}

TEST_CASE("a document that is cut off anywhere says so") {
  const std::string whole = "<net version=\"11\"><!-- c --><a x='1'/></net>";
  REQUIRE(wrong(whole) == "nothing");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(whole.substr(0, size));
    CHECK(is_cut_off(whole.substr(0, size)));
  }
}
