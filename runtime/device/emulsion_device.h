/* The C ABI of the emulated device: what compiled kernels call, and what a host program may ask about the last launch. */
#ifndef EMULSION_DEVICE_H
#define EMULSION_DEVICE_H

#include "HalideRuntime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs a program. Called by the functions that add_emulsion_library makes.
 *   container     1-dimensional u8 buffer holding a .npu file; must stay unchanged at its place until the process ends
 *   machine       1-dimensional u8 buffer holding the text of the machine file the program was compiled for
 *   buffers       inputs and outputs, in the order of the program's regions; owned by the caller
 *   scalars       scalar arguments, in the order of the program's; f32 as its bits
 * Returns 0, or a negative halide_error_code_t after reporting a coded message through halide_error (when the Halide
 * runtime is linked) or standard error. Thread safe.
 * Environment: EMULSION_REPORT=text or json writes one report per launch to standard error. */
int emulsion_launch(void *user_context, const struct halide_buffer_t *container, const struct halide_buffer_t *machine,
                    struct halide_buffer_t *const *buffers, int32_t buffer_count, const int64_t *scalars,
                    int32_t scalar_count);

struct emulsion_report_t {
    uint64_t cycles;
    uint64_t busy[6]; /* cycles, by queue: CTL LD ST MX OU VX */
    uint64_t macs;
    double utilisation; /* of the MAC array, 0 to 1 */
    uint64_t ext_read, ext_written; /* bytes */
    double energy_pj;
};

/* Timing of this thread's last successful launch. Computed on demand. Returns 0, or -1 when there is none. */
int emulsion_last_report(struct emulsion_report_t *report);

/* The message of this thread's last failed launch, "" when none failed. Valid until the next launch of this thread. */
const char *emulsion_last_error(void);

#ifdef __cplusplus
}
#endif
#endif
