#pragma once
// Marks functions that run on the host and on a GPU, of one source.

#ifdef __CUDACC__
#define CAIRN_HOST_DEVICE __host__ __device__
#else
#define CAIRN_HOST_DEVICE
#endif
