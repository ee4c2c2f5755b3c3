#include "verify/reduce/failure.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace model_validator::verify {
namespace {

template <class Take> void each_word(const std::string& text, const Take& take) {
  constexpr std::size_t least = 3;
  std::string word;
  for (const char letter : text + " ") {
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    else if (word.size() >= least)
      take(std::exchange(word, {}));
    else
      word.clear();
  }
}

} // namespace

Failure::Failure(Answer answer, std::string message, const OnnxOutline& outline,
                 std::optional<AskedRuntime> other)
    : answer_(answer), message_(std::move(message)), other_(std::move(other)) {
  const auto note = [&](std::string word) { own_names_.insert(std::move(word)); };
  for (const OnnxNode& node : outline.nodes) {
    each_word(node.name, note);
    for (const auto* names : {&node.reads, &node.yields})
      for (const std::string& name : *names) each_word(name, note);
  }
  // An operator's name is what is said, not who says it.
  for (const OnnxNode& node : outline.nodes)
    each_word(node.type, [&](const std::string& word) { own_names_.erase(word); });
  words_ = words_of(message_);
}

std::set<std::string> Failure::words_of(const std::string& message) const {
  std::set<std::string> words;
  each_word(message, [&](std::string word) {
    if (!own_names_.contains(word)) words.insert(std::move(word));
  });
  return words;
}

bool Failure::is_like(const Attempt& other) const {
  if (other.answer != answer_) return false;
  if (answer_ == Answer::differs || answer_ == Answer::hung) return true;
  const auto others = words_of(other.message);
  const auto common = static_cast<std::size_t>(std::ranges::count_if(
      words_, [&](const std::string& word) { return others.contains(word); }));
  return 2 * common >= words_.size() + others.size() - common;
}

} // namespace model_validator::verify
