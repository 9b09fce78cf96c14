/* Backends, precisions and modes, in the order of their enums. */
#include "core/device/backend.h"

const struct backend *const backends[BACKENDS] = {[CPU] = &backend_cpu, [CUDA] = &backend_cuda};

const char *const precision_names[PRECISIONS + 1] = {[F32] = "f32", [F64] = "f64"};
const char *const mode_names[MODES + 1] = {[STRICT] = "strict", [FAST_MODE] = "fast"};
