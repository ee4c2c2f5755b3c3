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
            extractor.input(f"in{number}", ncnn.Mat(given(inputs[names[int(number)]]), batch_index=int(batch)).clone())
        for (name, batch), rank in zip(taken, ranks):
            failed, result = extractor.extract(name)
            if failed:
                raise Exception(said or f"extract gives {failed}")
            found = result.numpy(batch_index=int(batch)).copy()
            results.append(found if rank or found.size != 1 else found.reshape(()))  # it has no scalars
    return results
"""

SMALL = ["int16", "int8", "uint16", "uint32", "uint64", "uint8"]
RUNTIME = Runtime("ncnn", "ncnn", PROGRAM, opsets=(1, 26), profile={
    "description": "ncnn, converted by pnnx and run on the CPU",
    "url": "https://github.com/Tencent/ncnn",
    "refusal": "layer {operator} not exists or registered",
    "ir_version": 13,
    "judged": {"folds_constants": True, "cast_to_float32": ["float16"]},
    "kernels": "onnxruntime",  # in which pnnx infers shapes, of the whole model
    "sentences": {"opset": "ONNX Runtime only *guarantees* support for models stamped with official released onnx opset versions. "
                           "Opset {version} is under development and support for this is limited. "
                           "Current official support for domain ai.onnx is till opset {newest}.",
                  "dtype": "unsupported tensor elem data type"},
    "refused": [
        *({"operators": ["onnx::Clip"], "when": [{"input": number, "computed": True}],
           "reason": "invalid bottom_count or top_count for one_blob_only layer", "asked": "test_clip_example"} for number in (1, 2)),
        *({"operators": ["onnx::Add", "onnx::Div", "onnx::Max", "onnx::Min", "onnx::Mul", "onnx::Sub"],
           "when": [{"input": number, "constant": True, "dtypes": SMALL}],
           "reason": "ModelBin read weight_data failed: of stored whole numbers", "asked": "test_max_int8.constant data_0"} for number in (0, 1))],
    "wrong": [
        {"operators": [f"onnx::{name}" for name in ("Add", "Clip", "Div", "MatMul", "Max", "MaxPool", "Min", "Mul", "Neg", "Sub")],
         "when": [{"input": 0, "dtypes": ["int16", "int32", "int64", "int8", "uint8"], "entry": True}],
         "reason": "it reads whole numbers as if they were real: off by 134 of 45", "asked": "test_add_int8"}],
    "everywhere": [
        ("fails", {"when": [{"input": number, "ranks": [5, 6, 7, 8], "entry": True}], "asked": "test_erf.shape 1x2x1x3x2",
                   "reason": "convert numpy.ndarray to ncnn.Mat only dims <=4 support now, but given 5"}) for number in range(4)],
    "notes": ["converted with pnnx 20261020, fp16=0, for the sizes of the file, and run by ncnn's Python on the CPU, in float32",
              "called as the program calls it that pnnx writes beside it",
              "numbers of 64 bits become numbers of 32 bits: that alone is not wrong"]})
