"""pnnx and ncnn: a program for CPUs and GPUs of phones. pnnx writes with each network how it is called, which is how it is called here."""
from probe.runtime import Runtime

PROGRAM = r"""
import importlib.util, re, subprocess
import ncnn
COMMAND = os.path.join(os.path.dirname(importlib.util.find_spec("pnnx").origin), "pnnx")
NO_MATTER = r"^\d{4}-\S+ [\d:.]+ |\[\w:onnxruntime:[^\]]*\] |^\w+ \.\.\. +|node with name '[^']*'|/project/onnxruntime\S+ [^(|]*\([^()]*\)( const)? "
def reasons(text):
    lines = [re.sub(NO_MATTER, "", each).strip() for each in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines() if "cpuinfo" not in each]
    found = [each for each in lines if re.search("[Nn]ot |[Uu]nsupport|[Uu]nknown|[Ee]rror|[Ff]ail|[Ii]nvalid|terminate|what()", each)]
    return " | ".join(dict.fromkeys(found))
def load(path):
    stem = path.removesuffix(".onnx")
    for suffix in (".ncnn.param", ".ncnn.bin", "_ncnn.py"):
        if os.path.exists(stem + suffix):
            os.remove(stem + suffix)
    done = subprocess.run([COMMAND, path, "fp16=0"], capture_output=True, text=True, errors="replace", cwd=os.path.dirname(path))
    said = reasons(done.stdout + done.stderr)
    if done.returncode or not os.path.exists(stem + "_ncnn.py"):
        raise Refused(said or f"pnnx ends with {done.returncode}")
    net = ncnn.Net()
    net.opt.use_vulkan_compute, net.opt.num_threads = False, 1
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = net.opt.use_bf16_storage = False
    with Words() as words:
        failed = net.load_param(stem + ".ncnn.param") or net.load_model(stem + ".ncnn.bin")
    if failed:
        raise Refused(reasons(words.text) or said or "load_param fails")
    with open(stem + "_ncnn.py") as file:
        program = file.read()
    graph = onnx.load(path).graph
    names = [v.name for v in graph.input if v.name not in {t.name for t in graph.initializer}]
    fed = re.findall(r'ex.input\("in(\d+)", .*batch_index=(\d+)', program)
    taken = re.findall(r"(\w+)\.numpy\(batch_index=(\d+)\)\)", program)
    return net, names, fed, taken, [len(v.type.tensor_type.shape.dim) for v in graph.output], said
def load_plain(path): pass
def given(value):
    if isinstance(value, list) or value.dtype.name not in ("float32", "float64", "float16", "int64", "int32", "int16", "int8", "uint8"):
        raise NotAsked
    return numpy.ascontiguousarray(value.astype({"float64": "float32", "float16": "float32", "int64": "int32"}.get(value.dtype.name, value.dtype)))
def run(loaded, inputs):
    net, names, fed, taken, ranks, said = loaded
    results = []
    with net.create_extractor() as extractor:
        for number, batch in fed:
            array = given(inputs[names[int(number)]])  # whose memory a Mat shares, and does not keep
            extractor.input(f"in{number}", ncnn.Mat(array, batch_index=int(batch)).clone())
        for (name, batch), rank in zip(taken, ranks):
            failed, result = extractor.extract(name)
            if failed:
                raise Exception(said or f"extract gives {failed}")
            found = result.numpy(batch_index=int(batch)).copy()
            results.append(found if rank or found.size != 1 else found.reshape(()))  # it has no scalars
    return results
"""

RECURRENT = ["onnx::GRU", "onnx::LSTM", "onnx::RNN"]
SMALL = ["int16", "int8", "uint16", "uint32", "uint64", "uint8"]
RUNTIME = Runtime("ncnn", "ncnn", PROGRAM, opsets=(1, 26), draw="2", profile={
    "description": "ncnn, converted by pnnx and run on the CPU",
    "url": "https://github.com/Tencent/ncnn",
    "refusal": "layer {operator} not exists or registered",
    "ir_version": 13,
    "judged": {"folds_constants": True, "cast_to_float32": ["float16"], "dtypes": ["int64"]},
    "kernels": "onnxruntime",  # in which pnnx infers shapes, of the whole model
    "sentences": {"opset": "ONNX Runtime only *guarantees* support for models stamped with official released onnx opset versions. "
                           "Opset {version} is under development and support for this is limited. "
                           "Current official support for domain ai.onnx is till opset {newest}.",
                  "dtype": "unsupported tensor elem data type"},
    "refused": [
        *({"operators": RECURRENT,
           "when": [{"input": number, "computed": True}], "reason": "layer load_param 3 GRU_0 failed: weights that are computed",
           "asked": "test_gru_defaults"} for number in (1, 2)),
        {"operators": ["onnx::LayerNormalization"], "when": [{"output": 1, "given": True}],
         "reason": "layer F.layer_norm not exists or registered: with the mean as a result",
         "asked": "test_layer_normalization_4d_axis2.constant rest.epsilon=0.5"},
        {"operators": ["onnx::InstanceNormalization"], "when": [{"input": 2, "computed": True}],
         "reason": "layer F.instance_norm not exists or registered", "asked": "test_instancenorm_epsilon.constant s"},
        {"operators": ["onnx::LayerNormalization"], "when": [{"input": 2, "absent": True}], "reason": "layer F.layer_norm not exists or registered",
         "asked": "test_layer_normalization_default_axis.without 2"},
        {"operators": ["onnx::Split"], "when": [{"input": 1, "absent": True}, {"from_opset": 13, "below_opset": 18}],
         "reason": "the runtime ends its process where no sizes are given", "asked": "test_split_equal_parts_1d_opset13"},
        {"operators": ["onnx::ReduceMax", "onnx::ReduceMin"], "when": [{"input": 1, "given": True}],
         "reason": "layer ReduceMax not exists or registered: with axes as an operand", "asked": "test_reduce_max_keepdims_example"},
        {"operators": ["onnx::ReduceL1", "onnx::ReduceL2"],
         "when": [{"input": 1, "absent": True}], "reason": "layer ReduceL2 not exists or registered",
         "asked": "test_reduce_l2_default_axes_keepdims_example.constant data"},
        {"operators": ["onnx::Pad"], "when": [{"input": 3, "given": True}], "reason": "layer Pad not exists or registered: with axes",
         "asked": "test_constant_pad_axes"},
        {"operators": ["onnx::Gemm"], "when": [{"input": 1, "constant": True}, {"input": 2, "computed": True}],
         "reason": "layer F.linear not exists or registered", "asked": "test_gemm_default_vector_bias.constant b"},
        {"operators": ["onnx::Gemm"],
         "when": [{"input": 1, "constant": True}, {"input": 2, "ranks": [0, 2]},
                  *({"attribute": name, "is": [1.0], "or_absent": True} for name in ("alpha", "beta"))],
         "reason": "layer F.linear not exists or registered", "asked": "test_gemm_default_zero_bias.constant rest.transA=0"},
        {"operators": ["onnx::Conv", "onnx::ConvTranspose"], "when": [{"input": 0, "ranks": [6]}], "reason": "layer Conv not exists or registered",
         "asked": "ranks.Conv.exported 4d group 1"},
        *({"operators": ["onnx::Gather"],
           "when": [{"attribute": "axis", "is": [axis]} | ({"or_absent": True} if axis == 0 else {}), {"input": 1, "computed": True},
                    {"input": 0, "ranks": list(range(axis + 1, 5)), "length": {"axis": axis, "at_most": 7}}],
           "reason": "pnnx runs the model with inputs of 7: indices element out of data bounds, idx=7",
           "asked": "test_gather_0"} for axis in range(3)),
        *({"operators": ["onnx::Clip"], "when": [{"input": number, "computed": True}],
           "reason": "invalid bottom_count or top_count for one_blob_only layer", "asked": "test_clip_example"} for number in (1, 2)),
        *({"operators": ["onnx::Add", "onnx::Concat", "onnx::Div", "onnx::Max", "onnx::Min", "onnx::Mod", "onnx::Mul", "onnx::Sub"],
           "when": [{"input": number, "constant": True, "dtypes": SMALL}],
           "reason": "ModelBin read weight_data failed: of stored whole numbers", "asked": "test_max_int8.constant data_0"} for number in (0, 1))],
    "wrong": [
        {"operators": [f"onnx::{name}" for name in ("Add", "Clip", "Div", "MatMul", "Max", "MaxPool", "Min", "Mul", "Neg", "Sub")],
         "when": [{"input": 0, "dtypes": ["int16", "int32", "int64", "int8", "uint8"], "entry": True}],
         "reason": "it reads whole numbers as if they were real: off by 134 of 45", "asked": "test_add_int8"},
        {"operators": ["onnx::ReduceL1", "onnx::ReduceL2", "onnx::ReduceLogSumExp", "onnx::ReduceSum"], "when": [{"input": 1, "constant": True}],
         "reason": "axes that are an operand are left out: it gives the shape [3, 2, 2] instead of [3, 2]",
         "asked": "test_reduce_l2_do_not_keepdims_example.constant axes.T=FLOAT16"},
        {"operators": ["onnx::Max", "onnx::Min"], "when": [{"input": 2, "given": True}], "reason": "of three operands it is off by 1 of 5",
         "asked": "test_max_example"},
        {"operators": ["onnx::Max", "onnx::Min"], "when": [{"input": 1, "absent": True}],
         "reason": "of one operand it gives the shape [1] instead of [3]", "asked": "test_max_one_input"},
        {"operators": ["onnx::Gather"], "when": [{"input": 0, "computed": True}, {"input": 1, "constant": True, "ranks": [1, 2, 3, 4]}],
         "reason": "it takes one index alone: it gives the shape [4, 3, 2] instead of [3, 4, 3, 2]", "asked": "test_gather_0.constant indices"},
        {"operators": ["onnx::Reshape"], "when": [{"input": 0, "dtypes": ["int32", "int64"], "entry": True}],
         "reason": "it reads whole numbers as if they were real: off by 4 of 4", "asked": "Reshape int64 (2, 3, 4)->(24,)"},
        *({"operators": ["onnx::Einsum"], "when": [{"input": number, "constant": True}],
           "reason": "of an operand that is stored it is off by 1.61e+37 of 4.86",
           "asked": "test_einsum_batch_matmul.constant y"} for number in (0, 1)),
        *({"operators": ["onnx::LayerNormalization"], "when": [{"attribute": "axis", "is": [1, 1 - rank]}, {"input": 0, "ranks": [rank]}],
           "reason": "over all axes but that of the batch it normalises otherwise: off by 4.57 of 4.04", "asked": "test_layer_normalization_4d_axis1"}
          for rank in (3, 4))],
    "depends": [
        {"operators": ["onnx::Reshape"], "when": [{"input": 0, "dtypes": ["int8", "uint8"]}],
         "reason": "it reserves memory for other rows than numbers of 8 bits have: right, wrong, or the end of its process, by the sizes",
         "asked": "Reshape int8 (4096,)->(64, 64)"},
        {"operators": RECURRENT, "when": [{"from_opset": 1}],
         "reason": "layer load_param 4 LSTM_0 failed, unless a Squeeze or a Transpose and a Reshape follow, as PyTorch exports it",
         "asked": "test_lstm_defaults"},
        {"operators": ["onnx::Pow"], "when": [{"input": 0, "computed": True}],
         "reason": "of a number that is 0 or below it: off by 2.41e+38 of 1.54e+03", "asked": "test_pow"}],
    "everywhere": [
        ("wrong", {"when": [{"input": 0, "dtypes": ["int32", "int64"], "entry": True}], "asked": "test_concat_1d_axis_0.T=INT32",
                   "reason": "it reads whole numbers as if they were real: off by 4 of 4"}),
        *(("fails", {"when": [{"input": number, "ranks": [5, 6, 7, 8], "entry": True}], "asked": "test_erf.shape 1x2x1x3x2",
                     "reason": "convert numpy.ndarray to ncnn.Mat only dims <=4 support now, but given 5"}) for number in range(4))],
    "notes": ["converted with pnnx 20261020, fp16=0, for the sizes of the file, and run by ncnn's Python on the CPU, in float32",
              "called as the program calls it that pnnx writes beside it",
              "numbers of 64 bits become numbers of 32 bits: that alone is not wrong"]})
