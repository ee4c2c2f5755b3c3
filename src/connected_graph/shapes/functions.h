#pragma once

#include "connected_graph/shapes/inference.h"

// What operators make of the shapes that they are given. A function covers operators that do the
// same to shapes; `function_table.cpp` says which.

namespace model_validator::shapes::functions {

/// Works out the outputs of one operator.
using Function = void(Inference&);

// elementwise.cpp
Function same_as_first, along_axis, clip, dropout, identity, cast, negation, broadcasting, where,
    parametric_relu, dynamic_quantize, quantise, quantised_pair, quantised_where, biased;

// products.cpp
Function matmul, quantised_matmul, fused_matmul, gemm, quantised_gemm, matmul_of_packed_bits,
    einsum, determinant;

// windows.cpp
Function convolution, integer_convolution, quantised_convolution, transposed_convolution, pooling,
    deformable_convolution, causal_convolution, unpooling, global_pooling, regions_of_interest,
    image_of_columns;

// sizes_of.cpp
Function shape_of, size_of, range, constant_of_shape, non_zero, boxes, random_of_shape, one_hot,
    multinomial, one_number, decoded_image, no_tensor;

// reshaping.cpp
Function reshape, flatten, squeeze, unsqueeze, transpose, expand, tile, depth_to_space,
    space_to_depth;

// cutting.cpp
Function concat, quantised_concat, split, slice, pad, resize, upsample, center_crop_pad;

// indexing.cpp
Function gather, gather_elements, gather_nd, scatter_elements, scatter_nd, compress, unique, top_k,
    reverse_sequence;

// sampling.cpp
Function grid_sample, affine_grid;

// signals.cpp
Function fourier_transform, short_time_fourier_transform, window_of_size, mel_weights;

// reductions.cpp
Function reduction, arg_reduction, cumulative, loss;

// norms.cpp
Function batch_norm, instance_norm, group_norm, layer_norm, skip_layer_norm, embed_layer_norm;

// recurrent.cpp
Function lstm, gru, rnn;

// attention.cpp
Function attention, linear_attention, rotary_embedding, packed_attention, multi_head_attention,
    group_query_attention;

// sequences.cpp
Function make_sequence, insert_into_sequence, erase_from_sequence, take_from_sequence,
    length_of_sequence, split_to_sequence, concat_sequence;

// texts.cpp
Function split_texts, normalise_texts, count_sequences;

} // namespace model_validator::shapes::functions
