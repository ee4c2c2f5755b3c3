#pragma once

#include <array>
#include <string_view>

namespace model_validator::verify {

/// How many times what other runs show a difference may be and still be explained by it.
struct NoiseLimits {
  double whole;   ///< root mean square over the output
  double group;   ///< over what lies at one index of an axis
  double element; ///< of one element
};

/// Every number that decides what other runs of the reference explain. `list_of_limits` says what
/// each protects, and records of real pairs hold it (tests/verify/command/judgements.txt).
struct Limits {
  /// Honest float16 and bfloat16 copies of 12 small networks stay below 1.0, 2.2 and 6, with faults
  /// of 15 % in a layer from 1.2, 2.1 and 14 on; weights in four bits below 1.2, 3.0 and 9.3, and
  /// from 1.1, 1.7 and 12. `same` of PyTorch's dynamo allows the whole 3.
  NoiseLimits stored{2, 3.5, 12};
  /// Where values are in few bits as well, calibration chooses ranges in more than one way.
  NoiseLimits calibrated{3, 5, 25};
  /// Where the rule for the output is not met: inputs and weights were moved by more than a
  /// compiler moves them.
  double whole_by_rounding = 8;
  double group_by_rounding = 16;
  /// An element that one run moves by so much, another may move by a few times as much.
  double times_own_change = 4;
  /// Other orders of summation and other algorithms: measured on real models, correct compilers
  /// stay well below this many times the noise of most elements.
  double times_noise_nearby = 16;
  /// Whether a value lies beyond the edge of a step is rarely decided by the last rounding.
  double times_a_step = 2;
  /// Chance moves the mean of n errors by their deviation / √n; seldom by so many times that.
  double seldom = 5;
  /// Rounding leaves 0.29 of a step (root mean square), quantisers that look at activations twice
  /// that; a zero point that is off by one, 1.04.
  double steps_of_weight = 0.8;
  /// Of numbers that share a scale, as those of a block do: fewer vary more.
  double steps_of_group = 1.25;
  /// And single numbers by few steps.
  double steps_of_number = 8;
};

/// What one of them protects.
struct Limit {
  std::string_view name;
  double& (*of)(Limits& limits);
  std::string_view protects;
};

inline constexpr std::array list_of_limits{
    Limit{"stored.whole", [](Limits& l) -> double& { return l.stored.whole; },
          "an output of a copy in halves, or with weights in few bits, as a whole"},
    Limit{"stored.group", [](Limits& l) -> double& { return l.stored.group; },
          "what lies at one index of an axis of it: a class, a position"},
    Limit{"stored.element", [](Limits& l) -> double& { return l.stored.element; },
          "one element of it"},
    Limit{"calibrated.whole", [](Limits& l) -> double& { return l.calibrated.whole; },
          "an output of a copy with values in few bits, as a whole"},
    Limit{"calibrated.group", [](Limits& l) -> double& { return l.calibrated.group; },
          "what lies at one index of an axis of it"},
    Limit{"calibrated.element", [](Limits& l) -> double& { return l.calibrated.element; },
          "one element of it"},
    Limit{"whole_by_rounding", [](Limits& l) -> double& { return l.whole_by_rounding; },
          "an output of equal precision beyond the plain rule, as a whole"},
    Limit{"group_by_rounding", [](Limits& l) -> double& { return l.group_by_rounding; },
          "what lies at one index of an axis of it"},
    Limit{"times_own_change", [](Limits& l) -> double& { return l.times_own_change; },
          "an element that rounding moves more than those beside it"},
    Limit{"times_noise_nearby", [](Limits& l) -> double& { return l.times_noise_nearby; },
          "an element among others that rounding moves"},
    Limit{"times_a_step", [](Limits& l) -> double& { return l.times_a_step; },
          "an element of a reference that rounds to steps, and a whole number"},
    Limit{"seldom", [](Limits& l) -> double& { return l.seldom; },
          "the scale of an output of lower precision"},
    Limit{"steps_of_weight", [](Limits& l) -> double& { return l.steps_of_weight; },
          "a weight in few bits"},
    Limit{"steps_of_group", [](Limits& l) -> double& { return l.steps_of_group; },
          "the numbers of such a weight that share a scale"},
    Limit{"steps_of_number", [](Limits& l) -> double& { return l.steps_of_number; },
          "a number of such a weight"},
};

} // namespace model_validator::verify
