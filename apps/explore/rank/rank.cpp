#include "apps/explore/rank/rank.h"

#include <cmath>
#include <xgboost/c_api.h>

namespace emulsion::explore {

namespace {

constexpr size_t fewest_rows = 40, rows_between_trainings = 32;
constexpr int rounds = 40;

std::vector<float> flat(const std::vector<std::vector<float>> &rows) {
    std::vector<float> values;
    for (const auto &r : rows) values.insert(values.end(), r.begin(), r.end());
    return values;
}

/// Owns a DMatrix.
struct Matrix {
    DMatrixHandle handle = nullptr;
    explicit Matrix(const std::vector<std::vector<float>> &rows) {
        const std::vector<float> values = flat(rows);
        XGDMatrixCreateFromMat(values.data(), rows.size(), rows[0].size(), NAN, &handle);
    }
    ~Matrix() { XGDMatrixFree(handle); }
    Matrix(const Matrix &) = delete;
};

}  // namespace

std::vector<float> features(const Problem &problem, const Point &point, const Bound &bound) {
    std::vector<float> f;
    const Choices c(problem.space, point);
    for (size_t k = 0; k < point.size(); k++) {
        const SpaceParameter &p = problem.space.parameters()[k];
        f.push_back(static_cast<float>(std::log2(1 + c[k])));
        if (p.is_tile) f.push_back(static_cast<float>(std::log2(p.values.back().number / c[k] + (p.values.back().number % c[k] != 0))));
    }
    f.push_back(static_cast<float>(std::log2(1 + bound.cycles)));
    f.push_back(static_cast<float>(std::log2(1 + bound.ext_bytes)));
    f.push_back(static_cast<float>(std::log2(1 + bound.spm_bytes)));
    return f;
}

Rank::Rank() = default;

Rank::~Rank() {
    if (booster_) XGBoosterFree(booster_);
}

void Rank::add(std::vector<float> row, double log_ratio) {
    rows_.push_back(std::move(row));
    labels_.push_back(static_cast<float>(log_ratio));
}

void Rank::train() {
    if (rows_.size() < fewest_rows || (booster_ && rows_.size() < trained_on_ + rows_between_trainings)) return;
    if (booster_) XGBoosterFree(booster_);
    booster_ = nullptr;
    trained_on_ = rows_.size();
    Matrix matrix(rows_);
    XGDMatrixSetFloatInfo(matrix.handle, "label", labels_.data(), labels_.size());
    XGBoosterCreate(&matrix.handle, 1, &booster_);
    constexpr std::pair<const char *, const char *> settings[] = {{"objective", "reg:squarederror"}, {"max_depth", "5"}, {"eta", "0.2"},
                                                                  {"nthread", "1"},                  {"seed", "1"},      {"verbosity", "0"}};
    for (const auto &[name, value] : settings) XGBoosterSetParam(booster_, name, value);
    for (int k = 0; k < rounds; k++) XGBoosterUpdateOneIter(booster_, k, matrix.handle);
}

std::vector<double> Rank::predict(const std::vector<std::vector<float>> &rows) const {
    std::vector<double> result(rows.size(), 0);
    if (!booster_ || rows.empty()) return result;
    Matrix matrix(rows);
    bst_ulong n = 0;
    const float *values = nullptr;
    if (XGBoosterPredict(booster_, matrix.handle, 0, 0, 0, &n, &values) != 0) return result;
    for (size_t k = 0; k < rows.size() && k < n; k++) result[k] = values[k];
    return result;
}

std::string Rank::bytes() const {
    if (!booster_) return "";
    bst_ulong n = 0;
    const char *raw = nullptr;
    if (XGBoosterSaveModelToBuffer(booster_, R"({"format":"ubj"})", &n, &raw) != 0) return "";
    return {raw, n};
}

}  // namespace emulsion::explore
