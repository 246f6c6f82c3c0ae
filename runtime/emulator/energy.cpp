#include "runtime/emulator/energy.h"

namespace emulsion {
namespace {

struct EnergyRow {
    uint64_t Activity::*count;
    double EnergyDesc::*pj;
};

constexpr EnergyRow rows[] = {
    {&Activity::mac_i8, &EnergyDesc::mac_i8},        {&Activity::mac_f16, &EnergyDesc::mac_f16},
    {&Activity::mac_f32, &EnergyDesc::mac_f32},      {&Activity::spm_bytes, &EnergyDesc::spm_byte},
    {&Activity::acc_bytes, &EnergyDesc::acc_byte},   {&Activity::ext_bytes, &EnergyDesc::ext_byte},
    {&Activity::vector_ops, &EnergyDesc::vector_op}, {&Activity::lookups, &EnergyDesc::lookup},
    {&Activity::issued, &EnergyDesc::issue},
};

}  // namespace

Activity &Activity::operator+=(const Activity &o) {
    for (const EnergyRow &r : rows) this->*r.count += o.*r.count;
    return *this;
}

double energy_pj(const Activity &activity, const EnergyDesc &energy, uint64_t cycles) {
    double sum = static_cast<double>(cycles) * energy.static_per_cycle;
    for (const EnergyRow &r : rows) sum += static_cast<double>(activity.*r.count) * energy.*r.pj;
    return sum;
}

}  // namespace emulsion
