// The page: loads the splats, draws when something has changed, and offers window.hipsplat to scripts and tests.
class Page {
  constructor() {
    this.scene = JSON.parse(document.getElementById('scene').textContent);
    this.canvas = document.getElementById('picture');
    this.camera = new Camera(this.scene);
    this.frames = 0;
    this.photo = -1;
    this.scale = 1;         // of the resolution while the camera moves
    this.every = 1;         // of how many splats one is drawn meanwhile, larger: thinned.h of the program
    this.motion = null;     // a transition or the camera path: seconds -> whether it goes on
    this.waiting = [];      // for an order: {view, done}
    this.times = {};
    this.renderer = new Renderer(this.canvas, this.scene, name => document.getElementById(name).textContent.trim());
    this.controls = new Controls(this, this.canvas);
    this.ui = new Interface(this);
    this.ready = new Promise((resolve, reject) => { this.isReady = resolve, this.isNot = reject; });
    this.ready.catch(() => 0);
    const code = URL.createObjectURL(new Blob(['(' + splatWorker + ')()'], {type: 'text/javascript'}));
    this.worker = new Worker(code);
    this.worker.onmessage = ({data}) => this.answer(data);
    this.worker.onerror = event => this.fail(event.message || 'The worker of this page could not be started.');
    this.canvas.addEventListener('webglcontextlost', event => event.preventDefault());
    this.canvas.addEventListener('webglcontextrestored', () => location.reload());
    window.addEventListener('resize', () => this.wake());
    window.addEventListener('hashchange', () => this.followHash(true));
    window.addEventListener('keydown', event => { this.fast = event.shiftKey; });
    window.addEventListener('keyup', event => { this.fast = event.shiftKey; });
    if (!this.followHash(false) && this.scene.views.length) this.showPhoto(0, false);
    this.load().catch(error => this.fail(error.message));
  }

  fail(what) {
    this.error = what;
    this.ui.fail(what);
    this.isNot(new Error(what));
  }

  async load() {
    if (typeof DecompressionStream === 'undefined')
      throw new Error('This browser cannot unpack gzip by itself: Chrome 80, Firefox 113, Safari 16.4 or newer can.');
    if (this.scene.url) await this.loadFile(this.scene.url);
    else await this.loadChunks();
    this.worker.postMessage({end: true});
    this.ui.progress(1, 'unpacking');
  }
  // As they arrive, one after another; a chunk is complete once something stands behind it.
  async loadChunks() {
    for (let sent = 0;;) {
      const over = document.readyState !== 'loading', chunk = document.querySelector('script.spz');
      if (chunk && (over || chunk.nextElementSibling)) {
        const text = chunk.textContent;
        chunk.remove();
        this.worker.postMessage({chunk: text});
        sent += text.length * 3 / 4;
        this.ui.progress(sent / this.scene.bytes);
      } else if (over) {
        return;
      }
      await new Promise(next => setTimeout(next, chunk ? 0 : 30));
    }
  }
  async loadFile(url) {
    if (location.protocol === 'file:')
      throw new Error('This page reads its splats from a web server: put the folder on one and open it there.');
    const answer = await fetch(url);
    if (!answer.ok) throw new Error('The server does not have ' + url + ' (' + answer.status + ').');
    const reader = answer.body.getReader();
    for (let got = 0;;) {
      const {done, value} = await reader.read();
      if (done) return;
      got += value.length;
      this.worker.postMessage({chunk: value}, [value.buffer]);
      this.ui.progress(got / this.scene.bytes);
    }
  }

  answer(data) {
    if (data.error) return this.fail(data.error);
    if (data.splats) {
      this.times.unpacked = performance.now();
      try {
        this.renderer.setSplats(data.splats);
      } catch (error) {
        return this.fail(error.message);
      }
      this.loaded = true;
      this.wake();
    }
    if (data.order) {
      this.renderer.setOrder(data.order, data.visible, data.view.enlarged);
      this.order = data.order;
      this.sorted = data.view;
      this.sorting = false;
      this.times.sort = data.ms;
      this.changed = true;
      for (const waits of this.waiting.splice(0)) waits(data.view);
      this.wake();
    }
    if ('picked' in data) this.picked(data.picked);
  }

  sort(view) {
    if (this.sorting || !this.loaded) return;
    const {lens} = view, margin = this.moving ? 0.1 : 0;
    const sides = [[-lens.cx, lens.fx], [lens.w - lens.cx, lens.fx], [-lens.cy, lens.fy], [lens.h - lens.cy, lens.fy]]
        .map(([px, f], i) => px / f + margin * (i % 2 ? 1 : -1));
    this.sorting = true;
    const order = this.order;
    this.order = null;
    const every = this.moving ? this.every : 1, enlarged = Math.sqrt(every);
    const sort = {rows: view.rows, sides, every, enlarged, key: this.sortKey(view)};
    this.worker.postMessage({sort, order}, order ? [order] : []);
  }
  sortKey(view) { return this.keyOf(view) + ',' + (this.moving ? this.every : 1); }
  keyOf(view) { return view.rows.join() + ',' + Object.values(view.lens).join() }

  // ---- the picture

  wake() {
    if (!this.pending) this.pending = requestAnimationFrame(time => this.frame(time));
  }
  moved() {
    this.showsPhoto(-1);
    this.wake();
  }
  // A hand on the camera ends what moves it.
  interrupt() {
    if (this.motion) this.motion = null, this.ui.playing(false);
  }

  frame(time) {
    this.pending = 0;
    const seconds = Math.min(0.1, this.last ? (time - this.last) / 1000 : 0.016);
    const byKeys = this.controls.update(seconds, this.fast);
    if (byKeys) this.showsPhoto(-1);
    if (this.motion && !this.motion(seconds)) this.motion = null;
    const at = this.keyOf(this.camera.view(1e4, 1e4)), still = at === this.at;
    this.at = at;
    if (!still) this.keepUp(this.last ? time - this.last : 0);
    this.last = still && !this.motion && !byKeys ? 0 : time;
    if (this.loaded) this.draw();
    if (!still || this.motion || byKeys) this.wake();
  }
  // Resolution and splats by the time between frames: fewer where they are slow, all again once the camera rests.
  keepUp(ms) {
    this.moving = true;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => { this.moving = false, this.wake(); }, 200);
    if (ms <= 0 || ms > 5000) return;
    this.pace = this.pace ? 0.8 * this.pace + 0.2 * ms : ms;
    if (this.pace > 45) {
      if (this.scale > 0.5) this.scale = Math.max(0.5, this.scale * 0.85);
      else if (this.every < 16 && this.pace > 80) this.every *= 2, this.pace = 60;
    } else if (this.pace < 22) {
      if (this.every > 1) this.every /= 2, this.pace = 35;
      else this.scale = Math.min(1, this.scale * 1.05);
    }
  }
  draw() {
    const dense = Math.min(2, window.devicePixelRatio || 1) * (this.moving ? this.scale : 1), {canvas} = this;
    const [w, h] = [canvas.clientWidth, canvas.clientHeight].map(px => Math.max(1, Math.round(px * dense)));
    const view = this.camera.view(w, h), key = this.keyOf(view);
    const whole = this.camera.view(canvas.clientWidth, canvas.clientHeight);  // the same at any resolution
    if (!this.sorted || this.sortKey(whole) !== this.sorted.key) this.sort(whole);
    if (!this.sorted || (key === this.drawn && !this.changed)) return;
    if (canvas.width !== w || canvas.height !== h) canvas.width = w, canvas.height = h;
    this.renderer.draw(view, null, [0, 0, w, h]);
    this.drawn = key;
    this.changed = false;
    if (++this.frames > 1) return;
    this.times.first = performance.now();
    this.ui.loaded();
    this.isReady();
  }

  // A PNG of exactly this view (null: the present one) and size, as a data URL.
  async picture(state, w, h) {
    await this.ready;
    const camera = new Camera(this.scene);
    camera.set(state || this.camera.state());
    const view = camera.view(w, h);
    this.moving = false;
    const key = this.sortKey(view);
    do {
      this.sort(view);
      await new Promise(done => this.waiting.push(done));
    } while (this.sorted.key !== key);
    this.canvas.width = w, this.canvas.height = h;
    this.renderer.draw(view, null, [0, 0, w, h]);
    const url = this.canvas.toDataURL('image/png');
    this.changed = true;
    this.wake();
    return url;
  }

  // ---- where the camera goes

  go(state, seconds = 0.4) {
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (seconds <= 0 || calm || !this.loaded) return this.camera.set(state), this.motion = null, this.wake();
    const {camera} = this, from = camera.state(), target = new Camera(this.scene);
    target.set(state);
    const to = target.state();
    let spent = 0;
    this.motion = passed => {
      spent += passed;
      const t = Math.min(1, spent / seconds), s = t * t * (3 - 2 * t), mix = (a, b) => a + s * (b - a);
      if (t >= 1) return camera.set(to), false;
      camera.set({p: from.p.map((x, i) => mix(x, to.p[i])), q: Q.between(from.q, to.q, s), fov: mix(from.fov, to.fov),
                  d: mix(from.d, to.d)});
      return true;
    };
    this.wake();
  }
  photoState(index) {
    const [name, px, py, pz, qw, qx, qy, qz, fx, fy, cx, cy, w, h] = this.scene.views[index];
    const p = [px, py, pz], q = [qw, qx, qy, qz];
    const ahead = V.dot(V.add(this.scene.centre, p, -1), Q.axes(Q.unit(q))[2]);
    return {name, p, q, d: Math.max(0.1 * this.scene.radius, ahead), lens: {fx, fy, cx, cy, w, h}};
  }
  showPhoto(index, animate = true) {
    const n = this.scene.views.length;
    if (!n) return;
    index = (index % n + n) % n;
    this.interrupt();
    this.go(this.photoState(index), animate ? 0.4 : 0);
    this.lastPhoto = index;
    this.showsPhoto(index);
  }
  showsPhoto(index) {
    if (this.photo === index) return;
    this.photo = index;
    this.ui.photo(index);
  }
  home() {
    this.interrupt();
    if (this.scene.views.length) return this.showPhoto(0);
    this.go(this.scene.home);
  }
  // The point under a pixel of the page becomes the middle, and what the camera orbits.
  async focusOn(x, y) {
    if (!this.loaded) return;
    const {camera, canvas} = this, view = camera.view(canvas.clientWidth, canvas.clientHeight), {lens} = view;
    const u = (x - lens.cx) / lens.fx, v = (y - lens.cy) / lens.fy;
    this.worker.postMessage({pick: {rows: view.rows, u, v, radius: 3 / lens.fx}});
    const depth = await new Promise(done => { this.picked = done; });
    if (depth === null) return;
    const [right, down] = camera.axes, state = camera.state();
    const shift = V.add(V.add([0, 0, 0], right, u * depth), down, v * depth);
    this.moved();
    this.go({p: V.add(state.p, shift), q: state.q, fov: state.fov, d: depth});
  }

  play() {
    const {path} = this.scene;
    if (!path) return;
    if (this.motion) return this.interrupt();
    const last = path.poses.length - 1;
    let at = 0;
    this.showsPhoto(-1);
    this.ui.playing(true);
    this.motion = passed => {
      at += passed * path.fps;
      const over = path.mode === 'once' && at >= last;
      let t = over ? last : path.mode === 'repeat' ? at % (last + 1) : at;
      if (path.mode === 'pingpong') t = at % Math.max(1, 2 * last), t = t > last ? 2 * last - t : t;
      const a = path.poses[Math.floor(t)], b = path.poses[(Math.floor(t) + 1) % (last + 1)], s = t - Math.floor(t);
      const mix = i => a[i] + s * (b[i] - a[i]);
      this.camera.set({p: [mix(0), mix(1), mix(2)], q: Q.between(a.slice(3, 7), b.slice(3, 7), s), fov: mix(7)});
      if (over) this.ui.playing(false);
      return !over;
    };
    this.wake();
  }

  command(name) {
    const away = this.photo < 0 && this.lastPhoto !== undefined;  // then back to the last one first
    if (name === 'previous') this.showPhoto(away ? this.lastPhoto : this.photo - 1);
    if (name === 'next') this.showPhoto(away ? this.lastPhoto : this.photo + 1);
    if (name === 'home') this.home();
    if (name === 'play') this.play();
    if (name === 'level') this.camera.level(1), this.moved();
    if (name === 'faster' || name === 'slower') this.controls.speed *= name === 'faster' ? 1.5 : 1 / 1.5;
    if (name === 'link') this.ui.copy(this.link());
    if (name === 'full') this.ui.fullScreen();
    if (name === 'help') this.ui.help();
    if (name === 'close') this.ui.help(false);
    if (name === 'bare') document.body.classList.toggle('bare');
  }

  // ---- links: #view=x,y,z,qw,qx,qy,qz,fov,distance

  link() {
    const {p, q, fov, d} = this.camera.state();
    const text = '#view=' + [...p, ...q, fov, d].map(x => Number(x.toPrecision(6))).join();
    try {
      history.replaceState(null, '', text);
    } catch (refused) {
      return location.href.split('#')[0] + text;
    }
    return location.href;
  }
  followHash(animate) {
    const numbers = (/^#view=([-+\d.,eE]+)$/.exec(location.hash) || ['', ''])[1].split(',').map(Number);
    if (numbers.length !== 9 || !numbers.every(Number.isFinite) || !(numbers[7] > 1 && numbers[7] < 170)) return false;
    this.go({p: numbers.slice(0, 3), q: numbers.slice(3, 7), fov: numbers[7], d: numbers[8]}, animate ? 0.4 : 0);
    return true;
  }
}

try {
  const page = new Page(), {scene, camera} = page;
  window.hipsplat = {
    ready: page.ready,  // a promise: the first picture is there
    title: scene.title, splats: scene.splats, renderer: page.renderer.name, times: page.times,
    get frame() { return page.frames; },  // pictures drawn
    get error() { return page.error; },
    get scale() { return page.scale; },  // of the resolution, while the camera moves
    get every() { return page.every; },  // of how many splats one is drawn meanwhile
    get view() { return camera.state(); },
    get photo() { return page.photo; },
    get playing() { return page.motion !== null; },
    go: (state, seconds = 0) => page.go(state, seconds),  // {p, q, fov, d} as `view` has them
    showPhoto: index => page.showPhoto(index, false),
    picture: (state, w, h) => page.picture(state, w, h),
    command: name => page.command(name),
  };
} catch (error) {
  Interface.refuse(error.message);
  window.hipsplat = {error: error.message, ready: Promise.reject(error)};
  window.hipsplat.ready.catch(() => 0);
}
