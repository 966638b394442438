// Loads the splats, draws when something has changed, and offers window.hipsplat to scripts (docs/sharing.md).
class Page {
  constructor() {
    this.scene = JSON.parse(of('scene').textContent);
    this.canvas = of('picture');
    this.camera = new Camera(this.scene);
    this.frames = 0;
    this.photo = -1;
    this.haste = 0;     // 0 to 9: how much is left out while the camera moves
    this.motion = null; // seconds -> whether a transition or the camera path goes on
    this.waiting = [];  // for an order
    this.times = {};
    this.renderer = new Renderer(this.canvas, this.scene);
    this.controls = new Controls(this, this.canvas);
    this.headset = new Headset(this);
    this.ui = new Interface(this);
    this.ready = new Promise((resolve, reject) => { this.isReady = resolve, this.isNot = reject; });
    this.ready.catch(() => 0);
    const code = URL.createObjectURL(new Blob(['(' + splatWorker + ')()'], {type: 'text/javascript'}));
    this.worker = new Worker(code);
    this.worker.postMessage({space: this.scene.space});
    this.worker.onmessage = ({data}) => {
      try {
        this.answer(data);
      } catch (error) {
        this.fail(error.message);
      }
    };
    this.worker.onerror = event => this.fail(event.message || 'The worker could not be started.');
    this.canvas.addEventListener('webglcontextlost', event => {
      event.preventDefault();
      setTimeout(() => Interface.refuse('The graphics card is gone: reload the page.'), 4000);
    });
    this.canvas.addEventListener('webglcontextrestored', () => location.reload());
    window.onresize = () => this.wake();
    window.onhashchange = () => this.followHash(true);
    if (!this.followHash(false) && this.scene.views.length) this.showPhoto(0, false);
    this.load().catch(error => this.fail(error.message));
  }

  fail(what) {
    this.error = what;
    Interface.refuse(what);
    this.isNot(new Error(what));
  }

  async load() {
    if (typeof DecompressionStream === 'undefined')
      throw new Error('This browser cannot unpack gzip: Chrome 80, Firefox 113, Safari 16.4 or newer can.');
    if (this.scene.url) await this.loadFile(this.scene.url);
    else await this.loadChunks();
    this.worker.postMessage({end: true});
    this.ui.progress(1, 'unpacking');
  }
  // As they arrive, in turn; a chunk is complete once something stands behind it.
  async loadChunks() {
    for (let sent = 0;;) {
      const over = document.readyState !== 'loading', chunk = document.querySelector('script.spz');
      if (chunk && (over || chunk.nextElementSibling)) {
        const text = chunk.textContent;
        chunk.remove();
        this.worker.postMessage({chunk: text});
        sent += text.length * 7 / 8;
        this.ui.progress(sent / this.scene.bytes);
      } else if (over) {
        return;
      }
      await new Promise(next => setTimeout(next, chunk ? 0 : 30));
    }
  }
  // Where a connection breaks the rest is asked for; of a server without ranges what is here is skipped.
  async loadFile(url) {
    if (location.protocol === 'file:')
      throw new Error('This page needs a web server: put the folder on one and open it there.');
    for (let got = 0, tries = 5;;) {
      try {
        const answer = await fetch(url, got ? {headers: {Range: 'bytes=' + got + '-'}} : {});
        if (!answer.ok) throw tries = 0, new Error('The server does not have ' + url + ' (' + answer.status + ').');
        const reader = answer.body.getReader();
        for (let skip = answer.status === 206 ? 0 : got;;) {
          let {done, value} = await reader.read();
          if (done) return;
          skip -= value.length;
          if (skip >= 0) continue;
          value = value.slice(skip), skip = 0;
          got += value.length;
          this.worker.postMessage({chunk: value}, [value.buffer]);
          this.ui.progress(got / this.scene.bytes);
        }
      } catch (error) {
        if (--tries < 1) throw error;
        await new Promise(next => setTimeout(next, 300));
      }
    }
  }

  answer(data) {
    if (data.error) return this.fail(data.error);
    if (data.splats) {
      this.times.unpacked = performance.now();
      this.renderer.setSplats(data.splats);
      this.loaded = true;
      this.wake();
    }
    if (data.order) {
      this.renderer.setOrder(data.order, data.visible, data.view.every);
      this.order = data.order;
      this.sorted = data.view;
      this.sorting = false;
      this.times.sort = data.ms;
      this.changed = true;
      for (const waits of this.waiting.splice(0)) waits();
      this.wake();
    }
    if ('picked' in data) this.picked(data.picked);
  }

  sort(view) {
    this.sortFor(view.rows, [view.lens], this.moving ? 0.1 : 0, this.sortKey(view), this.every);
  }
  sortFor(rows, lenses, margin, key, every = 1) {
    if (this.sorting || !this.loaded) return;
    this.sorting = true;
    const most = tangent => Math.max(...lenses.map(tangent)) + margin, {order} = this;
    const sides = [-most(l => l.cx / l.fx), most(l => (l.w - l.cx) / l.fx),
                   -most(l => l.cy / l.fy), most(l => (l.h - l.cy) / l.fy)];
    this.order = null;
    this.worker.postMessage({sort: {rows, sides, every, key}, order}, order ? [order] : []);
  }
  sortKey(view) { return this.keyOf(view) + ',' + this.every; }
  keyOf(view) { return view.rows.join() + ',' + Object.values(view.lens).join() }

  wake() {
    if (!this.pending) this.pending = requestAnimationFrame(time => this.frame(time));
  }
  moved() {
    this.showsPhoto(-1);
    this.wake();
  }
  interrupt() {
    if (this.motion) this.motion = null, this.ui.playing(false);
  }

  frame(time) {
    this.pending = 0;
    const seconds = Math.min(0.1, this.last ? (time - this.last) / 1000 : 0.016);
    const byKeys = this.controls.update(seconds);
    if (byKeys) this.showsPhoto(-1);
    if (this.motion && !this.motion(seconds)) this.motion = null;
    this.camera.fit(...this.controls.size);
    const at = this.keyOf(this.camera.view(1e4, 1e4)), still = at === this.at || !this.at;
    this.at = at;
    if (!still) {
      this.moving = true;
      clearTimeout(this.rest);
      this.rest = setTimeout(() => { this.moving = false, this.wake(); }, 200);
    }
    this.last = still && !this.motion && !byKeys ? 0 : time;
    const spent = this.renderer.spent();
    if (spent > 0) this.keepUp(spent);
    if (spent !== null && this.loaded && !this.headset.session) this.draw();
    if (!still || this.motion || byKeys || this.renderer.fence) this.wake();
  }
  // Share of the resolution; of how many splats one is drawn, larger: thinned.h of the program.
  get scale() { return this.moving ? Math.max(0.5, 0.8 ** this.haste) : 1; }
  get every() { return this.moving ? 2 ** Math.max(0, this.haste - 3) : 1; }
  keepUp(ms) {
    if (!this.drawing.moving) {
      this.renderer.part *= ms < 50 ? 2 : ms > 150 ? 0.5 : 1;
      this.whole += ms;
      if (!this.pace && this.whole > 100) this.haste = Math.min(9, 4 + Math.floor(Math.log2(this.whole / 100)));
      return;
    }
    this.pace = this.pace ? 0.6 * this.pace + 0.4 * ms : ms;
    const step = this.pace > 300 ? 3 : this.pace > 66 ? 1 : this.pace < 30 ? -1 : 0;
    this.haste = Math.max(0, Math.min(9, this.haste + step));
    if (step) this.pace = 45;  // until the new one is known
  }
  draw() {
    const dense = Math.min(2, window.devicePixelRatio || 1) * this.scale, {canvas, renderer} = this;
    const {size} = this.controls, [w, h] = size.map(px => Math.max(1, Math.round(px * dense)));
    const view = this.camera.view(w, h), key = this.keyOf(view), {moving} = this;
    const whole = this.camera.view(...size);  // the same at any resolution
    const exact = this.sorted && this.sortKey(whole) === this.sorted.key;
    if (!exact) this.sort(whole);
    // Not in an order that holds many more; at rest in the right one alone.
    if (!this.sorted || (moving ? this.sorted.every < this.every : !exact)) return;
    const first = key !== this.begun || this.changed;
    if (!first && key === this.drawn) return;
    if (first) renderer.begin(view, moving), this.whole = 0;
    this.drawing = {moving, every: this.sorted.every, scale: this.scale};
    this.begun = key;
    this.changed = false;
    if (!renderer.goOn()) return;
    if (canvas.width !== w || canvas.height !== h) canvas.width = w, canvas.height = h;
    renderer.show();
    this.drawn = key;
    if (++this.frames > 1) return;
    this.times.first = performance.now();
    this.ui.loaded();
    this.isReady();
  }

  // A PNG of this view (null: the present one) and size, as a data URL.
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
    const url = this.canvas.toDataURL();
    this.changed = true;
    this.wake();
    return url;
  }

  go(state, seconds = 0.4) {
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (seconds <= 0 || calm || !this.loaded) return this.camera.set(state), this.motion = null, this.wake();
    const {camera} = this, from = camera.state(), target = new Camera(this.scene);
    target.set(state);
    target.fit(...this.controls.size);
    const to = target.state();
    let spent = 0;
    this.motion = passed => {
      spent += passed;
      const t = Math.min(1, spent / seconds), s = t * t * (3 - 2 * t), mix = (a, b) => a + s * (b - a);
      if (t >= 1) return camera.set(state), false;
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
    const {camera} = this, view = camera.view(...this.controls.size), {lens} = view;
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
    const away = this.photo < 0 && this.lastPhoto !== undefined;  // then back to the last one
    ({
      previous: () => this.showPhoto(away ? this.lastPhoto : this.photo - 1),
      next: () => this.showPhoto(away ? this.lastPhoto : this.photo + 1),
      home: () => this.home(),
      play: () => this.play(),
      level: () => { this.camera.level(1), this.moved(); },
      faster: () => { this.controls.speed *= 1.5; },
      slower: () => { this.controls.speed /= 1.5; },
      link: () => this.ui.copy(this.link()),
      full: () => this.ui.fullScreen(),
      help: () => this.ui.help(),
      close: () => this.ui.help(false),
      vr: () => this.headset.enter(),
      bare: () => document.body.classList.toggle('bare'),
    })[name]();
  }

  // #view=x,y,z,qw,qx,qy,qz,fov,distance
  link() {
    const {p, q, fov, d} = this.camera.state();
    const digits = i => i < 3 ? 10 : 6;  // scenes may lie far from the origin
    const text = '#view=' + [...p, ...q, fov, d].map((x, i) => Number(x.toPrecision(digits(i)))).join();
    try {
      history.replaceState(null, '', text);
    } catch (refused) {
      return location.href.split('#')[0] + text;
    }
    return location.href;
  }
  followHash(animate) {
    const numbers = (/^#view=([-+\d.,eE]+)$/.exec(location.hash) || ['', ''])[1].split(',').map(Number);
    if (numbers.length !== 9 || !numbers.every(Number.isFinite) || !(numbers[7] > 1 && numbers[7] < 170) ||
        !(Math.hypot(...numbers.slice(3, 7)) > 1e-6)) return false;
    this.go({p: numbers.slice(0, 3), q: numbers.slice(3, 7), fov: numbers[7], d: numbers[8]}, animate ? 0.4 : 0);
    return true;
  }
}

try {
  const page = new Page(), {scene, camera} = page;
  if (typeof Live === 'function') page.live = new Live(page);  // served while it trains
  window.hipsplat = {
    ready: page.ready,
    title: scene.title, splats: scene.splats, renderer: page.renderer.name, times: page.times,
    get frame() { return page.frames; },
    get error() { return page.error; },
    get drawn() { return {...page.drawing}; },
    get view() { return camera.state(); },
    get photo() { return page.photo; },
    get playing() { return page.motion !== null; },
    go: (state, seconds = 0) => page.go(state, seconds),
    showPhoto: index => page.showPhoto(index, false),
    picture: (state, w, h) => page.picture(state, w, h),
    command: name => page.command(name),
  };
} catch (error) {
  Interface.refuse(error.message);
  window.hipsplat = {error: error.message, ready: Promise.reject(error)};
  window.hipsplat.ready.catch(() => 0);
}
