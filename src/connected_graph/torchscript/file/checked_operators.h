#pragma once

namespace model_validator::torchscript {

/// Makes LibTorch's operators on numbers and strings, once per process, raise errors where they
/// would otherwise kill the process with a signal or never return: integer division by zero or of
/// the smallest number by -1, types that do not exist, padding to any width, searching for an empty
/// string.
void check_operators();

/// The same for numbers of dtypes, layouts and memory formats, which index tables, and for sizes
/// that kernels do not compare with those of the tensors. It replaces operators that Python
/// dispatches on, so it is not for a process that belongs to others.
void check_arguments();

/// Makes LibTorch, from now on, fill the memory of new tensors with zeros: `torch.empty` would show
/// the code of a file what the process held there before.
void fill_new_memory();

/// While it lives, LibTorch folds nothing on this thread but numbers: no operator that makes a
/// string, prints, or changes a setting of the process runs while it compiles the code of a file.
/// `s = s + s`, written forty times, would otherwise make a string of a terabyte.
class FoldNumbersOnly {
public:
  FoldNumbersOnly();
  ~FoldNumbersOnly();
  FoldNumbersOnly(const FoldNumbersOnly&) = delete;
  FoldNumbersOnly& operator=(const FoldNumbersOnly&) = delete;

private:
  bool outer_;
};

} // namespace model_validator::torchscript
