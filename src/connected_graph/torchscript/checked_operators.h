#pragma once

namespace model_validator::torchscript {

/// Sees to it, for this process and once, that LibTorch's operators on numbers and strings end as
/// errors where they would otherwise end the process by a signal, or never: integer division by
/// zero or of the smallest number by -1, types that do not exist, padding to any width, looking for
/// nothing.
void check_operators();

/// While it lives, LibTorch folds nothing on this thread but numbers: no operator that makes a
/// string, prints, or changes a setting of the process runs while it compiles the code of a file.
/// `s = s + s`, written forty times, is otherwise a string of a terabyte.
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
