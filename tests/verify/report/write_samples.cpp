// Writes sample reports in every format into a folder, for tests that look at them from outside.
#include "sample_report.h"

#include <model_validator/verify/render.h>

#include <filesystem>
#include <fstream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  sample::VerifyReport same = sample::same_report();
  same.sample_names = {"padding on the left"};
  for (const auto& [name, report] :
       {std::pair{"same", same}, std::pair{"different", sample::different_report()},
        std::pair{"quantised", sample::quantised_report()},
        std::pair{"empty", sample::VerifyReport{}}}) {
    const std::string graph =
        std::string(name) == "quantised" ? sample::quantised_graph() : std::string();
    std::ofstream(folder / (std::string(name) + ".html")) << sample::render_html(report, graph);
    std::ofstream(folder / (std::string(name) + ".json")) << sample::render_json(report);
    std::ofstream(folder / (std::string(name) + ".txt")) << sample::render_text(report);
  }
}
