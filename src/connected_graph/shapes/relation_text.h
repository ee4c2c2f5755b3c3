#pragma once

#include <string_view>

namespace model_validator::shapes {

/// An operator, or several, with the names of their inputs; and, indented, their relations.
inline constexpr std::string_view relation_text = R"(
ai.onnx.ml::ArrayFeatureExtractor: x places
  least(places) >= 0
  greatest(places) < x[-1]
  size(places) > 0
ai.onnx.ml::CategoryMapper: x
  count(cats_int64s) == count(cats_strings)
ai.onnx.ml::DictVectorizer: x
  given(string_vocabulary) + given(int64_vocabulary) == 1
ai.onnx.ml::Imputer: x
  given(imputed_value_floats) + given(imputed_value_int64s) == 1
ai.onnx.ml::LabelEncoder: x
  given(keys_strings) + given(keys_int64s) + given(keys_floats) + given(keys_tensor) + given(classes_strings) == 1
  given(values_strings) + given(values_int64s) + given(values_floats) + given(values_tensor) + given(classes_strings) == 1
  count(keys_strings) + count(keys_int64s) + count(keys_floats) + count(keys_tensor) == count(values_strings) + count(values_int64s) + count(values_floats) + count(values_tensor)
ai.onnx.ml::LinearClassifier: x
  post_transform in NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT
  count(intercepts) > 0
  count(coefficients) % count(intercepts) == 0
  count(coefficients) >= count(intercepts) * x[-1]
  given(classlabels_ints) + given(classlabels_strings) <= 1
  count(intercepts) <= 2 or count(classlabels_ints) + count(classlabels_strings) == count(intercepts)
  count(intercepts) > 1 or given(classlabels_ints) + given(classlabels_strings) == 0 or count(classlabels_ints) + count(classlabels_strings) == 2
ai.onnx.ml::LinearRegressor: x
  post_transform in NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT
  given(coefficients) == 1
  count(coefficients) >= targets?1 * x[-1]
ai.onnx.ml::Normalizer: x
  norm in MAX L1 L2
  rank(x) <= 2
ai.onnx.ml::OneHotEncoder: x
  given(cats_int64s) + given(cats_strings) == 1
ai.onnx.ml::SVMClassifier ai.onnx.ml::SVMRegressor: x
  kernel_type in LINEAR POLY RBF SIGMOID
  post_transform in NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT
  given(rho) == 1
  given(kernel_params) == 1
  count(kernel_params) == 3
ai.onnx.ml::SVMClassifier: x
  given(classlabels_ints) + given(classlabels_strings) > 0
  count(prob_a) == count(prob_b)
  given(vectors_per_class) == 0 or count(classlabels_ints) + count(classlabels_strings) == count(vectors_per_class)
  count(coefficients) >= sum(vectors_per_class) * (count(vectors_per_class) - 1)
  count(support_vectors) % sum(vectors_per_class) == 0
  count(support_vectors) == sum(vectors_per_class) * x[-1]
ai.onnx.ml::SVMRegressor: x
  n_supports?0 == 0 or count(coefficients) >= n_supports
  n_supports?0 == 0 or count(support_vectors) % n_supports == 0
  n_supports?0 == 0 or count(support_vectors) == n_supports * x[-1]
  n_supports?0 > 0 or count(coefficients) == x[-1]
ai.onnx.ml::Scaler: x
  count(scale) > 0
  count(scale) == count(offset)
  rank(x) != 1 or count(scale) == 1 or x[0] == count(scale)
  rank(x) < 2 or count(scale) == 1 or x[1] == count(scale)
  rank(x) > 0
ai.onnx.ml::TreeEnsemble: x
  count(nodes_truenodeids) == count(nodes_featureids)
  count(nodes_falsenodeids) == count(nodes_featureids)
  count(nodes_trueleafs) == count(nodes_featureids)
  count(nodes_falseleafs) == count(nodes_featureids)
  count(nodes_splits) == count(nodes_featureids)
  count(nodes_modes) == count(nodes_featureids)
  count(leaf_targetids) == count(leaf_weights)
  greatest(leaf_targetids) < n_targets
  greatest(nodes_featureids) < x[-1]
  aggregate_function in 0 1 2 3
  post_transform in 0 1 2 3 4
ai.onnx.ml::TreeEnsembleClassifier ai.onnx.ml::TreeEnsembleRegressor: x
  count(nodes_treeids) == count(nodes_nodeids)
  count(nodes_featureids) == count(nodes_nodeids)
  count(nodes_modes) == count(nodes_nodeids)
  count(nodes_values) + count(nodes_values_as_tensor) == count(nodes_nodeids)
  count(nodes_truenodeids) == count(nodes_nodeids)
  count(nodes_falsenodeids) == count(nodes_nodeids)
  greatest(nodes_truenodeids) <= greatest(nodes_nodeids)
  greatest(nodes_falsenodeids) <= greatest(nodes_nodeids)
  least(nodes_truenodeids) >= 0
  least(nodes_falsenodeids) >= 0
  greatest(nodes_featureids) < x[-1]
  nodes_modes in LEAF BRANCH_LEQ BRANCH_LT BRANCH_GTE BRANCH_GT BRANCH_EQ BRANCH_NEQ BRANCH_MEMBER
  post_transform in NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT
ai.onnx.ml::TreeEnsembleClassifier: x
  given(classlabels_int64s) + given(classlabels_strings) == 1
  count(class_treeids) == count(class_ids)
  count(class_nodeids) == count(class_ids)
  count(class_weights) + count(class_weights_as_tensor) == count(class_ids)
  greatest(class_ids) < count(classlabels_int64s) + count(classlabels_strings)
  greatest(class_nodeids) <= greatest(nodes_nodeids)
  greatest(class_treeids) <= greatest(nodes_treeids)
  count(base_values) <= 2 or count(base_values) == count(classlabels_int64s) + count(classlabels_strings)
ai.onnx.ml::TreeEnsembleRegressor: x
  aggregate_function in SUM AVERAGE MIN MAX
  n_targets?0 > 0
  count(target_treeids) == count(target_ids)
  count(target_nodeids) == count(target_ids)
  count(target_weights) + count(target_weights_as_tensor) == count(target_ids)
  count(base_values) == 0 or count(base_values) == n_targets
  greatest(target_ids) < n_targets
  greatest(target_nodeids) <= greatest(nodes_nodeids)
  greatest(target_treeids) <= greatest(nodes_treeids)
ai.onnx.ml::ZipMap: x
  given(classlabels_int64s) + given(classlabels_strings) == 1
  x[-1] == count(classlabels_int64s) + count(classlabels_strings)
com.microsoft::Attention com.microsoft::QAttention: input weights bias
  given(qkv_hidden_sizes) == 1 or weights[1] % 3 == 0
  given(qkv_hidden_sizes) == 1 or weights[1] / 3 % num_heads == 0
com.microsoft::Attention: input weights bias mask past attention_bias
  rank(input) == 3
  rank(weights) == 2
  rank(bias) == 1
  given(qkv_hidden_sizes) == 0 or sum(qkv_hidden_sizes) == weights[1]
  given(qkv_hidden_sizes) == 0 or least(qkv_hidden_sizes) % num_heads == 0
  rank(mask) != 1 or mask[0] == input[0] or mask[0] == input[0] * 2 or mask[0] == input[0] * 3 + 2
  rank(mask) != 2 or mask[0] == input[0]
  rank(mask) != 2 or given(past) == 1 or mask[1] == 1 or mask[1] == input[1]
  rank(mask) != 2 or mask[1] == 1 or mask[1] == input[1] + past[3]
  rank(mask) != 3 or mask[1] == input[1]
  rank(mask) != 3 or given(past) == 1 or mask[2] == input[1]
  attention_bias[2] == input[1]
  given(past) == 1 or attention_bias[3] == input[1]
  past[0] == 2
  past[1] == input[0]
  past[2] == num_heads
  given(qkv_hidden_sizes) == 1 or past[4] == weights[1] / 3 / num_heads
com.microsoft::QAttention: input weights bias input_scale weight_scale mask input_zero_point weight_zero_point past
  size(input_scale) == 1
  size(weight_scale) == 1 or size(weight_scale) == weights[1]
  size(input_zero_point) == 1
  size(weight_zero_point) == size(weight_scale)
  rank(mask) != 2 or given(past) == 1 or mask[1] == 1 or mask[1] == input[1]
com.microsoft::MultiHeadAttention: query key value bias mask attention_bias past_key past_value
  rank(query) != 3 or query[2] % num_heads == 0
  rank(query) != 3 or rank(key) != 3 or key[2] == query[2]
  rank(query) != 3 or key[0] == query[0]
  rank(key) != 3 or rank(value) != 3 or value[1] == key[1]
  rank(value) != 3 or value[2] % num_heads == 0
  rank(key) != 4 or key[1] == num_heads
  rank(key) != 4 or key[3] == query[2] / num_heads
  rank(value) != 4 or value[1] == num_heads
  rank(value) != 3 or size(bias) == 2 * query[2] + value[2]
  rank(mask) != 1 or mask[0] == query[0] or mask[0] == 3 * query[0] + 2
  rank(mask) != 2 or mask[0] == query[0]
  rank(mask) != 2 or rank(key) != 3 or given(past_key) == 1 or mask[1] == key[1]
  rank(mask) != 2 or rank(key) != 3 or mask[1] == key[1] + past_key[2]
  rank(mask) != 3 or mask[1] == query[1]
  rank(mask) != 3 or rank(key) != 3 or given(past_key) == 1 or mask[2] == key[1]
  attention_bias[0] == 1 or attention_bias[0] == query[0]
  attention_bias[1] == 1 or attention_bias[1] == num_heads
  attention_bias[2] == query[1]
  rank(key) != 3 or given(past_key) == 1 or attention_bias[3] == key[1]
  rank(key) != 3 or attention_bias[3] == key[1] + past_key[2]
  past_key[0] == query[0]
  past_key[1] == num_heads
  past_value[1] == num_heads
  past_key[3] == query[2] / num_heads
  past_value[2] == past_key[2]
com.microsoft::GroupQueryAttention: query key value past_key past_value last total cosines sines
  num_heads % kv_num_heads == 0
  given(key) == 0 or query[2] % num_heads == 0
  given(key) == 1 or query[2] % (num_heads + 2 * kv_num_heads) == 0
  given(key) == given(value)
  key[1] == query[1]
  value[1] == query[1]
  value[2] == key[2]
  key[2] == query[2] / num_heads * kv_num_heads
  given(key) == 0 or query[2] / num_heads % 8 == 0
  given(key) == 1 or query[2] / (num_heads + 2 * kv_num_heads) % 8 == 0
  key[0] == query[0]
  value[0] == query[0]
  rank(past_key) == 4
  rank(past_value) == 4
  past_value[2] == past_key[2]
  given(key) == 0 or kv_cache_bit_width?8 == 4 or past_value[3] == query[2] / num_heads
  past_key[0] == query[0]
  past_key[1] == kv_num_heads
  past_value[1] == kv_num_heads
  given(key) == 0 or kv_cache_bit_width?8 == 4 or past_key[3] == query[2] / num_heads
  size(last) == query[0]
  size(total) == 1
  do_rotary?0 == 0 or given(cosines) + given(sines) == 2
  do_rotary?0 == 0 or given(key) == 0 or query[2] / num_heads % 16 == 0
  given(key) == 0 or cosines[1] <= query[2] / num_heads / 2
  sines[1] == cosines[1]
com.microsoft::RotaryEmbedding: input positions cosines sines
  rank(input) != 3 or num_heads?0 == 0 or input[2] % num_heads == 0
  rank(input) != 3 or num_heads?0 != 0 or input[2] % (cosines[1] * 2) == 0
  rank(input) != 3 or num_heads?0 == 0 or cosines[1] * 2 == rotary_embedding_dim?0 or cosines[1] == input[2] / num_heads / 2
  rank(input) != 4 or cosines[1] * 2 == rotary_embedding_dim?0 or cosines[1] == input[3] / 2
  rank(input) != 3 or input[1] <= cosines[0]
  rank(input) >= 3
  rotary_embedding_dim?0 == 0 or num_heads?0 > 0
  rank(positions) != 2 or positions[0] == input[0]
  rank(positions) != 2 or rank(input) != 3 or positions[1] == input[1]
  rank(positions) != 1 or positions[0] == 1
com.microsoft::SkipLayerNormalization com.microsoft::SkipSimplifiedLayerNormalization: input skip
  rank(input) >= 2
  rank(input) <= 3
  skip[-1] == input[-1]
  rank(input) != 3 or skip[-2] == input[-2]
com.microsoft::EmbedLayerNormalization: ids segments words positions segment_words gamma beta mask position_ids
  given(segments) == given(segment_words)
  positions[1] == words[1]
  segment_words[1] == words[1]
  gamma[0] == words[1]
  beta[0] == words[1]
  segments[1] == ids[1]
  mask[0] == ids[0]
  mask[1] == ids[1]
  position_ids[1] == ids[1]
  given(position_ids) == 1 or ids[1] <= positions[0]
com.microsoft::FusedConv: x weight bias sum
  activation in Relu Tanh Sigmoid LeakyRelu Clip HardSigmoid HardSwish
  activation in Relu Tanh Sigmoid Clip HardSigmoid HardSwish or count(activation_params) == 1
  activation in Relu Tanh Sigmoid LeakyRelu HardSwish or count(activation_params) == 2
  sum[1] == weight[0]
  sum[-1] == result[-1]
  sum[-2] == result[-2]
com.microsoft::CDist: a b
  metric in euclidean sqeuclidean
  a[1] == b[1]
com.microsoft::ExpandDims: x axis
  axis <= rank(x)
  axis >= 0 - rank(x) - 1
com.microsoft::FusedGemm: a b c
  given(activation) == 1
  activation in Relu LeakyRelu Elu HardSigmoid Sigmoid Softplus Softsign Tanh ParametricSoftplus ScaledTanh Selu ThresholdedRelu
  activation in Relu Sigmoid Softplus Softsign Tanh or given(activation_alpha) == 1
com.microsoft::GatherBlockQuantized: data indices scales zero_points
  block_size in 16 32 64 128 256 512 1024
com.microsoft::Inverse: x
  x[-1] == x[-2]
com.microsoft::MatMulNBits: a b scales zero_points groups bias
  block_size in 16 32 64 128 256
  bits in 2 4 8
  b[2] == block_size * bits?4 / 8
  size(scales) == N * ((K + block_size - 1) / block_size)
  size(zero_points) == N * ((K + block_size - 1) / block_size) or size(zero_points) == N * (((K + block_size - 1) / block_size * bits?4 + 7) / 8)
  size(bias) == N
  size(groups) == K or size(groups) == (K + block_size - 1) / block_size * block_size
com.microsoft::QLinearAdd com.microsoft::QLinearMul: a a_scale a_zero_point b b_scale b_zero_point c_scale c_zero_point
  rank(a_scale) == 0
  rank(a_zero_point) == 0
  rank(b_scale) == 0
  rank(b_zero_point) == 0
  rank(c_scale) == 0
  rank(c_zero_point) == 0
com.microsoft::NhwcMaxPool com.microsoft::QLinearAveragePool: x
  count(kernel_shape) == rank(x) - 2
com.microsoft::QLinearAveragePool: x x_scale x_zero_point y_scale y_zero_point
  rank(x_scale) == 0
  rank(x_zero_point) == 0
  rank(y_scale) == 0
  rank(y_zero_point) == 0
com.microsoft::QLinearGlobalAveragePool com.microsoft::QLinearLeakyRelu com.microsoft::QLinearSigmoid: x x_scale x_zero_point y_scale y_zero_point
  size(x_scale) == 1
  size(x_zero_point) == 1
  size(y_scale) == 1
  size(y_zero_point) == 1
com.microsoft::QLinearSoftmax: x x_scale
  size(x_scale) == 1
com.microsoft::QGemm: a a_scale a_zero_point b b_scale b_zero_point c y_scale y_zero_point
  size(a_scale) == 1
  size(a_zero_point) == 1
  size(b_zero_point) == size(b_scale)
  transB?0 == 1 or size(b_scale) == 1 or size(b_scale) == b[1]
  transB?0 == 0 or size(b_scale) == 1 or size(b_scale) == b[0]
  size(y_scale) == 1
com.microsoft::DynamicQuantizeMatMul: a b b_scale b_zero_point bias
  size(b_scale) == 1 or size(b_scale) == b[-1]
  size(b_zero_point) == 1 or size(b_zero_point) == b[-1]
  size(bias) == b[-1]
com.microsoft::MatMulIntegerToFloat: a b a_scale b_scale a_zero_point b_zero_point bias
  size(a_scale) == 1
  size(b_scale) == 1 or size(b_scale) == b[-1]
  size(a_zero_point) == 1
  size(b_zero_point) == 1 or size(b_zero_point) == b[-1]
  size(bias) == b[-1]
com.microsoft::Tokenizer: x
  mincharnum > 0
  rank(x) <= 2
onnx::Attention: query key value
  rank(query) != 3 or given(q_num_heads) == 1
  key[0] == query[0]
  value[0] == query[0]
  rank(key) != 3 or value[1] == key[1]
  rank(key) != 4 or value[1] == key[1]
  rank(key) != 4 or value[2] == key[2]
  rank(key) != 4 or query[1] % key[1] == 0
  rank(key) != 3 or given(kv_num_heads) == 1
  q_num_heads % kv_num_heads == 0
  rank(query) != 3 or query[2] % q_num_heads == 0
  rank(key) != 3 or key[2] % kv_num_heads == 0
  rank(query) != 3 or query[2] / q_num_heads == key[2] / kv_num_heads
onnx::CenterCropPad: x sizes
  rank(sizes) == 1
  given(axes) == 1 or size(sizes) == rank(x)
  given(axes) == 0 or size(sizes) == count(axes)
onnx::ConstantOfShape: sizes
  least(sizes) >= 0
onnx::ConvInteger: x weight x_zero_point weight_zero_point
  rank(x_zero_point) <= 1
  rank(weight_zero_point) <= 1
  size(x_zero_point) == 1
  size(weight_zero_point) == 1 or size(weight_zero_point) == weight[0]
onnx::ConvTranspose: x
  count(output_padding) == 0 or count(output_padding) == rank(x) - 2
  count(output_shape) == 0 or count(output_shape) == rank(x) - 2 or count(output_shape) == rank(x)
  least(output_shape) > 0
  least(output_padding) >= 0
onnx::DFT: x
  rank(x) >= 2
  x[-1] == 1 or x[-1] == 2
  axis?0 < rank(x) - 1
  axis?0 >= 0 - rank(x)
onnx::DequantizeLinear onnx::QuantizeLinear: x scale zero_point
  rank(scale) < 2 or zero_point[0] == scale[0]
  rank(scale) < 2 or zero_point[-1] == scale[-1]
onnx::GatherND: x indices
  rank(x) >= 1
  rank(indices) >= 1
onnx::GridSample onnx::GroupNormalization onnx::LRN: x
  rank(x) >= 2
onnx::GRU: x
  count(activations) == 0 or count(activations) >= 2
onnx::LSTM: x
  count(activations) == 0 or count(activations) >= 3
onnx::MatMulInteger: a b a_zero_point b_zero_point
  rank(a_zero_point) != 1 or a_zero_point[0] == 1 or a_zero_point[0] == a[-2]
  rank(b_zero_point) != 1 or b_zero_point[0] == 1 or b_zero_point[0] == b[-1]
onnx::MelWeightMatrix: bins length rate lower upper
  rank(bins) == 0
  rank(length) == 0
  rank(rate) == 0
  rank(lower) == 0
  rank(upper) == 0
onnx::NegativeLogLikelihoodLoss onnx::SoftmaxCrossEntropyLoss: x target weight
  rank(target) == rank(x) - 1
  target[0] == x[0]
  rank(x) < 3 or target[1] == x[2]
  rank(x) < 4 or target[2] == x[3]
  weight[0] == x[1]
onnx::NonMaxSuppression: boxes scores
  rank(boxes) == 3
  rank(scores) == 3
  boxes[2] == 4
onnx::OneHot: indices depth values
  depth > 0
  rank(values) == 1
onnx::Pad: x pads
  rank(pads) == 1 or pads[0] == 1
onnx::QLinearConv: x x_scale x_zero_point weight weight_scale weight_zero_point y_scale y_zero_point
  rank(x_scale) <= 1
  rank(x_zero_point) <= 1
  rank(weight_scale) <= 1
  rank(weight_zero_point) <= 1
  size(x_scale) == 1
  size(x_zero_point) == 1
  size(y_scale) == 1
  size(y_zero_point) == 1
  size(weight_scale) == 1 or size(weight_scale) == weight[0]
  size(weight_zero_point) == 1 or size(weight_zero_point) == weight[0]
onnx::QLinearMatMul: a a_scale a_zero_point b b_scale b_zero_point y_scale y_zero_point
  rank(b_scale) != 1 or b_scale[0] == 1 or b_scale[0] == b[-1]
  size(y_scale) == 1
  size(y_zero_point) == 1
onnx::QuantizeLinear: x scale
  block_size?0 > 0 or rank(scale) <= 1 or size(scale) == 1
onnx::Range: start limit delta
  delta != 0
onnx::ReverseSequence: x lengths
  rank(lengths) == 1
  batch_axis?1 != time_axis?0
onnx::RoiAlign: x rois indices
  mode in avg max
  rank(x) == 4
  rank(rois) == 2
  rank(indices) == 1
onnx::RotaryEmbedding: x cosines sines positions
  rotary_embedding_dim?0 % 2 == 0
  given(positions) == 0 or rank(cosines) == 2
  given(positions) == 0 or rank(sines) == 2
  given(positions) == 1 or rank(cosines) == 3
  given(positions) == 1 or cosines[0] == x[0]
  given(positions) == 1 or rank(x) != 3 or cosines[1] == x[1]
  given(positions) == 1 or rank(x) != 4 or cosines[1] == x[2]
  rank(positions) != 2 or positions[0] == x[0]
  rank(positions) != 2 or rank(x) != 3 or positions[1] == x[1]
  rank(positions) != 2 or rank(x) != 4 or positions[1] == x[2]
  rotary_embedding_dim?0 == 0 or cosines[-1] == rotary_embedding_dim / 2
  rotary_embedding_dim?0 > 0 or rank(x) != 4 or cosines[-1] == x[3] / 2
  rotary_embedding_dim?0 > 0 or rank(x) != 3 or cosines[-1] == x[2] / num_heads / 2
  sines[-1] == cosines[-1]
onnx::STFT: signal step window length
  rank(window) == 1
  step > 0
  window[0] == length
onnx::Slice: x starts ends axes steps
  size(steps) == size(starts)
onnx::Split: x parts
  least(parts) >= 0
onnx::StringNormalizer: x
  case_change_action in LOWER UPPER NONE
  rank(x) != 2 or x[0] == 1
  rank(x) <= 2
  rank(x) >= 1
onnx::TfIdfVectorizer: x
  mode in TF IDF TFIDF
  count(weights) == 0 or count(weights) == count(ngram_indexes)
  given(pool_strings) + given(pool_int64s) == 1
onnx::Tile: x repeats
  rank(repeats) == 1
  least(repeats) >= 0
onnx::TopK: x k
  k >= 0
onnx::Upsample: x scales
  size(scales) == rank(x)
)";

} // namespace model_validator::shapes
