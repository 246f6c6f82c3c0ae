"""The network: its layers as data, and what they compute (float32, N H W C).

    picture 28x28 -> conv 16 -> conv 32, stride 2 -> [depthwise -> conv 1x1] + shortcut -> conv 64, stride 2 -> mean -> 10 classes
"""
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Layer:
    op: str  # conv, depthwise, add, average_pool, fully_connected, softmax
    name: str
    inputs: tuple[str, ...]
    shape: tuple[int, ...]  # weights: conv O KY KX I, depthwise 1 KY KX C, fully connected O I; pool: window
    stride: int = 1
    relu: bool = True


SIZE, CLASSES = 28, 10
LAYERS = (
    Layer("conv", "stem", ("picture",), (16, 3, 3, 1)),
    Layer("conv", "half", ("stem",), (32, 3, 3, 16), stride=2),
    Layer("depthwise", "mix", ("half",), (1, 3, 3, 32)),
    Layer("conv", "blend", ("mix",), (32, 1, 1, 32), relu=False),
    Layer("add", "shortcut", ("half", "blend"), ()),
    Layer("conv", "quarter", ("shortcut",), (64, 3, 3, 32), stride=2),
    Layer("average_pool", "pool", ("quarter",), (7, 7), relu=False),
    Layer("fully_connected", "logits", ("pool",), (CLASSES, 64), relu=False),
    Layer("softmax", "probabilities", ("logits",), (), relu=False),
)


def has_weights(layer):
    return layer.op in ("conv", "depthwise", "fully_connected")


def initial_weights(seed):
    """He normal: variance 2 / fan in (He et al. 2015, "Delving Deep into Rectifiers")."""
    random = np.random.default_rng(seed)
    weights = {}
    for layer in filter(has_weights, LAYERS):
        fan_in = np.prod(layer.shape[1:3]) if layer.op == "depthwise" else np.prod(layer.shape[1:])
        outputs = layer.shape[3] if layer.op == "depthwise" else layer.shape[0]
        weights[layer.name] = (random.normal(0, np.sqrt(2 / fan_in), layer.shape).astype(np.float32), np.zeros(outputs, np.float32))
    return weights


def compute(layer, inputs, weights):
    if layer.op in ("conv", "depthwise"):
        w, bias = weights[layer.name]
        groups = layer.shape[3] if layer.op == "depthwise" else 1
        kernel = jnp.transpose(w, (1, 2, 0, 3) if layer.op == "depthwise" else (1, 2, 3, 0))
        result = jax.lax.conv_general_dilated(inputs[0], kernel, (layer.stride,) * 2, "SAME", feature_group_count=groups,
                                              dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias
    elif layer.op == "add":
        result = inputs[0] + inputs[1]
    elif layer.op == "average_pool":
        result = jnp.mean(inputs[0], (1, 2))
    elif layer.op == "fully_connected":
        w, bias = weights[layer.name]
        result = inputs[0] @ w.T + bias
    elif layer.op == "softmax":
        result = jax.nn.softmax(inputs[0])
    else:
        raise ValueError(layer.op)
    return jax.nn.relu(result) if layer.relu else result


def activations(weights, pictures):
    """Every layer's result, by name. pictures: N H W 1, in [0, 1]."""
    values = {"picture": pictures}
    for layer in LAYERS:
        values[layer.name] = compute(layer, [values[name] for name in layer.inputs], weights)
    return values


def parameters(layer, weights):
    w, bias = weights[layer.name]
    return np.asarray(w), np.asarray(bias)
