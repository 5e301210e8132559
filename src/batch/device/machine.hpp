#pragma once
// A device as batches see it: memory, and queues of copies and kernels. Two classes implement it:
// host_machine.cpp on the processors of the host, cuda_machine.cu on a GPU.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/grid/subgoal_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/status.hpp"

namespace cairn::batch {

/// What Queue::keep_times sums up.
enum class QueuedWork : std::uint8_t { copy, answer, lay_out };

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
    /// Waits until the queue is empty. Errors: device_failed or out_of_memory, with the device's
    /// message, if any operation since the last wait() failed.
    [[nodiscard]] virtual Status wait() = 0;
    /// Allocates the scratch of the kernel that answers `query` over `form`, for launches of up to
    /// `requests` requests. Errors: out_of_memory; device_failed.
    [[nodiscard]] virtual Status reserve(const Form& form, const typename Form::Query& query,
                                         std::uint32_t requests) = 0;
    /// Releases that scratch. The queue must be empty.
    virtual void release() noexcept = 0;

    /// From now on the device measures its operations, or not: by default it does not. The queue
    /// must be empty.
    void keep_times(bool keep) noexcept { timed_ = keep; }
    /// The times of all operations since the last call, each added once by wait().
    [[nodiscard]] DeviceTimes take_times() noexcept { return std::exchange(times_, {}); }

protected:
    [[nodiscard]] bool timed() const noexcept { return timed_; }
    void add_time(QueuedWork work, double milliseconds) noexcept {
        double& sum = work == QueuedWork::copy     ? times_.copies_ms
                      : work == QueuedWork::answer ? times_.answer_ms
                                                   : times_.lay_out_ms;
        sum += milliseconds;
    }

private:
    bool timed_ = false;
    DeviceTimes times_;
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
    [[nodiscard]] virtual std::vector<DeviceProperty> properties() const = 0;
    [[nodiscard]] virtual std::vector<DeviceKernel> kernels() const { return {}; }
    /// device_failed, with the first error after which nothing works on the device any more; ok
    /// until then.
    [[nodiscard]] virtual Status failure() const { return {}; }
    /// Sets `queue` to a new queue, which the machine must outlive.
    virtual void make_queue(std::unique_ptr<Queue<HnaForm>>& queue) = 0;
    virtual void make_queue(std::unique_ptr<Queue<SubgoalForm>>& queue) = 0;
    virtual void make_queue(std::unique_ptr<Queue<HpaForm>>& queue) = 0;
    /// Host memory for copies: page-locked with CUDA. Errors: out_of_memory; device_failed.
    [[nodiscard]] virtual Status allocate_host(std::size_t bytes, void*& memory) noexcept = 0;
    virtual void release_host(void* memory) noexcept = 0;

    /// Device memory. Errors: out_of_memory, also if max_bytes would be exceeded; device_failed.
    [[nodiscard]] Status allocate(std::size_t bytes, void*& memory) noexcept {
        Status status{StatusCode::out_of_memory, {}};
        if (in_use_.fetch_add(bytes) + bytes <= max_bytes_) status = allocate_device(bytes, memory);
        if (!status.ok()) in_use_ -= bytes;
        return status;
    }
    void release(void* memory, std::size_t bytes) noexcept {
        release_device(memory);
        in_use_ -= bytes;
    }
    /// Bytes of device memory allocated at present.
    [[nodiscard]] std::uint64_t in_use() const noexcept { return in_use_; }

    /// See Device::why_no_gpu.
    [[nodiscard]] const Status& why_no_gpu() const noexcept { return why_no_gpu_; }
    /// Call it before others use the machine.
    void set_why_no_gpu(Status why) noexcept { why_no_gpu_ = std::move(why); }

private:
    virtual Status allocate_device(std::size_t bytes, void*& memory) noexcept = 0;
    virtual void release_device(void* memory) noexcept = 0;

    std::uint64_t max_bytes_;
    std::atomic<std::uint64_t> in_use_{0};
    Status why_no_gpu_;
};

[[nodiscard]] std::shared_ptr<Machine> host_machine(const DeviceOptions& options);
/// The GPU number `options.gpu`, which has passed a probe. Errors: no_device; device_failed;
/// out_of_memory.
[[nodiscard]] Result<std::shared_ptr<Machine>> cuda_machine(const DeviceOptions& options);
/// What Device::open gives for checked options. `open_gpu` is cuda_machine, except in tests.
[[nodiscard]] Result<std::shared_ptr<Machine>> open_machine(
    const DeviceOptions& options,
    Result<std::shared_ptr<Machine>> (*open_gpu)(const DeviceOptions& options));

/// An array in the device memory of a machine, or, as HostArray, in its host memory for copies.
template <class T, bool kOnHost = false>
class MachineArray {
public:
    explicit MachineArray(Machine& machine) noexcept : machine_(&machine) {}
    MachineArray(const MachineArray&) = delete;
    MachineArray& operator=(const MachineArray&) = delete;
    ~MachineArray() { clear(); }

    /// Makes room for `count` uninitialised items. If the array has to grow, its contents are lost.
    /// Errors, which leave no room at all: out_of_memory; device_failed.
    [[nodiscard]] Status reserve(std::size_t count) noexcept {
        if (count <= room_) return {};
        clear();
        const std::size_t bytes = count * sizeof(T);
        void* memory = nullptr;
        Status status =
            kOnHost ? machine_->allocate_host(bytes, memory) : machine_->allocate(bytes, memory);
        if (!status.ok()) return status;
        data_ = static_cast<T*>(memory);
        room_ = count;
        return status;
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

/// Makes room for `count` items in each array. Errors: as MachineArray::reserve.
template <class... Arrays>
[[nodiscard]] Status reserve_all(std::size_t count, Arrays&... arrays) noexcept {
    Status status;
    static_cast<void>(((status = arrays.reserve(count)).ok() && ...));
    return status;
}

}  // namespace cairn::batch
