#include "graph/ir/operator_table.h"

#include "graph/ops/rules.h"

#include <algorithm>

namespace emulsion::graph {

const std::vector<OperatorInfo> &operator_table() {
    static const std::vector<OperatorInfo> table = {
#define OPERATOR(name, inputs, outputs, attributes, says) {#name, inputs, outputs, attributes, says, infer_##name, lower_##name},
#include "graph/ir/operators.def"
#undef OPERATOR
    };
    return table;
}

const OperatorInfo *find_operator(std::string_view name) {
    const auto &table = operator_table();
    const auto row = std::find_if(table.begin(), table.end(), [&](const OperatorInfo &o) { return o.name == name; });
    return row == table.end() ? nullptr : &*row;
}

}  // namespace emulsion::graph
