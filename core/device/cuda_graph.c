/* The cuda backend's graphs: work given to a stream, recorded instead of executed. */
#include <stdlib.h>

#include "core/device/cuda_device.h"

struct graph {
    CUgraphExec exec;
};

/* Other threads' calls to the driver for other streams are harmless meanwhile. */
enum err cuda_record_begin(struct device *dev)
{
    TRY(enter(dev));
    return CU(cuStreamBeginCapture(dev->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
}

/* The driver frees one that is executing when it has finished. */
void cuda_graph_free(struct device *dev, struct graph *g)
{
    if (!g)
        return;
    if (g->exec && cuda_api.cuCtxSetCurrent(dev->context) == CUDA_SUCCESS)
        cuda_api.cuGraphExecDestroy(g->exec);
    free(g);
}

static enum err make_graph(struct device *dev, CUgraph recorded, struct graph **g)
{
    struct graph *new = calloc(1, sizeof *new);
    if (!new)
        FAIL(MEMORY, "no memory for a graph's description");
    const enum err e = CU(cuGraphInstantiate(&new->exec, recorded, 0));
    if (e)
        cuda_graph_free(dev, new);
    else
        *g = new;
    return e;
}

/* The stream leaves capture mode even if capturing failed before. */
enum err cuda_record_end(struct device *dev, struct graph **g)
{
    CUgraph recorded = NULL;
    enum err e = ERR_OK;
    cuda_api.cuCtxSetCurrent(dev->context);
    const CUresult r = cuda_api.cuStreamEndCapture(dev->stream, &recorded);
    if (g) {
        *g = NULL;
        e = cuda_check(r, "cuStreamEndCapture", __FILE__, __LINE__);
        if (!e)
            e = make_graph(dev, recorded, g);
    }
    if (recorded)
        cuda_api.cuGraphDestroy(recorded);
    return e;
}

enum err cuda_replay(struct device *dev, struct graph *g)
{
    TRY(enter(dev));
    return CU(cuGraphLaunch(g->exec, dev->stream));
}
