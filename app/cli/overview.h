// What --help and the manual page both say of the program as a whole: its commands and its exit codes.
#pragma once

namespace app {

struct Synopsis {
  const char* words;  // behind "hipsplat"; the user's own between stars: "train *DATASET* -o *OUT*"
  const char* what;
};

inline constexpr Synopsis kSynopses[] = {
    {"[*SPLATS*|*DATASET*]", "the window: view splats, or train on a dataset and watch"},
    {"*SPLATS* *SPLATS*...", "the window with several splat files in one scene"},
    {"*SPLATS* --serve", "a browser in its place, here or through ssh"},
    {"train *DATASET* -o *OUT*", "COLMAP or transforms.json folder in, splat file or folder out"},
    {"train *PHOTOS*|*VIDEO* -o *OUT*", "without cameras: finds them first, with COLMAP"},
    {"align *PHOTOS*|*VIDEO* -o *SCENE*", "finds the cameras alone"},
    {"evaluate *SPLATS* --data *DATASET*", "PSNR, SSIM and FLIP on the held-out views"},
    {"render *SPLATS* --cameras *DATASET*|*RUN* -o *DIR*", "a picture for each camera"},
    {"render *SPLATS* --path *FILE*|orbit|wiggle|photos -o *FILM*", "a film, or pictures, along a path"},
    {"convert *IN*... *OUT*", "between splat formats, with filters and transforms"},
    {"mesh *SPLATS* -o *FILE*", "a triangle mesh, textured by the photos of --data"},
    {"info *SPLATS*|*DATASET*", "what it contains, and what is wrong with it"},
    {"thumbnail *SPLATS* -o *PNG*", "a small picture, as file managers show it"},
    {"blocks plan|train|merge|all|status *DATASET*|*CITY*", "a scene too large for one run, in blocks"},
    {"doctor", "which backends and devices work on this machine"},
    {"bench", "how fast this machine trains, stage by stage"}};

struct ExitStatus {
  const char* code;
  const char* what;
};

inline constexpr ExitStatus kExitStatus[] = {
    {"0", "done"},
    {"1", "failed while running"},
    {"2", "wrong usage, or input or output that cannot be used; nothing was written"},
    {"3", "the requested backend, or a window, is not usable here"},
    {"130", "interrupted, after a checkpoint was written"}};

}  // namespace app
