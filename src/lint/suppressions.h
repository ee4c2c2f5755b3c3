#pragma once

#include "lint/inline_ignores.h"
#include "lint/settings.h"

#include <model_validator/lint.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace model_validator {

/// Applies what the configuration and the Python source suppress, over all models of a run, and
/// reports the suppressions that hide nothing or have expired (MET001).
class Suppressions {
public:
  /// @param today  ISO 8601
  explicit Suppressions(std::string today) : today_(std::move(today)) {}

  /// Must be called for every model of the run before the first is applied: a suppression of the
  /// configuration is judged with the last model that it may concern, and one in the source with
  /// the last model of the run.
  void expect(const std::string& model, const Settings& settings);

  void apply(const Settings& settings, const std::vector<InlineIgnore>& ignores,
             ModelReport& report);

  /// Sentences on comments that can hide nothing, where the rule that would report them is off.
  std::vector<std::string> take_untold() { return std::exchange(untold_, {}); }

private:
  struct Use {
    std::size_t hidden = 0;
    std::size_t models_to_come = 0;
  };
  /// An ignore of a line of Python, which several models of a run may be made from.
  struct InlineUse {
    bool used = false;
    std::optional<Diagnostic> unused; ///< what is reported where no model uses it
    std::string told;                 ///< where that rule is off
  };
  void apply_inline(const Settings& settings, std::vector<InlineIgnore> ignores,
                    ModelReport& report);
  /// Remembers what a part of a comment is good for: whether it hides something, and what is to be
  /// reported if it does so in no model. A fault of the comment itself is told where it cannot be
  /// reported.
  void note(const InlineIgnore& ignore, const std::string& what, const Settings& settings,
            std::optional<Diagnostic> fault, bool used = false);
  void judge_inline(ModelReport& report);
  bool expired(const SuppressionEntry& entry) const;
  void apply_entry(const SuppressionEntry& entry, const Settings& settings, ModelReport& report);
  void judge(const SuppressionEntry& entry, const Settings& settings, ModelReport& report);

  std::string today_;
  std::map<const SuppressionEntry*, Use> uses_;
  std::map<std::tuple<std::string, int, std::string>, InlineUse> inline_uses_;
  std::size_t unused_inline_ = 0;
  std::vector<std::string> untold_;
  std::uint64_t compared_ = 0; ///< characters of names, with patterns
  std::size_t models_to_come_ = 0;
};

/// Today's date where the program runs, ISO 8601.
std::string today();

} // namespace model_validator
