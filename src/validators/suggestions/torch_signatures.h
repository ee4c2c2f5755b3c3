#pragma once

#include "validators/suggestions/constructor_argument.h"

/// Signatures that classes of `torch.nn` share, one per family.
namespace model_validator::torch_signatures {

using Arguments = std::vector<ConstructorArgument>;

Arguments conv();
Arguments conv_transpose();
Arguments batch_norm();
Arguments instance_norm();
Arguments layer_norm();
Arguments rms_norm();
Arguments max_pool();
Arguments avg_pool_1d();
Arguments avg_pool();
Arguments lp_pool();
Arguments max_unpool();
Arguments fractional_max_pool();
Arguments adaptive_avg_pool();
Arguments adaptive_max_pool();
Arguments dropout();
Arguments padding();
Arguments constant_padding();
Arguments upsampling();
Arguments upsample();
Arguments recurrent(std::size_t gates);
Arguments lstm();
Arguments rnn();
Arguments cell(std::size_t gates);
Arguments rnn_cell();
Arguments embedding();
Arguments embedding_bag();
Arguments linear();
Arguments bilinear();
Arguments response_norm(std::string_view k);

} // namespace model_validator::torch_signatures
