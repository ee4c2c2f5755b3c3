#pragma once

namespace model_validator::verify {

/// How many times what other runs show a difference may be and still be explained by it.
struct NoiseLimits {
  double whole;   ///< root mean square over the output
  double group;   ///< over what lies at one index of an axis
  double element; ///< of one element
};

/// Every number that decides what other runs of the reference explain, and what it protects.
/// Records of real pairs hold each (tests/verify/command/judgements.txt).
struct Limits {
  /// An output of a copy in halves, or with weights in few bits. Honest float16 and bfloat16 copies
  /// of 12 small networks stay below 1.0, 2.2 and 6, with faults of 15 % in a layer from 1.2, 2.1
  /// and 14 on; weights in four bits below 1.2, 3.0 and 9.3, and from 1.1, 1.7 and 12. `same` of
  /// PyTorch's dynamo allows the whole 3.
  NoiseLimits stored{2, 3.5, 12};
  /// Where values are in few bits as well: calibration chooses ranges in more than one way.
  NoiseLimits calibrated{3, 5, 25};
  /// An output of equal precision that the plain rule does not pass: inputs and weights were moved
  /// by more than a compiler moves them.
  double whole_by_rounding = 8;
  double group_by_rounding = 16;
  /// An element that rounding moves more than those beside it: what one run moves by so much,
  /// another may move by a few times as much.
  double times_own_change = 4;
  /// An element among others that rounding moves. Other orders of summation and other algorithms:
  /// measured on real models, correct compilers stay well below this many times the noise of most
  /// elements.
  double times_noise_nearby = 16;
  /// An element of a reference that rounds to steps, and a whole number: whether a value lies
  /// beyond the edge of a step is rarely decided by the last rounding.
  double times_a_step = 2;
  /// The scale of an output of lower precision. Chance moves the mean of n errors by their
  /// deviation / √n; seldom by so many times that.
  double seldom = 5;
  /// A weight in few bits. Rounding leaves 0.29 of a step (root mean square), quantisers that look
  /// at activations twice that; a zero point that is off by one, 1.04.
  double steps_of_weight = 0.8;
  /// Its numbers that share a scale, as those of a block do: fewer vary more.
  double steps_of_group = 1.25;
  /// Its single numbers, by few steps.
  double steps_of_number = 8;
};

} // namespace model_validator::verify
