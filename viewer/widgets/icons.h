// Icons as letters of the interface's font, and the font that has them: a part of Material Design Icons (Pictogrammers,
// Apache-2.0), which the build fetches (cmake/Font.cmake). A line's comment is the icon's name there; the subset is
// made of the lines below.
#pragma once

#include <span>

namespace viewer {

std::span<const unsigned char> icon_font();  // TrueType

namespace icon {

inline constexpr char kRectangle[] = "\ue000";   // selection-drag
inline constexpr char kLasso[] = "\ue001";       // lasso
inline constexpr char kPolygon[] = "\ue002";     // vector-polygon
inline constexpr char kBrush[] = "\ue003";       // brush
inline constexpr char kColour[] = "\ue004";      // eyedropper
inline constexpr char kFlood[] = "\ue005";       // format-color-fill
inline constexpr char kSphere[] = "\ue006";      // sphere
inline constexpr char kBox[] = "\ue007";         // cube-outline
inline constexpr char kTransform[] = "\ue008";   // axis-arrow
inline constexpr char kCrop[] = "\ue009";        // crop
inline constexpr char kMeasure[] = "\ue00a";     // ruler
inline constexpr char kAlign[] = "\ue00b";       // vector-link
inline constexpr char kLook[] = "\ue00c";        // hand-back-right-outline
inline constexpr char kClean[] = "\ue00d";       // broom
inline constexpr char kOrbit[] = "\ue00e";       // rotate-orbit
inline constexpr char kFly[] = "\ue00f";         // airplane
inline constexpr char kFrame[] = "\ue010";       // image-filter-center-focus
inline constexpr char kParallel[] = "\ue011";    // cube-scan
inline constexpr char kFullScreen[] = "\ue012";  // fullscreen
inline constexpr char kUndo[] = "\ue013";        // undo
inline constexpr char kRedo[] = "\ue014";        // redo
inline constexpr char kAll[] = "\ue015";         // select-all
inline constexpr char kNone[] = "\ue016";        // select-off
inline constexpr char kInvert[] = "\ue017";      // select-inverse
inline constexpr char kGrow[] = "\ue018";        // arrow-expand-all
inline constexpr char kShrink[] = "\ue019";      // arrow-collapse-all
inline constexpr char kHide[] = "\ue01a";        // eye-off
inline constexpr char kLock[] = "\ue01b";        // lock
inline constexpr char kDelete[] = "\ue01c";      // delete-outline
inline constexpr char kDuplicate[] = "\ue01d";   // content-duplicate
inline constexpr char kSeparate[] = "\ue01e";    // call-split
inline constexpr char kShow[] = "\ue01f";        // eye
inline constexpr char kUnlock[] = "\ue020";      // lock-open-variant
inline constexpr char kMove[] = "\ue021";        // cursor-move
inline constexpr char kTurn[] = "\ue022";        // rotate-3d-variant
inline constexpr char kScale[] = "\ue023";       // resize
inline constexpr char kInside[] = "\ue024";      // set-center
inline constexpr char kOutside[] = "\ue025";     // set-left-right
inline constexpr char kCut[] = "\ue026";         // content-cut
inline constexpr char kSave[] = "\ue027";        // content-save-outline
inline constexpr char kRemove[] = "\ue028";      // close-circle-outline

}  // namespace icon
}  // namespace viewer
