"""Writes litert_cases.txt: one-operator models run by LiteRT's reference kernels (BUILTIN_REF), inputs and outputs bit for bit.

    python tests/graph/ops/make_litert_cases.py > tests/graph/ops/litert_cases.txt        (needs ai-edge-litert, flatbuffers, numpy)

Each case: the node in the graph layer's terms, its inputs (const: constants of the model) and its output, elements as hex.
"""
import sys

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as fb
from ai_edge_litert.interpreter import Interpreter, OpResolverType

TYPES = {  # ours -> (numpy, TFLite)
    "f32": (np.float32, fb.TensorType.FLOAT32), "i8": (np.int8, fb.TensorType.INT8), "u8": (np.uint8, fb.TensorType.UINT8),
    "i16": (np.int16, fb.TensorType.INT16), "i32": (np.int32, fb.TensorType.INT32), "i64": (np.int64, fb.TensorType.INT64),
    "boolean": (np.bool_, fb.TensorType.BOOL),
}
random = np.random.default_rng(20)


class T:
    """A tensor: type, data or shape, quantisation; const: part of the model."""

    def __init__(self, type, data, scale=None, zero=None, axis=0, const=False, shape=None):
        self.type, self.const, self.axis = type, const, axis
        self.data = None if data is None else np.asarray(data, TYPES[type][0])
        self.shape = list(self.data.shape) if shape is None else list(shape)
        self.scale = [] if scale is None else list(np.atleast_1d(np.asarray(scale, np.float32)))
        self.zero = [0] * len(self.scale) if zero is None else list(np.atleast_1d(zero))


def real(*shape, low=-4, high=4):
    return random.uniform(low, high, shape).astype(np.float32)


def integers(type, *shape):
    info = np.iinfo(TYPES[type][0])
    return random.integers(info.min, info.max + 1, shape).astype(TYPES[type][0])


def bias(n, spread=2000, type="i32"):
    return random.integers(-spread, spread, n).astype(TYPES[type][0])


def run(builtin, options_type, options, inputs, outputs, version=1, flat=None):
    """Builds the model, runs it, fills in the outputs' data. `flat`: other shapes that the model wants for inputs."""
    model, graph, code = fb.ModelT(), fb.SubGraphT(), fb.OperatorCodeT()
    model.version, model.buffers = 3, [fb.BufferT()]
    code.builtinCode, code.deprecatedBuiltinCode, code.version = builtin, min(builtin, 127), version
    model.operatorCodes, model.subgraphs = [code], [graph]
    graph.tensors, graph.inputs, graph.outputs = [], [], []
    op = fb.OperatorT()
    op.inputs, op.outputs = [], []
    inputs = [t for t in inputs if t is not None]
    for k, t in enumerate(inputs + outputs):
        x = fb.TensorT()
        x.shape, x.type, x.name = (flat or {}).get(k, t.shape), TYPES[t.type][1], f"t{k}"
        if t.scale:
            x.quantization = fb.QuantizationParametersT()
            x.quantization.scale, x.quantization.zeroPoint, x.quantization.quantizedDimension = t.scale, t.zero, t.axis
        if t.const:
            model.buffers.append(fb.BufferT())
            model.buffers[-1].data = np.frombuffer(t.data.tobytes(), np.uint8)
            x.buffer = len(model.buffers) - 1
        index = len(graph.tensors)
        graph.tensors.append(x)
        (op.inputs if k < len(inputs) else op.outputs).append(index)
        if k >= len(inputs):
            graph.outputs.append(index)
        elif not t.const:
            graph.inputs.append(index)
    op.builtinOptionsType, op.builtinOptions = options_type, options
    graph.operators = [op]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    it = Interpreter(model_content=bytes(builder.Output()), experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    it.allocate_tensors()
    fed = [t for t in inputs if not t.const]
    for d, t in zip(it.get_input_details(), fed):
        it.set_tensor(d["index"], t.data.reshape(d["shape"]))
    it.invoke()
    for d, t in zip(it.get_output_details(), outputs):
        t.data = it.get_tensor(d["index"])
        t.shape = list(t.data.shape)


def attribute(value):
    if isinstance(value, str):
        return "text=" + value
    if isinstance(value, (list, tuple)):
        return "ints=" + ",".join(map(str, value))
    return f"real={value!r}" if isinstance(value, float) else f"int={value}"


def value_line(role, t):
    if t is None:
        return "absent"
    q = ""
    if t.scale:
        q = " scale " + ",".join(float(s).hex() for s in t.scale) + " zero " + ",".join(map(str, t.zero)) + (f" axis {t.axis}" if len(t.scale) > 1 else "")
    return f"{role} {t.type} [{','.join(map(str, t.shape))}]{q} : {t.data.tobytes().hex()}"


names = set()


def emit(name, op, attributes, inputs, output):
    assert name not in names
    names.add(name)
    print(f"case {name}\nnode {op}" + "".join(f" {k}:{attribute(v)}" for k, v in attributes.items()))
    for t in inputs:
        print(value_line("const" if t is not None and t.const else "in", t))
    print(value_line("out", output))
    sys.stdout.flush()


ACTIVATIONS = {"none": 0, "relu": 1, "relu_n1_to_1": 2, "relu6": 3}


def options(type, **fields):
    o = type()
    for k, v in fields.items():
        setattr(o, k, v)
    return o


def same_padding(size, kernel, stride, dilation=1):
    out = -(-size // stride)
    total = max((out - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return out, total // 2, total - total // 2


def window(in_size, kernel, stride, dilation, same):
    """(attribute padding, output size)"""
    pads, out = [], []
    for d in range(2):
        if same:
            o, before, after = same_padding(in_size[d], kernel[d], stride[d], dilation[d])
        else:
            o, before, after = (in_size[d] - (kernel[d] - 1) * dilation[d] - 1) // stride[d] + 1, 0, 0
        pads.append((before, after))
        out.append(o)
    return [pads[0][0], pads[1][0], pads[0][1], pads[1][1]], out


def quantised_input(type, *shape, scale=0.05, zero=None):
    zero = {"i8": -5, "u8": 121, "i16": 0}[type] if zero is None else zero
    return T(type, integers(type, *shape), scale, zero)


def weights_for(type, shape, channels_axis, channels, per_channel):
    if type == "f32":
        return T("f32", real(*shape, low=-1, high=1), const=True)
    if type == "u8":
        return T("u8", integers("u8", *shape), 0.0123, 119, const=True)
    scale = random.uniform(0.003, 0.03, channels) if per_channel else 0.017
    return T("i8", random.integers(-127, 128, shape), scale, axis=channels_axis, const=True)


def bias_for(type, n, use=True):
    if not use:
        return None
    if type == "f32":
        return T("f32", real(n), const=True)
    return T("i64" if type == "i16" else "i32", bias(n, type="i64" if type == "i16" else "i32"), const=True)


def with_bias_scale(b, x, w):
    if b is not None and x.type != "f32":
        b.scale = [np.float32(x.scale[0]) * np.float32(s) for s in w.scale]
        b.zero, b.axis = [0] * len(b.scale), 0
    return b


def out_for(type, scale=0.31, zero=None):
    if type == "f32":
        return T("f32", None, shape=[0])
    return T(type, None, scale, {"i8": 7, "u8": 112, "i16": 0}[type] if zero is None else zero, shape=[0])


def conv(name, type, x_shape, k, co, stride=(1, 1), dilation=(1, 1), same=True, activation="none", per_channel=True, groups=1, out_scale=0.31):
    x = T("f32", real(*x_shape)) if type == "f32" else quantised_input(type, *x_shape, scale=0.0005 if type == "i16" else 0.05)
    w = weights_for(type, (co, k[0], k[1], x_shape[3] // groups), 0, co, per_channel)
    b = with_bias_scale(bias_for(type, co), x, w)
    padding, size = window(x_shape[1:3], k, stride, dilation, same)
    y = out_for(type, out_scale if type != "i16" else 0.002)
    y.shape = [x_shape[0], *size, co]
    o = options(fb.Conv2DOptionsT, padding=0 if same else 1, strideH=stride[0], strideW=stride[1], dilationHFactor=dilation[0], dilationWFactor=dilation[1],
                fusedActivationFunction=ACTIVATIONS[activation])
    if type == "i16":
        o.quantizedBiasType = fb.TensorType.INT64
    run(fb.BuiltinOperator.CONV_2D, fb.BuiltinOptions.Conv2DOptions, o, [x, w, b], [y], version=3)
    emit(name, "conv2d", dict(stride=list(stride), dilation=list(dilation), padding=padding, groups=groups, activation=activation), [x, w, b], y)


def depthwise(name, type, x_shape, k, multiplier, stride=(1, 1), dilation=(1, 1), same=True, activation="none", per_channel=True, out_scale=0.17):
    c = x_shape[3] * multiplier
    x = T("f32", real(*x_shape)) if type == "f32" else quantised_input(type, *x_shape, scale=0.0005 if type == "i16" else 0.05)
    w = weights_for(type, (1, k[0], k[1], c), 3, c, per_channel)
    b = with_bias_scale(bias_for(type, c), x, w)
    padding, size = window(x_shape[1:3], k, stride, dilation, same)
    y = out_for(type, out_scale if type != "i16" else 0.001)
    y.shape = [x_shape[0], *size, c]
    o = options(fb.DepthwiseConv2DOptionsT, padding=0 if same else 1, strideH=stride[0], strideW=stride[1], dilationHFactor=dilation[0], dilationWFactor=dilation[1],
                depthMultiplier=multiplier, fusedActivationFunction=ACTIVATIONS[activation])
    run(fb.BuiltinOperator.DEPTHWISE_CONV_2D, fb.BuiltinOptions.DepthwiseConv2DOptions, o, [x, w, b], [y], version=3)
    emit(name, "depthwise_conv2d", dict(stride=list(stride), dilation=list(dilation), padding=padding, activation=activation), [x, w, b], y)


def transpose_conv(name, type, x_shape, k, co, stride, same=True, per_channel=True):
    x = T("f32", real(*x_shape)) if type == "f32" else quantised_input(type, *x_shape)
    w = weights_for(type, (co, k[0], k[1], x_shape[3]), 0, co, per_channel)
    b = with_bias_scale(bias_for(type, co), x, w)
    size = [x_shape[1 + d] * stride[d] if same else (x_shape[1 + d] - 1) * stride[d] + k[d] for d in range(2)]
    pads = [max((x_shape[1 + d] - 1) * stride[d] + k[d] - size[d], 0) for d in range(2)]
    shape = T("i32", [x_shape[0], *size, co], const=True)
    y = out_for(type)
    y.shape = [x_shape[0], *size, co]
    o = options(fb.TransposeConvOptionsT, padding=0 if same else 1, strideH=stride[0], strideW=stride[1])
    run(fb.BuiltinOperator.TRANSPOSE_CONV, fb.BuiltinOptions.TransposeConvOptions, o, [shape, w, x, b], [y], version=3)
    emit(name, "transpose_conv2d", dict(stride=list(stride), padding=[pads[0] // 2, pads[1] // 2, pads[0] - pads[0] // 2, pads[1] - pads[1] // 2], output_size=size),
         [x, w, b], y)


def fully_connected(name, type, x_shape, n, activation="none", per_channel=False, keep=False, use_bias=True):
    x = T("f32", real(*x_shape)) if type == "f32" else quantised_input(type, *x_shape, scale=0.0005 if type == "i16" else 0.05)
    k = x_shape[-1]
    w = weights_for(type, (n, k), 0, n, per_channel)
    b = with_bias_scale(bias_for(type, n, use_bias), x, w)
    y = out_for(type, 0.4 if type != "i16" else 0.002)
    y.shape = [*x_shape[:-1], n] if keep else [int(np.prod(x_shape)) // k, n]
    o = options(fb.FullyConnectedOptionsT, fusedActivationFunction=ACTIVATIONS[activation], keepNumDims=keep)
    if type == "i16":
        o.quantizedBiasType = fb.TensorType.INT64
    run(fb.BuiltinOperator.FULLY_CONNECTED, fb.BuiltinOptions.FullyConnectedOptions, o, [x, w, b], [y], version=5)
    emit(name, "fully_connected", dict(activation=activation, keep_dimensions=int(keep)), [x, w, b], y)


def batch_matmul(name, type, a_shape, b_shape, transpose_b=False):
    a = T("f32", real(*a_shape)) if type == "f32" else quantised_input(type, *a_shape)
    b = T("f32", real(*b_shape)) if type == "f32" else quantised_input(type, *b_shape, scale=0.03, zero=3)
    y = out_for(type, 0.9)
    y.shape = [*a_shape[:-1], b_shape[-2 if transpose_b else -1]]
    o = options(fb.BatchMatMulOptionsT, adjX=False, adjY=transpose_b)
    run(fb.BuiltinOperator.BATCH_MATMUL, fb.BuiltinOptions.BatchMatMulOptions, o, [a, b], [y], version=3)
    emit(name, "matmul", dict(transpose_b=int(transpose_b)), [a, b], y)


BINARY = {"add": (fb.BuiltinOperator.ADD, fb.BuiltinOptions.AddOptions, fb.AddOptionsT), "sub": (fb.BuiltinOperator.SUB, fb.BuiltinOptions.SubOptions, fb.SubOptionsT),
          "mul": (fb.BuiltinOperator.MUL, fb.BuiltinOptions.MulOptions, fb.MulOptionsT)}


def binary(name, op, type, a_shape, b_shape, activation="none", scales=(0.05, 0.11, 0.13)):
    if type in ("f32", "i32"):
        make = (lambda s: T("f32", real(*s))) if type == "f32" else (lambda s: T("i32", random.integers(-1000, 1000, s)))
        a, b, y = make(a_shape), make(b_shape), T(type, None, shape=[0])
    else:
        a, b = quantised_input(type, *a_shape, scale=scales[0]), quantised_input(type, *b_shape, scale=scales[1], zero=0 if type == "i16" else 9)
        y = out_for(type, scales[2] * (1 if op != "mul" else 3))
    y.shape = list(np.broadcast_shapes(a_shape, b_shape))
    code, kind, make_options = BINARY[op]
    o = options(make_options, fusedActivationFunction=ACTIVATIONS[activation])
    if hasattr(o, "potScaleInt16"):
        o.potScaleInt16 = False
    run(code, kind, o, [a, b], [y], version=2)
    emit(name, op, dict(activation=activation), [a, b], y)


def pool(name, op, type, x_shape, k, stride, same, activation="none"):
    x = T("f32", real(*x_shape)) if type == "f32" else quantised_input(type, *x_shape)
    y = T("f32", None, shape=[0]) if type == "f32" else T(type, None, x.scale, x.zero, shape=[0])
    padding, size = window(x_shape[1:3], k, stride, (1, 1), same)
    y.shape = [x_shape[0], *size, x_shape[3]]
    o = options(fb.Pool2DOptionsT, padding=0 if same else 1, strideH=stride[0], strideW=stride[1], filterHeight=k[0], filterWidth=k[1],
                fusedActivationFunction=ACTIVATIONS[activation])
    run(fb.BuiltinOperator.MAX_POOL_2D if op == "max_pool" else fb.BuiltinOperator.AVERAGE_POOL_2D, fb.BuiltinOptions.Pool2DOptions, o, [x], [y], version=2)
    emit(name, op, dict(kernel=list(k), stride=list(stride), padding=padding, activation=activation), [x], y)


def softmax(name, type, shape, beta=1.0, scale=0.1):
    x = T("f32", real(*shape)) if type == "f32" else quantised_input(type, *shape, scale=scale)
    y = T("f32", None, shape=shape) if type == "f32" else T(type, None, 1 / 256, -128 if type == "i8" else 0, shape=shape)
    run(fb.BuiltinOperator.SOFTMAX, fb.BuiltinOptions.SoftmaxOptions, options(fb.SoftmaxOptionsT, beta=beta), [x], [y], version=2)
    emit(name, "softmax", dict(beta=beta), [x], y)


def log_softmax(name, shape):
    x, y = T("f32", real(*shape)), T("f32", None, shape=shape)
    run(fb.BuiltinOperator.LOG_SOFTMAX, fb.BuiltinOptions.LogSoftmaxOptions, fb.LogSoftmaxOptionsT(), [x], [y])
    emit(name, "log_softmax", {}, [x], y)


REDUCE = {"mean": "MEAN", "sum": "SUM", "max": "REDUCE_MAX", "min": "REDUCE_MIN", "prod": "REDUCE_PROD", "any": "REDUCE_ANY", "all": "REDUCE_ALL"}


def reduce(name, function, type, shape, axes, keep=False, scales=(0.05, 0.07)):
    if type == "f32":
        x, y = T("f32", real(*shape)), T("f32", None, shape=[0])
    elif type == "boolean":
        x, y = T("boolean", random.integers(0, 4, shape) > 0), T("boolean", None, shape=[0])
    else:
        x = quantised_input(type, *shape, scale=scales[0])
        y = T(type, None, x.scale, x.zero, shape=[0]) if function in ("max", "min") else out_for(type, scales[1], 3)
    y.shape = [1 if d in axes else e for d, e in enumerate(shape) if keep or d not in axes]
    run(getattr(fb.BuiltinOperator, REDUCE[function]), fb.BuiltinOptions.ReducerOptions, options(fb.ReducerOptionsT, keepDims=keep),
        [x, T("i32", list(axes), const=True)], [y], version=1 if function in ("any", "all") else 2)
    emit(name, "reduce", dict(function=function, axes=list(axes), keep_dimensions=int(keep)), [x], y)


UNARY = {  # function: operator, options, their name in BuiltinOptions
    "logistic": "LOGISTIC", "tanh": "TANH", "relu": "RELU", "relu6": "RELU6", "relu_n1_to_1": "RELU_N1_TO_1", "leaky_relu": "LEAKY_RELU", "hard_swish": "HARD_SWISH",
    "gelu": "GELU", "gelu_tanh": "GELU", "exp": "EXP", "abs": "ABS", "log": "LOG", "neg": "NEG", "sqrt": "SQRT", "rsqrt": "RSQRT", "sin": "SIN",
    "cos": "COS", "square": "SQUARE", "floor": "FLOOR", "sign": "SIGN", "logical_not": "LOGICAL_NOT"}


def unary(name, function, type, x=None, scales=(0.06, 0.05), zeros=(None, None), alpha=None, version=2):
    if x is None:
        x = T("f32", real(64, low=0.01 if function in ("log", "sqrt", "rsqrt") else -8, high=8)) if type == "f32" else \
            T(type, np.arange(np.iinfo(TYPES[type][0]).min, np.iinfo(TYPES[type][0]).max + 1), scales[0], {"i8": -5, "u8": 121}[type] if zeros[0] is None else zeros[0])
    y = T(type, None, shape=x.shape) if type in ("f32", "boolean", "i32") else out_for(type, scales[1], zeros[1])
    y.shape = x.shape
    kind, o, attributes = 0, None, dict(function=function)
    if function == "leaky_relu":
        kind, o = fb.BuiltinOptions.LeakyReluOptions, options(fb.LeakyReluOptionsT, alpha=alpha)
        attributes["alpha"] = alpha
    if function.startswith("gelu"):
        kind, o = fb.BuiltinOptions.GeluOptions, options(fb.GeluOptionsT, approximate=function == "gelu_tanh")
    newest = 1 if type == "boolean" or function in ("hard_swish", "relu_n1_to_1") else version
    run(getattr(fb.BuiltinOperator, UNARY[function]), kind, o, [x], [y], version=newest)
    emit(name, "unary", attributes, [x], y)


def prelu(name, type, shape, slope_shape):
    if type == "f32":
        x, a, y = T("f32", real(*shape)), T("f32", real(*slope_shape), const=True), T("f32", None, shape=shape)
    else:
        x, a = quantised_input(type, *shape), T(type, integers(type, *slope_shape), 0.01, 3 if type == "i8" else 100, const=True)
        y = out_for(type, 0.06)
        y.shape = list(shape)
    run(fb.BuiltinOperator.PRELU, 0, None, [x, a], [y])
    emit(name, "prelu", {}, [x, a], y)


def quantize(name, from_type, to_type, scales=(0.05, 0.08), x=None):
    if x is None:
        x = T("f32", np.concatenate([real(40, low=-12, high=12), np.float32([0.0, scales[1] / 2, -scales[1] / 2, scales[1] * 2.5, 60.0, -60.0])])) if from_type == "f32" \
            else quantised_input(from_type, 64, scale=scales[0])
    y = out_for(to_type, scales[1])
    y.shape = x.shape
    run(fb.BuiltinOperator.QUANTIZE, 0, None, [x], [y], version=2)
    emit(name, "quantize", {}, [x], y)


def dequantize(name, type):
    x, y = quantised_input(type, 48, scale=0.0371), T("f32", None, shape=[48])
    run(fb.BuiltinOperator.DEQUANTIZE, 0, None, [x], [y], version=2)
    emit(name, "dequantize", {}, [x], y)


def l2_norm(name, shape):
    x, y = T("f32", real(*shape)), T("f32", None, shape=shape)
    run(fb.BuiltinOperator.L2_NORMALIZATION, fb.BuiltinOptions.L2NormOptions, fb.L2NormOptionsT(), [x], [y])
    emit(name, "lp_norm", dict(p=2, epsilon=1e-6), [x], y)


def main():
    print("# Made by make_litert_cases.py; LiteRT reference kernels.")
    for type in ("i8", "u8", "f32", "i16"):
        conv(f"conv_{type}_same_stride2", type, (1, 6, 5, 4), (3, 3), 5, stride=(2, 2), activation="relu6" if type != "i16" else "none")
        conv(f"conv_{type}_1x1", type, (2, 3, 4, 9), (1, 1), 6, activation="relu" if type != "i16" else "none")
        if type != "i16":
            conv(f"conv_{type}_valid_dilated", type, (1, 7, 7, 3), (2, 3), 4, dilation=(2, 1), same=False)
            conv(f"conv_{type}_saturating", type, (1, 4, 4, 8), (3, 3), 4, activation="relu_n1_to_1", out_scale=0.02)
        depthwise(f"depthwise_{type}_same", type, (1, 5, 6, 4), (3, 3), 1, activation="relu6" if type != "i16" else "none")
        depthwise(f"depthwise_{type}_multiplier", type, (1, 5, 6, 3), (3, 2), 2, stride=(2, 2), same=False)
        fully_connected(f"fully_connected_{type}", type, (3, 20), 7, activation="relu" if type != "i16" else "none")
    conv("conv_i8_per_tensor", "i8", (1, 5, 5, 4), (3, 3), 5, per_channel=False)
    conv("conv_f32_groups", "f32", (1, 5, 5, 6), (3, 3), 4, groups=2)
    conv("conv_i8_groups", "i8", (1, 5, 5, 6), (3, 3), 4, groups=2)
    depthwise("depthwise_i8_per_tensor", "i8", (1, 5, 5, 4), (3, 3), 1, per_channel=False)
    depthwise("depthwise_i8_dilated", "i8", (1, 8, 8, 3), (3, 3), 1, dilation=(2, 2))
    for type in ("i8", "u8", "f32"):
        transpose_conv(f"transpose_conv_{type}_same", type, (1, 3, 4, 5), (3, 3), 4, (2, 2))
        transpose_conv(f"transpose_conv_{type}_valid", type, (1, 3, 3, 2), (2, 4), 3, (2, 1), same=False)
    fully_connected("fully_connected_i8_per_channel", "i8", (2, 16), 5, per_channel=True)
    fully_connected("fully_connected_i8_keep", "i8", (2, 3, 8), 5, keep=True, use_bias=False)
    fully_connected("fully_connected_f32_flattened", "f32", (2, 3, 8), 5)
    batch_matmul("matmul_f32", "f32", (2, 3, 4), (2, 4, 5))
    batch_matmul("matmul_f32_transposed", "f32", (2, 3, 4), (2, 5, 4), transpose_b=True)
    batch_matmul("matmul_f32_one_right", "f32", (2, 3, 4), (1, 4, 5))
    batch_matmul("matmul_i8", "i8", (2, 3, 8), (2, 8, 5))
    for op in ("add", "sub", "mul"):
        for type in ("i8", "u8", "i16", "f32", "i32"):
            if op == "sub" and type == "i32":
                continue
            binary(f"{op}_{type}", op, type, (2, 3, 16), (2, 3, 16))
            if type != "i16":
                binary(f"{op}_{type}_broadcast", op, type, (2, 3, 4, 5), (1, 3, 1, 5), activation="relu6" if type != "i32" else "none")
        binary(f"{op}_i8_column", op, "i8", (4, 1), (1, 6), activation="relu")
    binary("add_i8_same_scales", "add", "i8", (64,), (64,), scales=(0.1, 0.1, 0.1))
    binary("add_i8_small_output", "add", "i8", (64,), (64,), scales=(0.5, 0.001, 0.02))
    for op in ("max_pool", "average_pool"):
        for type in ("i8", "u8", "f32"):
            pool(f"{op}_{type}_same", op, type, (1, 5, 6, 3), (3, 3), (2, 2), True)
            pool(f"{op}_{type}_valid", op, type, (2, 4, 4, 5), (2, 2), (1, 2), False, activation="relu")
            pool(f"{op}_{type}_whole", op, type, (1, 4, 5, 6), (4, 5), (4, 5), False)
    for type in ("i8", "u8", "f32"):
        softmax(f"softmax_{type}", type, (3, 10))
        softmax(f"softmax_{type}_beta", type, (2, 2, 7), beta=0.5, scale=0.9)
    log_softmax("log_softmax_f32", (3, 10))
    for type in ("i8", "u8", "f32"):
        reduce(f"mean_{type}_image", "mean", type, (2, 4, 5, 6), (1, 2))
        reduce(f"mean_{type}_image_keep", "mean", type, (2, 3, 3, 4), (1, 2), keep=True)
        reduce(f"mean_{type}_last", "mean", type, (3, 4, 7), (2,))
        reduce(f"mean_{type}_all", "mean", type, (3, 4, 7), (0, 1, 2))
        reduce(f"mean_{type}_large", "mean", type, (1, 16, 33), (1,), scales=(0.02, 0.3))
        reduce(f"max_{type}", "max", type, (3, 4, 7), (1,))
    reduce("min_i8", "min", "i8", (3, 4, 7), (0, 2))
    reduce("min_f32", "min", "f32", (3, 4, 7), (0, 2), keep=True)
    reduce("sum_f32", "sum", "f32", (3, 4, 7), (1, 2))
    reduce("prod_f32", "prod", "f32", (3, 4, 3), (1,))
    reduce("any", "any", "boolean", (4, 5), (1,))
    reduce("all", "all", "boolean", (4, 5), (1,))
    for type in ("i8", "u8"):
        lowest = -128 if type == "i8" else 0
        unary(f"logistic_{type}", "logistic", type, scales=(0.06, 1 / 256), zeros=(None, lowest))
        unary(f"tanh_{type}", "tanh", type, scales=(0.03, 1 / 128), zeros=(None, lowest + 128))
        for function in ("relu", "relu6", "relu_n1_to_1"):
            unary(f"{function}_{type}", function, type)
            unary(f"{function}_{type}_same_scale", function, type, scales=(0.06, 0.06), zeros=(lowest + 120, lowest + 120))
        unary(f"leaky_relu_{type}", "leaky_relu", type, alpha=0.2)
        unary(f"leaky_relu_{type}_steep", "leaky_relu", type, alpha=1.7, scales=(0.06, 0.03))
        unary(f"hard_swish_{type}", "hard_swish", type)
        unary(f"hard_swish_{type}_wide", "hard_swish", type, scales=(0.4, 0.2))
        unary(f"hard_swish_{type}_narrow", "hard_swish", type, scales=(0.011, 0.009))
        unary(f"gelu_{type}", "gelu", type)
        unary(f"gelu_tanh_{type}", "gelu_tanh", type)
        prelu(f"prelu_{type}", type, (2, 3, 4, 5), (1, 1, 5))
    unary("exp_i8", "exp", "i8", scales=(0.02, 0.05))
    unary("abs_i8", "abs", "i8")
    unary("abs_i8_same_scale", "abs", "i8", scales=(0.06, 0.06))
    unary("log_i8", "log", "i8", zeros=(-128, None))
    unary("rsqrt_i8", "rsqrt", "i8", x=T("i8", np.arange(-127, 128), 0.02, -128), scales=(0.02, 0.05))
    for function in ("logistic", "tanh", "relu", "relu6", "relu_n1_to_1", "hard_swish", "exp", "abs", "log", "neg", "sqrt", "rsqrt", "sin", "cos", "square", "floor"):
        unary(f"{function}_f32", function, "f32", version=1)
    unary("leaky_relu_f32", "leaky_relu", "f32", alpha=0.2)
    unary("gelu_f32", "gelu", "f32")
    unary("gelu_tanh_f32", "gelu_tanh", "f32")
    unary("logical_not", "logical_not", "boolean", x=T("boolean", random.integers(0, 2, 20)), version=1)
    prelu("prelu_f32", "f32", (2, 3, 4, 5), (1, 1, 5))
    for type in ("i8", "u8", "i16"):
        quantize(f"quantize_f32_{type}", "f32", type)
        dequantize(f"dequantize_{type}", type)
    quantize("requantize_i8_i8", "i8", "i8")
    quantize("requantize_i8_i8_up", "i8", "i8", scales=(0.08, 0.013))
    quantize("requantize_u8_i8", "u8", "i8")
    quantize("requantize_i8_u8", "i8", "u8")
    quantize("requantize_i16_i8", "i16", "i8", scales=(0.0005, 0.08))
    quantize("requantize_i8_i16", "i8", "i16", scales=(0.05, 0.0008))
    l2_norm("l2_norm_f32", (3, 8))


if __name__ == "__main__":
    main()
