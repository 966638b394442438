const of = id => document.getElementById(id);
class Interface {
  constructor(page) {
    this.page = page;
    const {scene} = page, {body} = document;
    body.classList.toggle('has-photos', scene.views.length > 0);
    body.classList.toggle('has-path', Boolean(scene.path));
    const splats = scene.splats.toLocaleString('en') + ' splat' + (scene.splats === 1 ? '' : 's');
    of('count').textContent = splats;
    of('facts').textContent = splats + ', harmonics of degree ' + scene.degree + ', drawn by ' + page.renderer.name + '.';
    for (const button of document.querySelectorAll('button')) {
      button.setAttribute('aria-label', button.title);
      button.addEventListener('click', () => page.command(button.dataset.command));
    }
    of('help').addEventListener('pointerdown', event => { if (event.target === of('help')) this.help(false); });
    if (!document.documentElement.requestFullscreen) document.querySelector('[data-command=full]').hidden = true;
  }

  progress(share, what) {
    of('bar').style.width = 100 * share + '%';
    const [part, all] = [share, 1].map(s => (s * this.page.scene.bytes / 1e6).toFixed(1));
    of('state').textContent = what || 'loading ' + part + ' of ' + all + ' MB';
  }
  loaded() { document.body.classList.add('loaded'); }
  static refuse(what) {
    const box = of('failure');
    box.textContent = what;
    box.hidden = false;
    of('loading').hidden = true;
  }

  note(text, seconds) {
    const note = of('note');
    note.textContent = text;
    note.classList.add('on');
    clearTimeout(this.fading);
    if (seconds) this.fading = setTimeout(() => note.classList.remove('on'), 1000 * seconds);
  }
  photo(index) {
    const {views} = this.page.scene;
    if (index < 0) of('note').classList.remove('on');
    else this.note(views[index][0] + '  ·  ' + (index + 1) + ' / ' + views.length, 3);
  }
  playing(on) { document.body.classList.toggle('playing', on); }
  help(on = of('help').hidden) {
    of('help').hidden = !on;
    if (on) of('help').querySelector('button').focus();
  }
  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(() => 0);
  }
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.note('Link to this view copied.', 2);
    } catch (refused) {
      this.note('The link is in the address bar.', 4);
    }
  }
}
