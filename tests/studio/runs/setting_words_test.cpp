// What the settings of training are called in the window, and what is said of their values.
#include "studio/runs/setting_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "studio/documents/training_choices.h"
#include "studio/runs/run_words.h"

namespace studio {
namespace {

const std::vector<OptionRow>& rows() { return training_settings(); }

const OptionRow& row_of(const std::string& name) {
  const OptionRow* row = find_row(rows(), name);
  EXPECT_NE(row, nullptr) << name;
  return row ? *row : rows().front();
}

TEST(SettingWords, LabelsAreThoseOfTheRows) {
  for (const auto& [name, label] : {std::pair{"ssim-weight", "SSIM weight"},
                                    {"mean-rate-first", "Learning rate of positions at the start"},
                                    {"mcmc-opacity-rate", "MCMC: learning rate of opacity"},
                                    {"budget-growth", "Budget: growth of a step"},
                                    {"prune-radius-px", "Remove above this radius"},
                                    {"test-images", "Held-out photos"},
                                    {"images", "Photos"},
                                    {"test-every", "Test every"},  // the row has none
                                    {"of-a-later-version", "of-a-later-version"}})
    EXPECT_EQ(setting_label(name), label);
}

TEST(SettingWords, NoSettingSpeaksCommandLine) {
  std::set<std::string> labels;
  for (const OptionRow& row : rows()) {
    const std::string label = label_of(row);
    EXPECT_FALSE(is_fine_setting(row) && row.label.empty()) << row.name << " needs a label in its table";
    EXPECT_TRUE(labels.insert(label).second) << label << " is two settings";
    EXPECT_FALSE(std::islower(static_cast<unsigned char>(label[0]))) << label;
    EXPECT_EQ(label.find("--"), std::string::npos) << label;
    EXPECT_NE(kind_of(row), ValueKind::kText) << row.name << " " << row.value;
    EXPECT_NE(setting_tip(row).find("On the command line --" + row.name), std::string::npos);
  }
}

TEST(SettingWords, KindsAndUnitsOfValues) {
  for (const auto& [name, kind] : {std::pair{"surface", ValueKind::kYesNo},
                                   {"strategy", ValueKind::kChoice},
                                   {"ssim-weight", ValueKind::kNumber},
                                   {"low-pass", ValueKind::kNumber},
                                   {"save-at", ValueKind::kNumbers},
                                   {"test-images", ValueKind::kNames},
                                   {"masks", ValueKind::kFolder},
                                   {"init", ValueKind::kFile}})
    EXPECT_EQ(words_of(kind_of(row_of(name))), std::string(words_of(kind))) << name;
  for (const auto& [name, unit] : {std::pair{"low-pass", "px²"},
                                   {"prune-radius-px", "px"},
                                   {"minutes", "minutes"},
                                   {"densify-from", "iterations"},
                                   {"mcmc-every", "iterations"},
                                   {"densify-until", "iterations"},
                                   {"budget-every", "iterations"},
                                   {"random-splats", "splats"},
                                   {"budget-veil-photos", "photos"},
                                   {"densify-gradient", "NDC"},
                                   {"budget-dropout", ""},
                                   {"opacity-rate", ""}})
    EXPECT_EQ(row_of(name).unit, unit) << name;
  EXPECT_EQ(choice_text("auto"), "automatic");
  EXPECT_EQ(choice_text("mcmc"), "mcmc");
}

TEST(SettingWords, WhatRunsDifferInIsSaidInWords) {
  PastRun run;
  run.differs = {{"eval", "true"}, {"sh-degree", "2"}};
  EXPECT_EQ(differences_text(run), "Hold out photos yes, SH degree 2");
}

TEST(SettingWords, AValueThatCannotBeIsSaidInWords) {
  const auto said = [](const std::string& name, const std::string& value) {
    return in_words(problem_of(name, value), rows());
  };
  EXPECT_EQ(said("opacity-rate", "much"), "Learning rate of opacity needs a number, not 'much'");
  EXPECT_EQ(said("ssim-weight", "2"), "SSIM weight is 2 but must lie between 0 and 1");
  EXPECT_TRUE(said("save-at", "7,x").starts_with("Save splats at needs a whole number"));
  for (const auto& [name, value] : {std::pair{"opacity-rate", "0.1"},
                                    {"surface", ""},
                                    {"save-at", "5,7"},
                                    {"images", "elsewhere"},
                                    {"strategy", "mcmc"}})
    EXPECT_EQ(said(name, value), "") << name;
  EXPECT_EQ(in_words("--ssim-weight: ssim_weight is 2 but", rows()), "SSIM weight is 2 but");
  EXPECT_EQ(in_words("--masks: there is no folder", rows()), "Masks: there is no folder");
  EXPECT_EQ(in_words("--output is missing", rows()), "--output is missing") << "no setting of the list";
}

}  // namespace
}  // namespace studio
