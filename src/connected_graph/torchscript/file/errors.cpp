#include "connected_graph/torchscript/file/errors.h"

#include "connected_graph/out_of_memory.h"
#include "text/cpp_places.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <cctype>
#include <new>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t max_sentence_length = 240;

std::string_view message_of(const std::exception& thrown) {
  if (const auto* error = dynamic_cast<const c10::Error*>(&thrown))
    return error->what_without_backtrace();
  return thrown.what();
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n:.") - first + 1);
}

/// Up to the end of the first line, or the first full stop that ends a sentence.
std::string first_sentence(std::string_view text) {
  text = trimmed(text);
  text = text.substr(0, text.find('\n'));
  text = text.substr(0, text.find(". "));
  std::string sentence(trimmed(text).substr(0, max_sentence_length));
  std::replace_if(
      sentence.begin(), sentence.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  if (sentence.size() > 1 && std::islower(static_cast<unsigned char>(sentence[1])) != 0)
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

/// What follows the last `mark` in a text; the text itself where it holds none.
std::string_view after(std::string_view text, std::string_view mark) {
  const auto at = text.rfind(mark);
  return at == std::string_view::npos ? text : text.substr(at + mark.size());
}

/// The word after `label`; empty where the label is missing.
std::string word_after(std::string_view text, std::string_view label) {
  const auto at = text.find(label);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + label.size());
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  text.remove_prefix(first);
  return std::string(trimmed(text.substr(0, text.find_first_of(" \t\n,'"))));
}

Error unknown_operator(const std::string& name, const std::filesystem::path& file) {
  return {ErrorKind::unknown_operator, file.string(),
          "operator `" + name +
              "` is known neither to LibTorch nor to the operator tables in rules/operators",
          "name the library that registers it, `--op-library lib.so`, or add its schema to a table "
          "in rules/operators"};
}

Error unknown_class(const std::string& name, const std::filesystem::path& file) {
  if (name.starts_with("xnnpack."))
    return {ErrorKind::unknown_class, file.string(),
            "class `" + name + "` is known only to LibTorch for mobile devices",
            "`optimize_for_mobile` makes such files: save the module before that as well, and "
            "check that file"};
  return {ErrorKind::unknown_class, file.string(),
          "custom class `" + name + "` is not known to LibTorch",
          "name the library that registers it: `--op-library lib.so`"};
}

Error constant_without_value(const std::filesystem::path& file) {
  return {ErrorKind::unreadable_torchscript, file.string(),
          "LibTorch cannot read it: a constant of its code has no value",
          "`torch.jit.optimize_for_inference` makes such files: save the module before that, and "
          "optimize it where it is loaded"};
}

} // namespace

std::string without_assertion(std::string_view message) {
  if (message.find("INTERNAL ASSERT FAILED") != std::string_view::npos) {
    constexpr std::string_view request = "please report a bug to PyTorch.";
    const std::string_view reason =
        message.find(request) == std::string_view::npos ? "" : trimmed(after(message, request));
    return reason.empty() ? "something is there that it does not expect" : std::string(reason);
  }
  constexpr std::string_view frame = "[enforce fail at ";
  if (const auto at = message.find(frame); at != std::string_view::npos) {
    std::string_view reason = message.substr(at);
    reason.remove_prefix(std::min(reason.find(']'), reason.size() - 1) + 1);
    reason.remove_prefix(std::min(reason.find_first_not_of(" ."), reason.size()));
    return reason.empty() ? "something is there that it does not expect" : std::string(reason);
  }
  return without_cpp_places(message);
}

Error as_error(const std::exception& thrown, const std::filesystem::path& file) {
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr)
    return out_of_memory(file.string(), "memory ran out while reading the file");
  const std::string_view message = message_of(thrown);
  if (auto name = word_after(message, "Unknown builtin op:"); !name.empty())
    return unknown_operator(name, file);
  if (const auto at = message.find("__torch__.torch.classes."); at != std::string_view::npos)
    return unknown_class(word_after(message, "__torch__.torch.classes."), file);
  if (message.find("required keyword attribute 'value' is undefined") != std::string_view::npos)
    return constant_without_value(file);
  const std::string sentence = first_sentence(without_assertion(message));
  return {ErrorKind::unreadable_torchscript, file.string(),
          sentence.empty() ? "LibTorch cannot read it" : "LibTorch cannot read it: " + sentence,
          "the file may be damaged: copy or download it again, or export the model again"};
}

} // namespace model_validator::torchscript
