// Runs a fuzzer without libFuzzer, on random decisions; a finding ends only a child process.
//   fuzzer FILE…                         runs these inputs
//   fuzzer --seconds N [--seed S] [--findings PREFIX] [--runs N]
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerInitialize(int*, char***);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t longest = 4096;
constexpr unsigned runs_of_a_process = 500;
constexpr unsigned max_wait = 600; ///< in seconds, for what neither computes nor ends

/// What a process that reads inputs shows to its parent.
struct Shown {
  std::uint64_t runs = 0;
  std::size_t size = 0;
  std::uint8_t bytes[longest] = {};
};

struct Plan {
  double seconds = 1e9;
  std::uint64_t runs = ~std::uint64_t{0};
  std::uint64_t seed = 1;
  std::string findings = "found-";
};

void decide(Shown& shown, std::mt19937_64& random) {
  shown.size = (std::size_t{1} << random() % 13) - random() % 2;
  for (std::size_t i = 0; i < shown.size; ++i) shown.bytes[i] = static_cast<std::uint8_t>(random());
}

[[noreturn]] void run_some(Shown& shown, std::uint64_t seed, std::uint64_t runs) {
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < runs_of_a_process && i < runs; ++i) {
    decide(shown, random);
    ::alarm(max_wait);
    LLVMFuzzerTestOneInput(shown.bytes, shown.size);
    ++shown.runs;
  }
  std::exit(0);
}

void keep(const Shown& shown, const Plan& plan, std::uint64_t number, int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const std::string path = plan.findings + std::to_string(plan.seed) + "-" + std::to_string(number);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(shown.bytes), static_cast<std::streamsize>(shown.size));
  std::fprintf(stderr, "fuzz: %s (signal %d, %zu bytes)\n", path.c_str(), signal, shown.size);
}

int run_plan(const Plan& plan) {
  void* memory =
      ::mmap(nullptr, sizeof(Shown), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Shown& shown = *new (memory) Shown;
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::uint64_t found = 0;
  for (std::uint64_t batch = 0; passed() < plan.seconds && shown.runs < plan.runs; ++batch) {
    const pid_t child = ::fork();
    if (child == 0) run_some(shown, plan.seed * 1'000'003 + batch, plan.runs - shown.runs);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status == 0) continue;
    keep(shown, plan, found++, status);
    ++shown.runs;
  }
  std::fprintf(stderr, "fuzz: %llu runs in %.0f s, %llu findings\n",
               static_cast<unsigned long long>(shown.runs), passed(),
               static_cast<unsigned long long>(found));
  return found == 0 ? 0 : 1;
}

int run_files(const std::vector<std::string>& files) {
  for (const std::string& name : files) {
    std::ifstream in(name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  std::vector<std::string> files;
  std::map<std::string, std::string> options;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--", 2) == 0 && i + 1 < argc)
      options[argv[i]] = argv[i + 1], ++i;
    else
      files.emplace_back(argv[i]);
  }
  if (!files.empty()) return run_files(files);
  Plan plan;
  if (options.contains("--seconds")) plan.seconds = std::stod(options["--seconds"]);
  if (options.contains("--runs")) plan.runs = std::stoull(options["--runs"]);
  if (options.contains("--seed")) plan.seed = std::stoull(options["--seed"]);
  if (options.contains("--findings")) plan.findings = options["--findings"];
  return run_plan(plan);
}
