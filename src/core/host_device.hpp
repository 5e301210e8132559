#pragma once
// Marks functions that are compiled from one source for the host and for GPUs.

#ifdef __CUDACC__
#define CAIRN_HOST_DEVICE __host__ __device__
#else
#define CAIRN_HOST_DEVICE
#endif
