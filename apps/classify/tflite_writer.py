"""The network as a TFLite file (schema version 3), float32 or int8."""
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

import network
import quantize

# op: (builtin operator, its options, version for float32, for int8)
OPERATORS = {
    "conv": ("CONV_2D", "Conv2DOptions", 1, 3),
    "depthwise": ("DEPTHWISE_CONV_2D", "DepthwiseConv2DOptions", 1, 3),
    "add": ("ADD", "AddOptions", 1, 2),
    "average_pool": ("AVERAGE_POOL_2D", "Pool2DOptions", 1, 2),
    "fully_connected": ("FULLY_CONNECTED", "FullyConnectedOptions", 1, 4),
    "softmax": ("SOFTMAX", "SoftmaxOptions", 1, 2),
}
TYPES = {np.dtype(np.float32): "FLOAT32", np.dtype(np.int8): "INT8", np.dtype(np.int32): "INT32"}


class Writer:
    def __init__(self, description):
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.description = description
        self.model.buffers = [schema.BufferT()]  # buffer 0 is the empty one
        self.model.operatorCodes = []
        self.graph = schema.SubGraphT()
        self.graph.name = "fashion"
        self.graph.tensors, self.graph.operators = [], []
        self.model.subgraphs = [self.graph]
        self.index = {}

    def tensor(self, name, shape, dtype, scale=None, data=None):
        t = schema.TensorT()
        t.name, t.shape, t.type = name, list(shape), getattr(schema.TensorType, TYPES[np.dtype(dtype)])
        t.buffer = 0
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
            t.buffer = len(self.model.buffers)
            self.model.buffers.append(buffer)
        if scale is not None:
            t.quantization = schema.QuantizationParametersT()
            t.quantization.scale = [float(s) for s in scale.scale]
            t.quantization.zeroPoint = [int(z) for z in scale.zero_point]
            t.quantization.quantizedDimension = scale.axis
        self.index[name] = len(self.graph.tensors)
        self.graph.tensors.append(t)

    def operator(self, layer, inputs, quantized):
        builtin, options, float_version, int8_version = OPERATORS[layer.op]
        code = schema.OperatorCodeT()
        code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, builtin)
        code.version = int8_version if quantized else float_version
        op = schema.OperatorT()
        op.opcodeIndex = len(self.model.operatorCodes)
        self.model.operatorCodes.append(code)
        op.inputs, op.outputs = [self.index[name] for name in inputs], [self.index[layer.name]]
        op.builtinOptionsType = getattr(schema.BuiltinOptions, options)
        o = op.builtinOptions = getattr(schema, options + "T")()
        if hasattr(o, "strideW"):
            o.strideW = o.strideH = layer.stride
            o.padding = schema.Padding.SAME if layer.op != "average_pool" else schema.Padding.VALID
        if layer.op == "depthwise":
            o.depthMultiplier = 1
        if layer.op == "average_pool":
            o.filterHeight, o.filterWidth = layer.shape
        if layer.op == "softmax":
            o.beta = 1.0
        if hasattr(o, "fusedActivationFunction"):
            o.fusedActivationFunction = schema.ActivationFunctionType.RELU if layer.relu else schema.ActivationFunctionType.NONE
        self.graph.operators.append(op)

    def bytes(self, inputs, outputs):
        self.graph.inputs, self.graph.outputs = [self.index[i] for i in inputs], [self.index[o] for o in outputs]
        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def write(weights, scales=None):
    """scales (quantize.activation_scales): int8; none: float32."""
    w = Writer("Fashion-MNIST classifier, " + ("int8" if scales else "float32"))
    dtype = np.int8 if scales else np.float32
    shapes = {name: v.shape for name, v in network.activations(weights, np.zeros((1, 28, 28, 1), np.float32)).items()}
    shapes["pool"] = (1, 1, 1, shapes["pool"][1])  # fully_connected flattens it
    for name, shape in shapes.items():
        w.tensor(name, shape, dtype, scales and scales[name])
    for layer in network.LAYERS:
        inputs = list(layer.inputs)
        if network.has_weights(layer):
            if scales:
                q, q_scale, bias, bias_scale = quantize.quantized_weights(layer, weights, scales[layer.inputs[0]])
            else:
                (q, bias), q_scale, bias_scale = network.parameters(layer, weights), None, None
            w.tensor(f"{layer.name}/weights", q.shape, q.dtype, q_scale, q)
            w.tensor(f"{layer.name}/bias", bias.shape, bias.dtype, bias_scale, bias)
            inputs += [f"{layer.name}/weights", f"{layer.name}/bias"]
        w.operator(layer, inputs, bool(scales))
    return w.bytes(["picture"], ["probabilities"])
