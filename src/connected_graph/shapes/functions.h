#pragma once

#include "connected_graph/shapes/inference.h"

// What operators make of the shapes that they are given. A function covers operators that do the
// same to shapes; `function_table.cpp` says which.

namespace model_validator::shapes::functions {

// elementwise.cpp
void same_as_first(Inference&);
void along_axis(Inference&);
void clip(Inference&);
void dropout(Inference&);
void identity(Inference&);
void cast(Inference&);
void rounding(Inference&);
void negation(Inference&);
void broadcasting(Inference&);
void where(Inference&);
void parametric_relu(Inference&);
void dynamic_quantize(Inference&);
void quantise(Inference&);
void quantised_pair(Inference&);
void quantised_where(Inference&);
void biased(Inference&);

// products.cpp
void matmul(Inference&);
void quantised_matmul(Inference&);
void fused_matmul(Inference&);
void gemm(Inference&);
void quantised_gemm(Inference&);
void matmul_of_packed_bits(Inference&);
void einsum(Inference&);
void determinant(Inference&);

// windows.cpp
void convolution(Inference&);
void integer_convolution(Inference&);
void quantised_convolution(Inference&);
void transposed_convolution(Inference&);
void pooling(Inference&);
void unpooling(Inference&);
void global_pooling(Inference&);
void regions_of_interest(Inference&);
void image_of_columns(Inference&);

// sizes_of.cpp
void shape_of(Inference&);
void size_of(Inference&);
void range(Inference&);
void constant_of_shape(Inference&);
void non_zero(Inference&);
void boxes(Inference&);
void random_of_shape(Inference&);
void one_hot(Inference&);

// reshaping.cpp
void reshape(Inference&);
void flatten(Inference&);
void squeeze(Inference&);
void unsqueeze(Inference&);
void transpose(Inference&);
void expand(Inference&);
void tile(Inference&);
void depth_to_space(Inference&);
void space_to_depth(Inference&);

// cutting.cpp
void concat(Inference&);
void quantised_concat(Inference&);
void split(Inference&);
void slice(Inference&);
void pad(Inference&);
void resize(Inference&);
void upsample(Inference&);

// indexing.cpp
void gather(Inference&);
void gather_elements(Inference&);
void gather_nd(Inference&);
void scatter_elements(Inference&);
void scatter_nd(Inference&);
void compress(Inference&);
void top_k(Inference&);
void reverse_sequence(Inference&);

// sampling.cpp
void grid_sample(Inference&);
void affine_grid(Inference&);

// signals.cpp
void fourier_transform(Inference&);
void short_time_fourier_transform(Inference&);
void window_of_size(Inference&);
void mel_weights(Inference&);

// reductions.cpp
void reduction(Inference&);
void arg_reduction(Inference&);

// norms.cpp
void batch_norm(Inference&);
void instance_norm(Inference&);
void group_norm(Inference&);
void layer_norm(Inference&);
void skip_layer_norm(Inference&);
void embed_layer_norm(Inference&);

// recurrent.cpp
void lstm(Inference&);
void gru(Inference&);
void rnn(Inference&);

// attention.cpp
void attention(Inference&);
void rotary_embedding(Inference&);
void packed_attention(Inference&);
void multi_head_attention(Inference&);
void group_query_attention(Inference&);

} // namespace model_validator::shapes::functions
