#!/usr/bin/env python3
"""Trains the classifier on Fashion-MNIST and writes fashion_fp32.tflite, fashion_int8.tflite, labels.txt, sample pictures and what
TFLite's reference kernels make of them (expected/). Some minutes on one core.

    apt-get install dataset-fashion-mnist
    pip install -r requirements.txt
    python3 train.py [--epochs 10] [--seed 1]
"""
import argparse
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from PIL import Image

import dataset
import expected
import network
import quantize
import tflite_writer

HERE = pathlib.Path(__file__).parent
BATCH = 128


def loss(weights, pictures, classes):
    logits = network.activations(weights, pictures)["logits"]
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(classes)), classes])


@jax.jit
def adam_step(weights, state, rate, pictures, classes):
    """Adam (Kingma and Ba 2015)."""
    m, v, t = state
    value, gradient = jax.value_and_grad(loss)(weights, pictures, classes)
    t = t + 1
    m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, gradient)
    v = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g * g, v, gradient)
    weights = jax.tree.map(lambda w, a, b: w - rate * (a / (1 - 0.9**t)) / (jnp.sqrt(b / (1 - 0.999**t)) + 1e-8), weights, m, v)
    return weights, (m, v, t), value


def accuracy(weights, pictures, classes):
    predict = jax.jit(lambda p: jnp.argmax(network.activations(weights, p)["logits"], 1))
    return np.mean(np.concatenate([predict(pictures[i:i + 1000]) for i in range(0, len(pictures), 1000)]) == classes)


def train(epochs, seed):
    pictures, classes = dataset.load("train")
    test, test_classes = dataset.load("t10k")
    weights = network.initial_weights(seed)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    state, random, steps = (zeros, zeros, 0.0), np.random.default_rng(seed), len(pictures) // BATCH
    for epoch in range(epochs):
        order = random.permutation(len(pictures))
        for step in range(steps):
            rate = 0.002 * 0.5 * (1 + np.cos(np.pi * (epoch * steps + step) / (epochs * steps)))
            chosen = order[step * BATCH:(step + 1) * BATCH]
            batch = dataset.scaled(pictures[chosen])
            mirrored = random.random(BATCH) < 0.5
            batch[mirrored] = batch[mirrored, :, ::-1]
            weights, state, value = adam_step(weights, state, rate, batch, classes[chosen])
        print(f"epoch {epoch + 1}: loss {value:.3f}, accuracy on the test pictures {accuracy(weights, dataset.scaled(test), test_classes):.4f}", flush=True)
    return weights


def write_samples(pictures, classes):
    """The first test picture of each class, as PNG."""
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    for label, name in enumerate(dataset.LABELS):
        first = int(np.argmax(classes == label))
        Image.fromarray(pictures[first, :, :, 0]).save(folder / f"{name.replace(' ', '_')}.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    weights = train(options.epochs, options.seed)
    samples, _ = dataset.load("train")
    scales = quantize.activation_scales(weights, dataset.scaled(samples[:1000]))
    test, test_classes = dataset.load("t10k")
    write_samples(test, test_classes)
    (HERE / "labels.txt").write_text("\n".join(dataset.LABELS) + "\n")
    for name, data in (("fashion_fp32", tflite_writer.write(weights)), ("fashion_int8", tflite_writer.write(weights, scales))):
        path = HERE / f"{name}.tflite"
        path.write_bytes(data)
        right = np.mean([np.argmax(expected.run(data, expected.model_input(data, p))[-1][1]) == c for p, c in zip(test[:2000], test_classes[:2000])])
        print(f"{path.name}: {len(data)} bytes, accuracy on 2,000 test pictures under TFLite's reference kernels {right:.4f}")
        expected.write(path)


if __name__ == "__main__":
    main()
