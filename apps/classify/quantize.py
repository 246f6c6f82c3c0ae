"""Post-training quantisation to int8, after "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
Inference" (Jacob et al. 2018): activations asymmetric per tensor from their range on sample pictures, weights symmetric per output
channel, bias int32 at input scale * weight scale.
"""
from dataclasses import dataclass

import numpy as np

import network


@dataclass
class Scale:
    """real = scale * (q - zero_point); several scales: one per index of dimension `axis`."""
    scale: np.ndarray
    zero_point: np.ndarray
    axis: int = 0


def activation_scale(low, high):
    low, high = min(low, 0.0), max(high, 0.0)  # zero is exact, so that padding is
    scale = np.float32((high - low) / 255)
    return Scale(np.array([scale], np.float32), np.array([np.clip(round(-128 - low / scale), -128, 127)], np.int64))


def activation_scales(weights, pictures):
    values = network.activations(weights, pictures)
    scales = {name: activation_scale(float(v.min()), float(v.max())) for name, v in values.items()}
    scales["picture"] = activation_scale(0.0, 1.0)
    scales["probabilities"] = Scale(np.array([1 / 256], np.float32), np.array([-128]))  # fixed by TFLite
    scales["pool"] = scales["quarter"]  # so is this: a mean keeps its input's scale
    return scales


def quantized_weights(layer, weights, input_scale):
    """(q, its Scale, bias, its Scale)"""
    w, bias = network.parameters(layer, weights)
    axis = 3 if layer.op == "depthwise" else 0
    largest = np.abs(w).max(axis=tuple(d for d in range(w.ndim) if d != axis), keepdims=True)
    if layer.op == "fully_connected":
        largest = np.full_like(largest, largest.max())  # per tensor: what every converter wrote for years
    scale = (np.maximum(largest, 1e-6) / 127).astype(np.float32)
    q = np.clip(np.round(w / scale), -127, 127).astype(np.int8)
    per_channel = scale.reshape(-1) if layer.op != "fully_connected" else scale.reshape(-1)[:1]
    bias_scale = (per_channel * input_scale.scale).astype(np.float32)
    q_bias = np.round(bias / bias_scale).astype(np.int32)
    zeros = np.zeros(len(per_channel), np.int64)
    return q, Scale(per_channel, zeros, axis), q_bias, Scale(bias_scale, zeros)
