// The camera: position and unit quaternion wxyz (world_from_cam; camera x right, y down, z forward), vertical field of
// view in radians, distance of the pivot ahead. Twins: viewer/camera/camera_moves.cpp, camera_state.cpp.
const V = {
  add: (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  unit: a => a.map(x => x / Math.hypot(...a)),
};
const Q = {
  times: (a, b) => [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]],
  about: (axis, angle) => [Math.cos(angle / 2), ...axis.map(x => x * Math.sin(angle / 2))],
  unit: q => q.map(x => x / Math.hypot(...q)),
  // right, down, forward
  axes: ([w, x, y, z]) => [[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
                           [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
                           [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]],
  between(a, b, t) {
    let cosine = a.reduce((sum, x, i) => sum + x * b[i], 0);
    if (cosine < 0) b = b.map(x => -x), cosine = -cosine;
    const angle = Math.acos(Math.min(1, cosine)), s = Math.sin(angle);
    if (s < 1e-5) return Q.unit(a.map((x, i) => x + t * (b[i] - x)));
    return a.map((x, i) => (x * Math.sin((1 - t) * angle) + b[i] * Math.sin(t * angle)) / s);
  },
};

class Camera {
  constructor(scene) {
    this.scene = scene;
    this.up = scene.up;
    this.set(scene.home);
  }
  // {p, q, fov, d} with the vertical field of view in degrees; a photo's {p, q, d, lens: {fx, fy, cx, cy, w, h}};
  // home's has a box for fit().
  set(state) {
    this.p = [...state.p];
    this.q = Q.unit(state.q);
    this.d = state.d > 0 ? state.d : this.d || this.scene.radius;
    this.lens = state.lens || null;
    this.box = state.box;
    this.fov = state.lens ? 2 * Math.atan(state.lens.h / (2 * state.lens.fy)) : state.fov * Math.PI / 180;
  }
  state() {
    return {p: [...this.p], q: [...this.q], fov: this.fov * 180 / Math.PI, d: this.d, lens: this.lens};
  }
  // At home all of the box is in a picture of this shape, as by splat/math/framing.h.
  fit(w, h) {
    if (!this.box) return;
    const {fx, fy} = this.lensFor(w, h);
    this.d = Math.max(...this.box.map(([x, y, z]) => Math.max(x * 2 * fx / w, y * 2 * fy / h) - z));
    this.p = V.add(this.scene.centre, this.axes[2], -this.d);
  }
  get axes() { return Q.axes(this.q); }
  get pivot() { return V.add(this.p, this.axes[2], this.d); }

  // A photo's lens, with all of it in view; else the field of view, across a narrow picture, as of phones.
  lensFor(w, h) {
    if (this.lens) {
      const l = this.lens, s = Math.min(w / l.w, h / l.h);
      return {fx: l.fx * s, fy: l.fy * s, cx: (l.cx - l.w / 2) * s + w / 2, cy: (l.cy - l.h / 2) * s + h / 2, w, h};
    }
    const f = Math.min(h, Math.max(w, h / 2)) / (2 * Math.tan(this.fov / 2));
    return {fx: f, fy: f, cx: w / 2, cy: h / 2, w, h};
  }
  view(w, h) {
    const rows = [];
    for (const axis of this.axes) rows.push(...axis, -V.dot(axis, this.p));
    return {rows, position: this.p, lens: this.lensFor(w, h)};
  }

  free() { this.lens = this.box = null; }

  look(yaw, pitch) {
    this.free();
    const forward = this.axes[2], height = Math.asin(Math.max(-1, Math.min(1, V.dot(forward, this.up))));
    const most = 1.55;
    pitch = Math.max(-most - height, Math.min(most - height, pitch));
    this.q = Q.unit(Q.times(Q.about(this.up, yaw), Q.times(this.q, Q.about([1, 0, 0], pitch))));
  }
  orbit(yaw, pitch) {
    const pivot = this.pivot;
    this.look(yaw, pitch);
    this.p = V.add(pivot, this.axes[2], -this.d);
  }
  // The pivot's plane follows the pointer.
  pan(dx, dy, w, h) {
    const lens = this.lensFor(w, h), [right, down] = this.axes;
    this.free();
    this.p = V.add(V.add(this.p, right, -dx * this.d / lens.fx), down, -dy * this.d / lens.fy);
  }
  // Until the pivot is `factor` times as far; what lies in its plane at the pixel stays.
  zoom(factor, x, y, w, h) {
    const lens = this.lensFor(w, h), [right, down, forward] = this.axes;
    this.free();
    const limited = Math.max(1e-4 * this.scene.radius, Math.min(1e3 * this.scene.radius, this.d * factor));
    const share = 1 - limited / this.d, u = (x - lens.cx) / lens.fx, v = (y - lens.cy) / lens.fy;
    const way = V.add(V.add(forward, right, u), down, v);
    this.p = V.add(this.p, way, this.d * share);
    this.d = limited;
  }
  fly(right, down, forward) {
    this.free();
    const axes = this.axes;
    [right, down, forward].forEach((way, i) => { this.p = V.add(this.p, axes[i], way); });
  }
  // Turned upright by a share of its roll.
  level(share) {
    const [right, down, forward] = this.axes, flat = V.cross(forward, this.up);
    if (Math.hypot(...flat) < 0.05) return;
    const across = V.unit(flat), roll = Math.atan2(-V.dot(down, across), V.dot(right, across));
    this.q = Q.unit(Q.times(this.q, Q.about([0, 0, 1], -roll * share)));
  }
}
