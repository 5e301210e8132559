#pragma once
// A device as batches see it: memory, and queues of copies and kernels. Two classes implement it:
// host_machine.cpp on the processors of the host, cuda_machine.cu on a GPU.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/grid/subgoal_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/status.hpp"

namespace cairn::batch {

/// A queue of copies and of kernels over one form (an index as kernels see it, such as HnaForm).
/// Operations run in the order in which they are queued, and are done when wait() returns. Until
/// then the memory that they use must stay allocated. For one thread at a time.
template <class Form>
class Queue {
public:
    Queue() = default;
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    virtual ~Queue() = default;

    /// Copies between host memory and device memory, in either direction.
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    /// Answers the requests of a task; `reserve` must have made scratch for its form and query.
    virtual void answer(const Form& form, const KernelTask<Form>& task) = 0;
    /// Copies all paths of the task into the order of the requests.
    virtual void lay_out(const LayOutTask& task) = 0;
    /// Waits until the queue is empty. Errors: device_failed, with the device's message, if any
    /// operation since the last wait() failed.
    [[nodiscard]] virtual Status wait() = 0;
    /// Allocates the scratch of the kernel that answers `query` over `form`, for launches of up to
    /// `requests` requests. False if there is not enough memory.
    [[nodiscard]] virtual bool reserve(const Form& form, const typename Form::Query& query,
                                       std::uint32_t requests) = 0;
    /// Releases that scratch. The queue must be empty.
    virtual void release() noexcept = 0;
};

/// A device. All functions may be called from any thread.
class Machine {
public:
    explicit Machine(std::uint64_t max_bytes) noexcept : max_bytes_(max_bytes) {}
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    virtual ~Machine() = default;

    [[nodiscard]] virtual bool is_gpu() const noexcept = 0;
    [[nodiscard]] virtual std::string name() const = 0;
    /// Sets `queue` to a new queue, which the machine must outlive.
    virtual void make_queue(std::unique_ptr<Queue<HnaForm>>& queue) = 0;
    virtual void make_queue(std::unique_ptr<Queue<SubgoalForm>>& queue) = 0;
    virtual void make_queue(std::unique_ptr<Queue<HpaForm>>& queue) = 0;
    /// Host memory for copies: page-locked with CUDA. Null if there is not enough.
    [[nodiscard]] virtual void* allocate_host(std::size_t bytes) noexcept = 0;
    virtual void release_host(void* memory) noexcept = 0;

    /// Device memory. Null if there is not enough, or max_bytes would be exceeded.
    [[nodiscard]] void* allocate(std::size_t bytes) noexcept {
        if (in_use_.fetch_add(bytes) + bytes <= max_bytes_) {
            if (void* const memory = allocate_device(bytes); memory != nullptr) return memory;
        }
        in_use_ -= bytes;
        return nullptr;
    }
    void release(void* memory, std::size_t bytes) noexcept {
        release_device(memory);
        in_use_ -= bytes;
    }
    /// Bytes of device memory allocated at present.
    [[nodiscard]] std::uint64_t in_use() const noexcept { return in_use_; }

private:
    virtual void* allocate_device(std::size_t bytes) noexcept = 0;
    virtual void release_device(void* memory) noexcept = 0;

    std::uint64_t max_bytes_;
    std::atomic<std::uint64_t> in_use_{0};
};

[[nodiscard]] std::shared_ptr<Machine> host_machine(const DeviceOptions& options);
/// The GPU number `options.gpu`. Errors: no_device.
[[nodiscard]] Result<std::shared_ptr<Machine>> cuda_machine(const DeviceOptions& options);

/// An array in the device memory of a machine, or, as HostArray, in its host memory for copies.
template <class T, bool kOnHost = false>
class MachineArray {
public:
    explicit MachineArray(Machine& machine) noexcept : machine_(&machine) {}
    MachineArray(const MachineArray&) = delete;
    MachineArray& operator=(const MachineArray&) = delete;
    ~MachineArray() { clear(); }

    /// Makes room for `count` uninitialised items. If the array has to grow, its contents are lost.
    /// False, with no room at all, if there is not enough memory.
    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        if (count <= room_) return true;
        clear();
        const std::size_t bytes = count * sizeof(T);
        data_ =
            static_cast<T*>(kOnHost ? machine_->allocate_host(bytes) : machine_->allocate(bytes));
        if (data_ != nullptr) room_ = count;
        return data_ != nullptr;
    }
    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t room() const noexcept { return room_; }
    [[nodiscard]] T& operator[](std::size_t i) const noexcept { return data_[i]; }
    void clear() noexcept {
        if (data_ == nullptr) return;
        if (kOnHost)
            machine_->release_host(data_);
        else
            machine_->release(data_, room_ * sizeof(T));
        data_ = nullptr;
        room_ = 0;
    }
    void swap(MachineArray& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(room_, other.room_);
    }

private:
    Machine* machine_;
    T* data_ = nullptr;
    std::size_t room_ = 0;
};

template <class T>
using HostArray = MachineArray<T, true>;

}  // namespace cairn::batch
