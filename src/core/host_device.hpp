#pragma once
// Marks functions and loops that are compiled from one source for the host and for GPUs.

#ifdef __CUDACC__
#define CAIRN_HOST_DEVICE __host__ __device__
#else
#define CAIRN_HOST_DEVICE
#endif

/// Before a loop that has few rounds or a large body: nvcc unrolls most loops fourfold, and a
/// kernel that outgrows the instruction cache of a GPU waits for instructions.
#ifdef __CUDA_ARCH__
#define CAIRN_NO_UNROLL _Pragma("unroll 1")
#else
#define CAIRN_NO_UNROLL
#endif
