// A context of Dear ImGui of 400x300 px, without a window, for a test.
#pragma once

#include <gtest/gtest.h>
#include <imgui/imgui.h>

namespace viewer {

class ImGuiTest : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400, 300};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  }
  void TearDown() override { ImGui::DestroyContext(); }
};

}  // namespace viewer
