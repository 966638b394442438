#include "viewer/widgets/fonts.h"

#include <fcntl.h>
#include <fontconfig/fontconfig.h>
#include <imgui/imgui.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <span>

#include "viewer/widgets/icons.h"
#include "viewer/widgets/shipped_fonts.h"

namespace viewer {
namespace {

constexpr ImWchar kIconLetters[] = {0xe000, 0xe0ff, 0};  // of icons.h, in whatever font has letters of its own there
constexpr const char* kFamilies = "DejaVu Sans,Noto Sans,sans-serif";  // in order of preference

// A letter of each script that names of files are likely to have.
constexpr FcChar32 kScripts[] = {U'a', U'ł', U'α', U'ж', U'漢', U'汉', U'か', U'한', U'א', U'ع', U'ก', U'अ'};

template <class T, void (*destroy)(T*)>
struct Destroyer {
  void operator()(T* one) const { destroy(one); }
};
using Config = std::unique_ptr<FcConfig, Destroyer<FcConfig, FcConfigDestroy>>;
using Pattern = std::unique_ptr<FcPattern, Destroyer<FcPattern, FcPatternDestroy>>;
using FontSet = std::unique_ptr<FcFontSet, Destroyer<FcFontSet, FcFontSetDestroy>>;

// By outlines that ImGui's rasteriser reads; no pictures, no icons in colour.
bool usable(const FcPattern* font) {
  FcBool outline = FcFalse, colour = FcFalse;
  FcChar8* format = nullptr;
  FcPatternGetBool(font, FC_OUTLINE, 0, &outline);
  FcPatternGetBool(font, FC_COLOR, 0, &colour);
  if (FcPatternGetString(font, FC_FONTFORMAT, 0, &format) != FcResultMatch) return false;
  const std::string name = reinterpret_cast<const char*>(format);
  return outline && !colour && (name == "TrueType" || name == "CFF");
}

FontFile file_of(const FcPattern* font) {
  FontFile file;
  FcChar8* path = nullptr;
  if (FcPatternGetString(font, FC_FILE, 0, &path) == FcResultMatch) file.path = reinterpret_cast<const char*>(path);
  FcPatternGetInteger(font, FC_INDEX, 0, &file.index);
  file.index &= 0xffff;  // above: an instance of a variable font
  return file;
}

}  // namespace

std::vector<FontFile> interface_fonts() {
  const Config config(FcInitLoadConfigAndFonts());
  if (!config) return {};
  const Pattern wanted(FcNameParse(reinterpret_cast<const FcChar8*>(kFamilies)));
  FcConfigSubstitute(config.get(), wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result;
  const FontSet sorted(FcFontSort(config.get(), wanted.get(), FcTrue, nullptr, &result));
  if (!sorted) return {};
  std::vector<FontFile> files;
  std::vector<FcChar32> missing(std::begin(kScripts), std::end(kScripts));
  for (int i = 0; i < sorted->nfont && !missing.empty(); ++i) {
    const FcPattern* font = sorted->fonts[i];
    FcCharSet* letters = nullptr;
    if (!usable(font) || FcPatternGetCharSet(font, FC_CHARSET, 0, &letters) != FcResultMatch) continue;
    const bool main_font = files.empty();
    if (main_font && !FcCharSetHasChar(letters, U'a')) continue;
    const size_t had = missing.size();
    std::erase_if(missing, [&](FcChar32 letter) { return FcCharSetHasChar(letters, letter); });
    if (missing.size() < had) files.push_back(file_of(font));
  }
  return files;
}

Fonts::~Fonts() {
  for (const Mapping& mapping : mappings_) munmap(mapping.start, mapping.bytes);
}

namespace {

void add_font(std::span<const unsigned char> file, bool behind_the_last, int index = 0) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.MergeMode = behind_the_last;
  config.FontNo = ImU32(index);
  if (file.data() != icon_font().data()) config.GlyphExcludeRanges = kIconLetters;
  // Dear ImGui takes what it does not own as it is.
  ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(file.data()), int(file.size()), 0, &config);
}

}  // namespace

void Fonts::load(const std::vector<FontFile>& files) {
  const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const std::vector<std::span<const unsigned char>> shipped = shipped_fonts();
  if (!shipped.empty()) add_font(shipped.front(), false);
  for (const FontFile& file : files) {
    const int descriptor = open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (descriptor < 0) continue;
    void* start = fstat(descriptor, &about) == 0 && about.st_size > 0
                      ? mmap(nullptr, size_t(about.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0)
                      : MAP_FAILED;
    close(descriptor);
    if (start == MAP_FAILED) continue;
    mappings_.push_back({start, size_t(about.st_size)});
    add_font({static_cast<const unsigned char*>(start), size_t(about.st_size)}, !atlas.Fonts.empty(), file.index);
  }
  if (atlas.Fonts.empty()) ImGui::GetIO().Fonts->AddFontDefault();
  add_font(icon_font(), true);
  if (shipped.size() > 1) add_font(shipped[1], false);
}

ImFont* heading_font() {
  const ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
  return fonts.empty() ? nullptr : fonts.back();
}

}  // namespace viewer
