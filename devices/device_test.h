// The first test of a GPU, in a process of its own: AMD's and NVIDIA's runtimes abort the process where a kernel
// faults, and hang where a driver does, so that nothing can be caught. A program takes part by calling
// device_test_process() first thing in main(); in one that does not, nothing is tested beforehand. Costs the start of a
// process and of the GPU's runtime, once in a process and device.
#pragma once

#include <optional>
#include <string>

namespace splat {

// The exit code of the process that tests a device, to be left at once by std::_Exit(); nothing: the words ask for
// something else.
std::optional<int> device_test_process(int count, char** words);

// "hip" or "cuda", index of the device. Empty: using it ends in a result or in an error. Else what it does, to follow
// the device's name: "ends the process that uses it (Segmentation fault)". HIPSPLAT_GPU_TEST_SECONDS: the longest
// test, 60.
std::string test_device_apart(const std::string& plugin, int index, bool deterministic);

}  // namespace splat
