// WebXR: each eye by its own matrices, one sort by the head. The headset's space stands on a rig: its place in the
// scene, where its ahead points, and how many units of the scene a metre is.
class Headset {
  constructor(page) {
    this.page = page;
    if (!navigator.xr) return;
    navigator.xr.isSessionSupported('immersive-vr').then(is => document.body.classList.toggle('has-vr', is), () => 0);
  }

  async enter() {
    if (this.session) return this.session.end();
    const {page} = this, {gl} = page.renderer;
    try {
      await gl.makeXRCompatible();
      const session = await navigator.xr.requestSession('immersive-vr');
      session.addEventListener('end', () => {
        this.session = page.sorted = null;
        page.changed = true;
        page.wake();
      });
      const layer = new XRWebGLLayer(session, gl, {alpha: false, antialias: false, depth: false, stencil: false});
      session.updateRenderState({baseLayer: layer});
      this.space = await session.requestReferenceSpace('local');
      page.interrupt();
      this.session = session;
    } catch (error) {
      return page.ui.note('VR could not be started: ' + error.message, 6);
    }
    const {camera, scene} = page, ahead = camera.axes[2];
    let flat = V.add(ahead, scene.up, -V.dot(ahead, scene.up));
    if (Math.hypot(...flat) < 0.05) flat = camera.axes[1].map(x => -x);
    const metres = (scene.frame || {}).metres_per_unit;
    // Without a scale what the camera turned around is two metres away.
    this.rig = {p: camera.state().p, ahead: V.unit(flat), units: metres > 0 ? 1 / metres : camera.d / 2};
    this.last = 0, this.turned = false;
    this.session.requestAnimationFrame((time, frame) => this.frame(time, frame));
  }

  // Of the headset's space: x right, y up, z backward.
  direction([x, y, z]) {
    const {ahead} = this.rig, {up} = this.page.scene;
    return V.add(V.add(V.cross(ahead, up).map(a => a * x), up, y), ahead, -z);
  }
  // As Camera.view(), of a pose's matrix: right, up, back, place.
  viewOf(m, lens) {
    const axes = [[m[0], m[1], m[2]], [-m[4], -m[5], -m[6]], [-m[8], -m[9], -m[10]]].map(a => this.direction(a));
    const position = V.add(this.rig.p, this.direction([m[12], m[13], m[14]]), this.rig.units), rows = [];
    for (const axis of axes) rows.push(...axis, -V.dot(axis, position));
    return {axes, position, rows, lens};
  }
  around(head, change) {
    const before = this.viewOf(head).position;
    change(this.rig);
    this.rig.p = V.add(V.add(this.rig.p, before), this.viewOf(head).position, -1);
  }

  // The left stick walks, the right one turns by 30 degrees and lifts; A and B: everything larger, smaller.
  move(head, seconds) {
    const {rig, page: {scene}} = this, ahead = this.viewOf(head).axes[2];
    for (const {gamepad, handedness} of this.session.inputSources) {
      if (!gamepad) continue;
      const [x, y] = [2, 3].map(i => gamepad.axes[i] || 0).map(a => (Math.abs(a) > 0.15 ? a : 0));
      const pressed = i => (gamepad.buttons[i] || {value: 0}).value;
      const way = 2 * seconds * rig.units, smaller = Math.exp((pressed(5) - pressed(4)) * seconds);
      if (smaller !== 1) this.around(head, r => { r.units *= smaller; });
      if (handedness === 'left') {
        rig.p = V.add(V.add(rig.p, ahead, -y * way), V.cross(ahead, scene.up), x * way);
        continue;
      }
      rig.p = V.add(rig.p, scene.up, -y * way);
      const turn = Math.abs(x) > 0.6;
      if (turn && !this.turned)
        this.around(head, r => { r.ahead = V.unit(this.direction([Math.sign(x) / 2, 0, -Math.sqrt(0.75)])); });
      this.turned = turn;
    }
  }

  frame(time, frame) {
    const {session, page} = this;
    if (!session) return;
    session.requestAnimationFrame((...next) => this.frame(...next));
    const pose = frame.getViewerPose(this.space), {baseLayer} = session.renderState;
    if (!pose || !page.loaded) return;
    const head = pose.transform.matrix;
    this.move(head, Math.min(0.1, (time - (this.last || time)) / 1000));
    this.last = time;
    const eyes = pose.views.map(view => {
      const box = baseLayer.getViewport(view), {width: w, height: h} = box, m = view.projectionMatrix;
      const lens = {fx: m[0] * w / 2, fy: m[5] * h / 2, cx: (1 - m[8]) * w / 2, cy: (1 + m[9]) * h / 2, w, h};
      return {...this.viewOf(view.transform.matrix, lens), box};
    });
    // More than both eyes see: they may be canted, and the head turns.
    page.sortFor(this.viewOf(head).rows, eyes.map(eye => eye.lens), 0.3, 'vr' + time);
    if (!page.sorted) return;
    for (const eye of eyes)
      page.renderer.draw(eye, baseLayer.framebuffer, [eye.box.x, eye.box.y, eye.box.width, eye.box.height]);
    ++page.frames;
  }
}
