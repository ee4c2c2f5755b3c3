#include "report/quantise_plan_report.h"
#include "requests/model_request.h"

#include <model_validator/quantise_plan.h>

namespace model_validator {
namespace {

/// What a quantiser will make of a model, as text.
class QuantisePlanRequest final : public ModelRequest {
public:
  void describe(OptionVisitor& visitor, Asked) override {
    visitor.option({"target", "NAME", "the quantiser; see `targets`"}, name_);
    visitor.option({"scheme", "SCHEME",
                    "how numbers are stored: int8, int8-per-channel, int4:g128, fp16, as far as "
                    "the quantiser has it"},
                   scheme_name_);
  }

  void prepare() override {
    target_ = load_target(name_);
    scheme_ = find_scheme(target_, scheme_name_);
  }

  void run(Findings& found) const override {
    const ConnectedGraph graph = read_graph(models.front().path, read);
    const QuantisePlan plan = plan_quantisation(graph, target_, scheme_);
    if (format == "json")
      write_quantise_plan_json(found.output, graph, plan);
    else
      write_quantise_plan_text(found.output, graph, plan, style);
  }

private:
  std::string name_ = "onnxruntime-quantize";
  std::string scheme_name_ = "int8";
  TargetProfile target_; ///< with its rules
  QuantisationScheme scheme_;
};

} // namespace

std::unique_ptr<ModelRequest> make_quantise_plan_request() {
  return std::make_unique<QuantisePlanRequest>();
}

} // namespace model_validator
