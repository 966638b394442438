#include "app/jobs/blocks/scripts.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/support/temp_folder.h"

namespace app {
namespace {

City city_of(const std::filesystem::path& folder) {
  City city;
  city.folder = folder;
  for (const uint64_t bytes : {100'000'000, 300'000'000, 200'000'000})
    city.blocks.emplace_back().predicted_bytes = bytes;
  return city;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Scripts, AskForWhatTheLargestBlockNeeds) {
  const City city = city_of({});
  EXPECT_TRUE(contains(slurm_array(city), "#SBATCH --array=0-2\n"));
  EXPECT_TRUE(contains(slurm_array(city), "#SBATCH --mem=330M\n"));
  EXPECT_TRUE(contains(slurm_array(city), "#SBATCH --requeue\n"));
  EXPECT_TRUE(contains(slurm_submit(), "--dependency=\"afterok:"));
  EXPECT_TRUE(contains(kubernetes_jobs(city), "completions: 3\n"));
  EXPECT_TRUE(contains(kubernetes_jobs(city), "memory: 330M\n"));
}

TEST(Scripts, AreShellScriptsThatParse) {
  const splat::test::TempFolder folder;
  ASSERT_TRUE(write_scripts(city_of(folder.path())).ok());
  for (const char* name : {"blocks.sbatch", "merge.sbatch", "submit.sh"}) {
    const std::string command = "sh -n '" + (folder.path() / name).string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
  }
  using std::filesystem::perms;
  EXPECT_NE(status(folder.path() / "submit.sh").permissions() & perms::owner_exec, perms::none);
}

}  // namespace
}  // namespace app
