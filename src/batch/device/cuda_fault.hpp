#pragma once
// What an error number of CUDA means for a device. Numbers are those of the CUDA runtime, which
// the driver shares; without CUDA's headers, so that tests run where there is no CUDA.

#include <cstdint>

#include "cairn/status.hpp"

namespace cairn::batch {

enum class CudaFault : std::uint8_t {
    none,
    out_of_memory,  ///< an allocation found no memory; smaller ones may succeed
    no_gpu,         ///< no GPU, no driver for it, or no kernels that it can run
    lasting,        ///< no later CUDA call of the process works on this GPU
    passing,        ///< the call failed; later calls may work
};

[[nodiscard]] constexpr CudaFault cuda_fault(int error) noexcept {
    switch (error) {
        case 0:
            return CudaFault::none;
        case 2:  // cudaErrorMemoryAllocation
            return CudaFault::out_of_memory;
        case 3:    // cudaErrorInitializationError
        case 34:   // cudaErrorStubLibrary
        case 35:   // cudaErrorInsufficientDriver
        case 36:   // cudaErrorCallRequiresNewerDriver
        case 46:   // cudaErrorDevicesUnavailable
        case 98:   // cudaErrorInvalidDeviceFunction
        case 100:  // cudaErrorNoDevice
        case 101:  // cudaErrorInvalidDevice
        case 102:  // cudaErrorDeviceNotLicensed
        case 103:  // cudaErrorSoftwareValidityNotEstablished
        case 127:  // cudaErrorStartupFailure
        case 200:  // cudaErrorInvalidKernelImage
        case 209:  // cudaErrorNoKernelImageForDevice
        case 218:  // cudaErrorInvalidPtx
        case 221:  // cudaErrorJitCompilerNotFound
        case 222:  // cudaErrorUnsupportedPtxVersion
        case 223:  // cudaErrorJitCompilationDisabled
        case 802:  // cudaErrorSystemNotReady
        case 803:  // cudaErrorSystemDriverMismatch
        case 804:  // cudaErrorCompatNotSupportedOnDevice
        case 805:  // cudaErrorMpsConnectionFailed
        case 807:  // cudaErrorMpsServerNotReady
        case 808:  // cudaErrorMpsMaxClientsReached
        case 809:  // cudaErrorMpsMaxConnectionsReached
            return CudaFault::no_gpu;
        case 4:    // cudaErrorCudartUnloading
        case 201:  // cudaErrorDeviceUninitialized: also a context that was destroyed
        case 214:  // cudaErrorECCUncorrectable
        case 220:  // cudaErrorNvlinkUncorrectable
        case 226:  // cudaErrorContained
        case 700:  // cudaErrorIllegalAddress
        case 702:  // cudaErrorLaunchTimeout
        case 709:  // cudaErrorContextIsDestroyed
        case 710:  // cudaErrorAssert
        case 714:  // cudaErrorHardwareStackError
        case 715:  // cudaErrorIllegalInstruction
        case 716:  // cudaErrorMisalignedAddress
        case 717:  // cudaErrorInvalidAddressSpace
        case 718:  // cudaErrorInvalidPc
        case 719:  // cudaErrorLaunchFailure
        case 721:  // cudaErrorTensorMemoryLeak
        case 810:  // cudaErrorMpsClientTerminated
        case 911:  // cudaErrorExternalDevice
            return CudaFault::lasting;
        default:
            return CudaFault::passing;
    }
}

/// The status of a call that failed with this fault.
[[nodiscard]] constexpr StatusCode status_of(CudaFault fault) noexcept {
    switch (fault) {
        case CudaFault::none:
            return StatusCode::ok;
        case CudaFault::out_of_memory:
            return StatusCode::out_of_memory;
        case CudaFault::no_gpu:
            return StatusCode::no_device;
        case CudaFault::lasting:
        case CudaFault::passing:
            break;
    }
    return StatusCode::device_failed;
}

}  // namespace cairn::batch
