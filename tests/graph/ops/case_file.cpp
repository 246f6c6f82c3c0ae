#include "tests/graph/ops/case_file.h"

#include <fstream>
#include <sstream>

namespace emulsion::graph {
namespace {

template<typename T, typename Convert>
std::vector<T> list(const std::string &text, Convert convert) {
    std::vector<T> values;
    std::stringstream in(text);
    for (std::string item; std::getline(in, item, ',');)
        if (!item.empty()) values.push_back(static_cast<T>(convert(item)));
    return values;
}
std::vector<int64_t> integers(const std::string &text) {
    return list<int64_t>(text, [](const std::string &s) { return std::stoll(s); });
}

Attribute attribute(const std::string &kind, const std::string &value) {
    if (kind == "int") return static_cast<int64_t>(std::stoll(value));
    if (kind == "real") return std::stod(value);
    if (kind == "text") return value;
    return integers(value);
}

DataType data_type(const std::string &name) {
    for (size_t k = 0; k < std::size(data_types); k++)
        if (data_types[k].name == name) return static_cast<DataType>(k);
    throw std::runtime_error("unknown type " + name);
}

std::vector<uint8_t> bytes(const std::string &hex) {
    std::vector<uint8_t> out;
    for (size_t k = 0; k + 1 < hex.size(); k += 2) out.push_back(static_cast<uint8_t>(std::stoi(hex.substr(k, 2), nullptr, 16)));
    return out;
}

struct Line {
    Value value;
    std::vector<int64_t> extents;
    std::vector<uint8_t> data;
};

/// TYPE [e,e] scale s,s zero z,z axis a : hex
Line value_line(std::stringstream &in) {
    Line line;
    std::string type, shape, word;
    in >> type >> shape;
    line.value.type = data_type(type);
    line.extents = integers(shape.substr(1, shape.size() - 2));
    line.value.shape = make_shape(line.extents);
    Quantization &q = line.value.quantization;
    while (in >> word && word != ":") {
        std::string value;
        in >> value;
        if (word == "scale") q.scale = list<float>(value, [](const std::string &s) { return std::stof(s); });
        if (word == "zero") q.zero_point = list<int32_t>(value, [](const std::string &s) { return std::stoi(s); });
        if (word == "axis") q.axis = std::stoi(value);
    }
    in >> word;
    if (word != ":") line.data = bytes(word);
    return line;
}

}  // namespace

std::vector<OperatorCase> read_cases(const std::string &path) {
    std::vector<OperatorCase> cases;
    std::ifstream file(path);
    for (std::string text; std::getline(file, text);) {
        std::stringstream in(text);
        std::string word;
        in >> word;
        if (word == "case") {
            cases.emplace_back();
            in >> cases.back().name;
            cases.back().graph.name = cases.back().name;
        } else if (word == "node") {
            Node node;
            in >> node.op;
            node.name = cases.back().name;
            for (std::string a; in >> a;) {
                const size_t colon = a.find(':'), equals = a.find('=', colon);
                node.attributes[a.substr(0, colon)] = attribute(a.substr(colon + 1, equals - colon - 1), a.substr(equals + 1));
            }
            cases.back().graph.add_node(std::move(node));
        } else if (word == "absent") {
            cases.back().graph.nodes[0].inputs.push_back(no_value);
        } else if (word == "in" || word == "const" || word == "out") {
            OperatorCase &c = cases.back();
            Line line = value_line(in);
            line.value.name = word + std::to_string(c.graph.values.size());
            if (word == "const") line.value.data = std::make_shared<const std::vector<uint8_t>>(line.data);
            const ValueId id = c.graph.add_value(line.value);
            if (word == "out") {
                c.graph.outputs = c.graph.nodes[0].outputs = {id};
                c.graph.values[id].shape.clear();  // for the shape rule to fill in
                c.out_extents = line.extents;
                c.expected = line.data;
                continue;
            }
            c.graph.nodes[0].inputs.push_back(id);
            if (word == "in") {
                c.graph.inputs.push_back(id);
                c.inputs.push_back(line.data);
            }
        }
    }
    return cases;
}

}  // namespace emulsion::graph
