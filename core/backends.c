/* The list of backends, in the order of enum backend_kind. */
#include "core/backend.h"

const struct backend *const backends[BACKENDS] = {[CPU] = &backend_cpu, [CUDA] = &backend_cuda};
