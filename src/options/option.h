#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace model_validator {

/// The least and the greatest value of a number.
struct Bounds {
  double least = 0;
  double greatest = 0;
};

/// What an option is called and what it means, wherever it is given: as `--max-memory` on the
/// command line, as `max_memory` in a call, as `max-memory` in a configuration file. Its type is
/// that of the variable that it sets, and its default what that holds.
///
/// The options of a request are described once, by a function that shows each of them with its
/// variable to a visitor: one adds them to a command, one reads them of a call, one of a file.
struct Option {
  enum class Lists : bool { of_commas, one_each };

  std::string name;
  std::string value; ///< stands for it in the help: `MB`; empty for a flag
  std::string help;
  std::vector<std::string> words = {}; ///< the only values that it takes; empty: any
  std::optional<Bounds> bounds = {};   ///< of a number
  Lists lists = Lists::of_commas;      ///< how the items of a list are given to a command
  std::string call = {};               ///< its name in a call, where that is another
  std::string alone = {};              ///< its value where it is given without one; empty: none

  /// Its name in a configuration file.
  const std::string& key() const { return call.empty() ? name : call; }
  std::string call_name() const {
    std::string own = call.empty() ? name : call;
    std::replace(own.begin(), own.end(), '-', '_');
    return own;
  }
  bool takes(const std::string& word) const {
    return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
  }
  bool takes(double number) const {
    return !bounds || (bounds->least <= number && number <= bounds->greatest);
  }
};

/// What is given for an option, in the order of `OptionKind`.
using Given = std::variant<bool, std::uint64_t, double, std::string, std::vector<std::string>,
                           std::map<std::string, std::string>>;
enum class OptionKind : std::uint8_t { flag, whole_number, number, text, texts, table };

/// How variables of a type are given. Types that are written as a word have a function
/// `read_word(const std::string&, T&)`.
template <class T> struct OptionType {
  static constexpr OptionKind kind = OptionKind::text;
  static void set(T& variable, const Given& given) {
    read_word(std::get<std::string>(given), variable);
  }
};
template <> struct OptionType<bool> {
  static constexpr OptionKind kind = OptionKind::flag;
  static void set(bool& variable, const Given& given) { variable = std::get<bool>(given); }
};
template <std::integral T> struct OptionType<T> {
  static constexpr OptionKind kind = OptionKind::whole_number;
  static void set(T& variable, const Given& given) {
    variable = static_cast<T>(std::get<std::uint64_t>(given));
  }
};
template <> struct OptionType<double> {
  static constexpr OptionKind kind = OptionKind::number;
  static void set(double& variable, const Given& given) { variable = std::get<double>(given); }
};
template <class T>
requires std::is_same_v<T, std::string> || std::is_same_v<T, std::filesystem::path>
struct OptionType<T> {
  static constexpr OptionKind kind = OptionKind::text;
  static void set(T& variable, const Given& given) { variable = std::get<std::string>(given); }
};
template <class T> struct OptionType<std::vector<T>> {
  static constexpr OptionKind kind = OptionKind::texts;
  static void set(std::vector<T>& variable, const Given& given) {
    const auto& texts = std::get<std::vector<std::string>>(given);
    variable.assign(texts.begin(), texts.end());
  }
};
template <class T> struct OptionType<std::map<std::string, T>> {
  static constexpr OptionKind kind = OptionKind::table;
  static void set(std::map<std::string, T>& variable, const Given& given) {
    for (const auto& [key, word] : std::get<std::map<std::string, std::string>>(given))
      OptionType<T>::set(variable[key], word);
  }
};
template <class T> struct OptionType<std::optional<T>> {
  static constexpr OptionKind kind = OptionType<T>::kind;
  static void set(std::optional<T>& variable, const Given& given) {
    OptionType<T>::set(variable.emplace(), given);
  }
};

/// A visitor of options that need not know the types of their variables.
class OptionVisitor {
public:
  virtual ~OptionVisitor() = default;

  /// The heading of the options that follow, where there are headings.
  virtual void group(const std::string& /*heading*/) {}

  template <class T> void option(const Option& option, T& variable) {
    std::string default_text; // of what always has a value
    if constexpr (std::integral<T> && !std::is_same_v<T, bool>)
      default_text = std::to_string(variable);
    if constexpr (std::is_same_v<T, std::string>) default_text = variable;
    visit(option, OptionType<T>::kind, is_path(&variable), default_text,
          [&variable](const Given& given) { OptionType<T>::set(variable, given); });
  }

protected:
  using Set = std::function<void(const Given&)>;
  /// @param default_text  its default as text; empty where there is none
  /// @param set  may be called as long as the variable is there
  virtual void visit(const Option& option, OptionKind kind, bool path,
                     const std::string& default_text, Set set) = 0;

private:
  template <class T> static constexpr bool is_path(const T*) {
    return std::is_same_v<T, std::filesystem::path>;
  }
  template <class T> static constexpr bool is_path(const std::optional<T>*) {
    return is_path(static_cast<const T*>(nullptr));
  }
  template <class T> static constexpr bool is_path(const std::vector<T>*) {
    return is_path(static_cast<const T*>(nullptr));
  }
};

} // namespace model_validator
