// Learned ranking of schedules: XGBoost predicts log(cycles / bound) from a schedule's numbers. It only orders candidates: it
// never prunes and never takes the place of an emulation.
#pragma once
#include "apps/explore/problem.h"

#include <memory>
#include <string>
#include <vector>

namespace emulsion::explore {

/// log2 of every number of the schedule, of its turns, and the shares of its bounds.
std::vector<float> features(const Problem &problem, const Point &point, const Bound &bound);

class Rank {
public:
    Rank();
    ~Rank();
    void add(std::vector<float> features, double log_ratio);
    /// Trains on all rows so far, with a fixed seed on one thread; below 40 rows nothing is trained.
    void train();
    /// log(cycles / bound); 0 without a model.
    std::vector<double> predict(const std::vector<std::vector<float>> &rows) const;
    std::string bytes() const;  ///< the model, as XGBoost stores it
    bool trained() const { return booster_ != nullptr; }

private:
    std::vector<std::vector<float>> rows_;
    std::vector<float> labels_;
    void *booster_ = nullptr;
    size_t trained_on_ = 0;
};

}  // namespace emulsion::explore
