#include "graph/import/tflite/options.h"

#include "runtime/diag/diag.h"

namespace emulsion::graph::tflite {

namespace {
[[noreturn]] void outside() { raise(Diag::model_broken, {.stage = "tflite"}, "TFLite", "an operator's options lie outside the file"); }
}  // namespace

const uint8_t *OptionReader::field(int number, size_t bytes) const {
    if (!table_) return nullptr;
    const auto slot = static_cast<flatbuffers::voffset_t>(4 + 2 * number);
    const uint8_t *at = table_->GetAddressOf(slot);
    if (!at) return nullptr;
    if (at < file_.data() || at + bytes > file_.data() + file_.size()) outside();
    return at;
}

std::vector<int64_t> OptionReader::integers(int number) const {
    const uint8_t *at = field(number, 4);
    if (!at) return {};
    const uint32_t step = flatbuffers::ReadScalar<uint32_t>(at);
    const uint8_t *end = file_.data() + file_.size();
    if (step > static_cast<size_t>(end - at) || end - (at + step) < 4) outside();
    const uint32_t count = flatbuffers::ReadScalar<uint32_t>(at + step);
    if (count > static_cast<size_t>(end - (at + step) - 4) / 4) outside();
    std::vector<int64_t> values;
    for (uint32_t k = 0; k < count; k++) values.push_back(flatbuffers::ReadScalar<int32_t>(at + step + 4 + 4 * k));
    return values;
}

}  // namespace emulsion::graph::tflite
