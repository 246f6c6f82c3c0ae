#!/usr/bin/env python3
"""Writes the backend node tests of the onnx package as folders: CASE/model.onnx, CASE/test_data_set_<k>/{input,output}_<i>.pb.

    make_node_cases.py FOLDER
"""
import pathlib
import sys

import onnx.backend.test.case.node as node_cases
from onnx import TensorProto, numpy_helper


def serialized(value, info):
    kind = info.type.WhichOneof("value")
    if isinstance(value, TensorProto):
        return value.SerializeToString()
    writers = {"map_type": numpy_helper.from_dict, "sequence_type": numpy_helper.from_list, "optional_type": numpy_helper.from_optional}
    return writers.get(kind, numpy_helper.from_array)(value, info.name).SerializeToString()


def write_case(folder, case):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    for k, (inputs, outputs) in enumerate(case.data_sets):
        data = folder / f"test_data_set_{k}"
        data.mkdir(exist_ok=True)
        for kind, values, infos in (("input", inputs, case.model.graph.input), ("output", outputs, case.model.graph.output)):
            for i, (value, info) in enumerate(zip(values, infos)):
                (data / f"{kind}_{i}.pb").write_bytes(serialized(value, info))


def main(out):
    cases = node_cases.collect_testcases(None)
    for case in cases:
        write_case(pathlib.Path(out) / case.name, case)
    print(f"{len(cases)} cases")


if __name__ == "__main__":
    main(sys.argv[1])
