// What may be taken of memory, on recorded trees of /proc and /sys.
#include "app/jobs/host/memory_limits.h"

#include <gtest/gtest.h>

#include "app/jobs/host/host.h"
#include "tests/support/temp_folder.h"

namespace app {
namespace {

constexpr uint64_t kMB = 1'000'000;

// A machine with 16 GB of which 12 GB are available.
class Machine {
 public:
  Machine() {
    write("proc/meminfo", "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:   12000000 kB\n");
    write("proc/self/status", "Name:\thipsplat\nVmPeak:\t  400000 kB\nVmSize:\t  300000 kB\nVmData:\t  100000 kB\n");
    write("proc/self/limits",
          "Limit                     Soft Limit           Hard Limit           Units     \n"
          "Max data size             unlimited            unlimited            bytes     \n"
          "Max address space         unlimited            unlimited            bytes     \n");
  }
  void write(const std::string& path, const std::string& text) const { folder_.write(path, text); }
  void cgroup2(const std::string& path, const std::string& shown = "/") const {
    write("proc/self/cgroup", "0::" + path + "\n");
    write("proc/self/mountinfo", "24 1 0:22 / /proc rw - proc proc rw\n35 24 0:30 " + shown +
                                     " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  // A group of version 2 with this limit; `cache` of what it uses can be given back.
  void group2(const std::string& path, const std::string& limit, uint64_t used, uint64_t cache) const {
    const std::string folder = "sys/fs/cgroup/" + path + "/";
    write(folder + "memory.max", limit + "\n");
    write(folder + "memory.high", "max\n");
    write(folder + "memory.current", std::to_string(used) + "\n");
    write(folder + "memory.stat", "anon 1\nfile 2\ninactive_file " + std::to_string(cache / 2) + "\nactive_file " +
                                      std::to_string(cache / 4) + "\nslab_reclaimable " + std::to_string(cache / 4) +
                                      "\n");
  }
  HostMemory memory() const { return host_memory(folder_.path()); }
  std::vector<MemoryLimit> limits() const { return memory_limits(folder_.path()); }

 private:
  splat::test::TempFolder folder_;
};

TEST(MemoryLimits, WithoutLimitsTheMachineDecides) {
  const Machine machine;
  const HostMemory memory = machine.memory();
  EXPECT_EQ(memory.total_bytes, 16'000'000ull * 1024);
  EXPECT_EQ(memory.available_bytes, 12'000'000ull * 1024);
  EXPECT_EQ(memory.limited_by, "machine");
}

TEST(MemoryLimits, PageCacheOfAContainerIsNotTaken) {
  const Machine machine;
  machine.cgroup2("/");
  machine.group2("", "1000000000", 990 * kMB, 800 * kMB);
  EXPECT_EQ(machine.memory().available_bytes, 810 * kMB);
  EXPECT_EQ(machine.memory().total_bytes, 1000 * kMB);
  EXPECT_EQ(machine.memory().limited_by, "cgroup /");
}

TEST(MemoryLimits, EveryLevelUpToTheRootCounts) {
  const Machine machine;
  machine.cgroup2("/slurm/job_7/step_0");
  machine.group2("slurm/job_7/step_0", "max", 10 * kMB, 0);
  machine.group2("slurm/job_7", "200000000", 50 * kMB, 0);
  machine.group2("slurm", "4000000000", 3900 * kMB, 0);
  EXPECT_EQ(machine.memory().available_bytes, 100 * kMB) << "the job may have 150, but all jobs together only 100";
  EXPECT_EQ(machine.memory().total_bytes, 200 * kMB);
  EXPECT_EQ(machine.memory().limited_by, "cgroup /slurm");
  EXPECT_EQ(machine.limits().size(), 3u);
}

TEST(MemoryLimits, MemoryHighIsALimitToo) {
  const Machine machine;
  machine.cgroup2("/job");
  machine.group2("job", "2000000000", 100 * kMB, 0);
  machine.write("sys/fs/cgroup/job/memory.high", "500000000\n");
  EXPECT_EQ(machine.memory().available_bytes, 400 * kMB);
}

// As in a container whose /sys/fs/cgroup shows its own group alone, without a namespace of its own.
TEST(MemoryLimits, WhatTheMountShowsIsCutOff) {
  const Machine machine;
  machine.cgroup2("/docker/abc/inner", "/docker/abc");
  machine.group2("inner", "300000000", 100 * kMB, 0);
  machine.group2("", "900000000", 100 * kMB, 0);
  EXPECT_EQ(machine.memory().available_bytes, 200 * kMB);
  machine.cgroup2("/../../other");  // outside of what is shown
  EXPECT_EQ(machine.memory().available_bytes, 800 * kMB);
}

TEST(MemoryLimits, VersionOne) {
  const Machine machine;
  machine.write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/batch/job\n0::/\n");
  machine.write("proc/self/mountinfo",
                "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n");
  const auto group = [&](const std::string& path, const std::string& limit, uint64_t used) {
    const std::string folder = "sys/fs/cgroup/memory" + path + "/";
    machine.write(folder + "memory.limit_in_bytes", limit + "\n");
    machine.write(folder + "memory.usage_in_bytes", std::to_string(used) + "\n");
    machine.write(
        folder + "memory.stat",
        "cache 7\ninactive_file 1\ntotal_cache 9\ntotal_inactive_file 30000000\ntotal_active_file 20000000\n");
  };
  group("", "9223372036854771712", 5000 * kMB);
  group("/batch", "9223372036854771712", 500 * kMB);
  group("/batch/job", "300000000", 280 * kMB);
  EXPECT_EQ(machine.memory().available_bytes, 70 * kMB);
  EXPECT_EQ(machine.memory().limited_by, "cgroup /batch/job");
  EXPECT_EQ(machine.limits().size(), 2u) << "groups without a limit are not listed";
}

TEST(MemoryLimits, TheShellsLimitsCount) {
  const Machine machine;
  machine.write("proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                "Max data size             200000000            unlimited            bytes     \n"
                "Max address space         8192000000           unlimited            bytes     \n");
  const std::vector<MemoryLimit> limits = machine.limits();
  ASSERT_EQ(limits.size(), 3u);
  EXPECT_EQ(limits[1].name, "ulimit -v");
  EXPECT_EQ(limits[1].available_bytes, 8'192'000'000ull - 300'000ull * 1024);
  EXPECT_EQ(limits[2].name, "ulimit -d");
  EXPECT_EQ(machine.memory().available_bytes, 200'000'000ull - 100'000ull * 1024);
  EXPECT_EQ(machine.memory().limited_by, "ulimit -d");
}

TEST(MemoryLimits, WhatCannotBeReadIsNoLimit) {
  const Machine machine;
  machine.cgroup2("/job");
  machine.write("sys/fs/cgroup/job/memory.max", "nonsense\n");
  EXPECT_EQ(machine.memory().limited_by, "machine");
  machine.write("proc/self/cgroup", "no colons here\n:::::\n");
  machine.write("proc/self/mountinfo", "- cgroup2\n1 2 3 - \n - cgroup2 x y\n");
  EXPECT_EQ(machine.memory().limited_by, "machine");
}

}  // namespace
}  // namespace app
