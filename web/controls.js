// Turns pointers, fingers, the wheel and keys into movement of the camera; the help in page.html says the same.
class Controls {
  constructor(page, canvas) {
    this.page = page;
    this.canvas = canvas;
    this.pointers = new Map();  // by id: {x, y, button, moved}
    this.held = new Set();      // codes of flight and turning keys
    this.speed = 1;
    const on = (target, type, handle, options) => target.addEventListener(type, handle.bind(this), options);
    on(canvas, 'pointerdown', this.press);
    on(canvas, 'pointermove', this.move);
    on(canvas, 'pointerup', this.release);
    on(canvas, 'pointercancel', this.release);
    on(canvas, 'wheel', this.wheel, {passive: false});
    on(canvas, 'dblclick', event => page.focusOn(event.offsetX, event.offsetY));
    on(canvas, 'contextmenu', event => event.preventDefault());
    on(window, 'keydown', this.keyDown);
    on(window, 'keyup', event => { this.held.delete(event.code), this.fast = event.shiftKey; });
    on(window, 'blur', () => this.held.clear());
  }

  get size() { return [this.canvas.clientWidth, this.canvas.clientHeight]; }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({preventScroll: true});
    this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY, button: event.button});
    this.page.interrupt();
    event.preventDefault();
  }
  release(event) {
    const pointer = this.pointers.get(event.pointerId), now = performance.now();
    this.pointers.delete(event.pointerId);
    if (event.pointerType !== 'touch' || !pointer || pointer.moved) return;
    if (this.tapped && now - this.tapped < 350) this.page.focusOn(event.clientX, event.clientY);  // a double tap
    this.tapped = now;
  }
  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const before = this.gesture(), dx = event.clientX - pointer.x, dy = event.clientY - pointer.y;
    if (dx === 0 && dy === 0) return;
    pointer.x = event.clientX, pointer.y = event.clientY;
    pointer.moved = pointer.moved || Math.hypot(dx, dy) > 2;
    if (this.pointers.size >= 2) return this.fingers(before, this.gesture());
    const {camera} = this.page, [w, h] = this.size, angle = Math.PI / h;
    if (pointer.button !== 0 || event.shiftKey) {
      camera.pan(dx, dy, w, h);
    } else {
      if (this.flying()) camera.look(-dx * angle, -dy * angle);
      else camera.orbit(-dx * angle, -dy * angle);
      camera.level(0.15);
    }
    this.page.moved();
  }
  // The middle of the first two fingers and their distance.
  gesture() {
    const [a, b] = this.pointers.values();
    return b && {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y)};
  }
  fingers(before, after) {
    const {camera} = this.page, [w, h] = this.size;
    camera.pan(after.x - before.x, after.y - before.y, w, h);
    if (after.apart > 8 && before.apart > 8) camera.zoom(before.apart / after.apart, after.x, after.y, w, h);
    this.page.moved();
  }
  wheel(event) {
    event.preventDefault();
    const lines = [1, 33, 400][event.deltaMode];
    const steps = Math.max(-240, Math.min(240, event.deltaY * lines)) * (event.ctrlKey ? 4 : 1);  // Ctrl: a pinch
    this.page.interrupt();
    this.page.camera.zoom(Math.exp(0.0015 * steps), event.offsetX, event.offsetY, ...this.size);
    this.page.moved();
  }

  keyDown(event) {
    this.fast = event.shiftKey;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const code = event.code;
    if (/^Key[WASDQE]$|^Arrow/.test(code)) {
      if (!this.held.size) this.page.interrupt();
      this.held.add(code);
      this.page.moved();
    } else if (!(event.target.closest && event.target.closest('button, summary') && /^(Space|Enter)$/.test(code))) {
      const command = {'[': 'previous', ']': 'next', ' ': 'play', '?': 'help', Escape: 'close', Home: 'home',
                       '-': 'slower', '+': 'faster', '=': 'faster'}[event.key] ||
                      {KeyR: 'home', KeyF: 'full', KeyC: 'link', KeyH: 'help', KeyU: 'bare', KeyL: 'level', KeyV: 'vr',
                       KeyO: 'previous', KeyP: 'next'}[code];
      if (!command) return;
      this.page.command(command);
    } else {
      return;
    }
    event.preventDefault();
  }
  flying() { return [...this.held].some(code => code.startsWith('Key')); }

  update(seconds) {
    if (!this.held.size) return false;
    const {camera, scene} = this.page, is = code => Number(this.held.has(code)), step = (a, b) => is(a) - is(b);
    const length = Math.max(0.1 * scene.radius, Math.min(scene.radius, camera.d)) / 2;
    const way = seconds * this.speed * (this.fast ? 4 : 1) * length;
    camera.fly(way * step('KeyD', 'KeyA'), way * step('KeyQ', 'KeyE'), way * step('KeyW', 'KeyS'));
    const yaw = seconds * step('ArrowLeft', 'ArrowRight'), pitch = seconds * step('ArrowUp', 'ArrowDown');
    if (this.flying()) camera.look(yaw, pitch);
    else camera.orbit(-yaw, -pitch);
    return true;
  }
}
