#pragma once

#include "files/process/worker_process.h"

namespace model_validator::process {

/// How much of what a worker writes to its standard streams is kept.
inline constexpr off_t room_for_streams = 65536;

/// The descriptors that the child of a fork gets.
struct WorkerEnds {
  pid_t parent = -1;
  int requests = -1; ///< where requests come from
  int result = -1;   ///< where its result goes
  int streams = -1;  ///< what its standard output and error become
};

/// A file in memory of 64 KiB, which cannot grow; -1 where there is none.
int streams_of_worker();

/// Does the work in the child of a fork, confined. Never returns: the child must not do what the
/// parent has left to do.
[[noreturn]] void run_worker_child(const std::function<std::string()>& work,
                                   const Confinement& confinement, const WorkerEnds& ends);

} // namespace model_validator::process
