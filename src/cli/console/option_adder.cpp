#include "cli/console/option_adder.h"

#include "text/nearest.h"

#include <model_validator/error.h>

#include <CLI/CLI.hpp>

#include <charconv>
#include <iomanip>
#include <map>
#include <sstream>

namespace model_validator::cli {
namespace {

/// `reused-modules=error`, of several.
std::map<std::string, std::string> table_of(const Option& option,
                                            const std::vector<std::string>& texts) {
  std::map<std::string, std::string> table;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || !option.takes(text.substr(equals + 1)))
      throw Error(ErrorKind::usage, "",
                  "`--" + option.name + " " + text + "` is not a rule and its severity",
                  "write `--" + option.name + " RULE=error`, or warning, info, off");
    table.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return table;
}

template <class T, class Set> CLI::Option* add(CLI::App& app, const Option& option, Set set) {
  return app.add_option_function<T>("--" + option.name, std::move(set), option.help)
      ->type_name(option.value);
}

/// CLI11 takes `-1` for the largest number that there is.
CLI::Validator whole_number() {
  return {[](const std::string& text) {
            std::uint64_t number = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, number);
            return read.ec == std::errc{} && read.ptr == end
                       ? std::string()
                       : "`" + text + "` is not a whole number of at least 0";
          },
          ""};
}

/// Its own words name the nearest; its description is that of CLI11, which completion reads.
CLI::Validator one_of_the_words(const Option& option) {
  return {[option](const std::string& text) {
            return option.takes(text)
                       ? std::string()
                       : "`" + text + "` is not known: " + rules::suggestion(text, option.words);
          },
          CLI::IsMember(option.words).get_description()};
}

/// CLI11's own check takes `nan` for a number of any range.
template <class Bound> void bound(CLI::Option& added, const Option& option) {
  if (!option.bounds) return;
  const auto [least, greatest] = *option.bounds;
  std::ostringstream range;
  range << std::setprecision(15) << least << " to " << greatest;
  added.check(CLI::Validator(
      [option, range = range.str()](const std::string& text) {
        double number = 0;
        const bool taken = CLI::detail::lexical_cast(text, number) && option.takes(number);
        return taken ? std::string() : "`" + text + "` is not a number from " + range;
      },
      CLI::Range(static_cast<Bound>(least), static_cast<Bound>(greatest)).get_description()));
}

CLI::Option* add_texts(CLI::App& app, const Option& option,
                       const std::function<void(const std::vector<std::string>&)>& set) {
  auto* added = add<std::vector<std::string>>(app, option, set)->allow_extra_args(false);
  return option.lists == Option::Lists::one_each ? added : added->delimiter(',');
}

} // namespace

void OptionAdder::visit(const Option& option, OptionKind kind, bool /*path*/,
                        const std::string& default_text, Set set) {
  CLI::Option* added = nullptr;
  switch (kind) {
  case OptionKind::flag:
    added = app_.add_flag_callback(
        "--" + option.name, [set] { set(true); }, option.help);
    break;
  case OptionKind::whole_number:
    added = add<std::uint64_t>(app_, option, set);
    if (!option.bounds) added->check(whole_number());
    bound<int>(*added, option);
    break;
  case OptionKind::number:
    added = add<double>(app_, option, set);
    bound<double>(*added, option);
    break;
  case OptionKind::text:
    added = add<std::string>(app_, option, set);
    if (!option.words.empty()) added->check(one_of_the_words(option));
    break;
  case OptionKind::texts: added = add_texts(app_, option, set); break;
  case OptionKind::table:
    added = add_texts(app_, option, [set, option](const std::vector<std::string>& texts) {
      set(table_of(option, texts));
    });
    break;
  }
  if (!option.alone.empty()) added->expected(0, 1)->default_str(option.alone);
  if (!default_text.empty()) added->default_str(default_text);
  added->group(group_);
}

} // namespace model_validator::cli
