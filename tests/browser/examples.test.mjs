// Every example is started as its README says, and Ben uses the list in it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

import { people } from './cast.mjs';
import { Actor, freePort } from './server.mjs';
import { scene, stage } from './support.mjs';

/** The one that Debian's packages are for. */
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Two ports of the host: one on the site of the service, one on another. */
const [SERVICE, HOST] = [await freePort(), await freePort()];
const SERVICE_URL = `http://127.0.0.1:${SERVICE}`;
const HOST_URL = { same: `http://127.0.0.1:${HOST}`, other: `http://localhost:${HOST}` };

stage(() => ({}));
const ended = [];
after(() => Promise.all(ended.map((end) => end())));

/** A program that runs until the scene is over, once it answers at `url`. */
async function started(url, command, args, env = {}) {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise((done) => child.once('exit', done));
  const said = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => said.push(chunk));
  let over = false;
  gone.then(() => (over = true));
  const end = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  ended.push(end);
  for (const patience = Date.now() + 20_000; ; ) {
    if (over || Date.now() > patience) throw new Error(`${command} ${args.join(' ')} does not answer at ${url}:\n${Buffer.concat(said)}`);
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return end;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** The service as an example wants it, with the group that all examples show. */
async function service({ server }, ...flags) {
  const program = process.env.CGM_TEST_BIN ?? join(ROOT, 'target/debug/chat-group-members');
  await server.import('harbour', people());
  return started(`${SERVICE_URL}/healthz`, program, ['serve', '--listen', `127.0.0.1:${SERVICE}`, ...flags], server.env);
}

const secretOf = ({ env }) => ({ CGM_VIEWER_SECRET: env.CGM_VIEWER_SECRET, CGM_DATABASE_URL: env.CGM_DATABASE_URL, CGM_URL: SERVICE_URL, PORT: String(HOST) });

/** Somebody who acts through this address. */
const at = (base, server, uid) => new Actor({ base, token: (...asked) => server.token(...asked) }, 'harbour', uid);

/** The list is there and lives, and an act works: `frame` is the page, or the frame that holds the list. */
async function used(ben, frame, ada) {
  const root = frame.locator('#cgm-harbour');
  const part = (name) => frame.locator(`#cgm-harbour-${name}`);
  await root.and(frame.locator('[data-live="on"]')).waitFor();
  assert.ok((await part('list').locator('[data-uid]').count()) >= 30);
  assert.equal(await root.evaluate((root) => getComputedStyle(root).display), 'flex', 'its looks have come');
  await ada.kick('eve');
  await part('m-eve').waitFor({ state: 'detached' });
  await part('a-dee').click();
  await part('menu').locator('[data-action="kick"]').click();
  await part('dialog').locator('button[data-action="kick"]').click();
  await part('m-dee').waitFor({ state: 'detached' });
  assert.equal(
    (await ada.members('?limit=100')).data.some(({ uid }) => uid === 'dee'),
    false,
  );
}

/** A scene in which Ben comes to an example's page without a cookie of ours. */
function example(sentence, play) {
  scene(
    sentence,
    async (it) => {
      const visit = async (base, path = '/') => {
        const ben = await it.viewer('ben', { base, path, cookie: false, live: false });
        ben.x = 'cgm-harbour';
        return ben;
      };
      try {
        await play(it, visit);
      } finally {
        // A browser would complain about a service that goes away.
        await Promise.all(it.viewers.map(({ context }) => context.close()));
        await Promise.all(ended.splice(0).map((end) => end()));
      }
    },
    { members: [{ uid: 'ada', name: 'Ada', scope: 'owner' }] },
  );
}

/** The list stands in the page before any script has run. */
async function inFirstByte(url) {
  const html = await (await fetch(url)).text();
  assert.match(html, /class="chat-group-members__row"[^>]* data-uid="ada"/);
}

example('nginx: a path of the page’s own origin, and one line of markup', async (it, visit) => {
  const { server } = it;
  await service(it, '--base-path', '/members');
  const folder = await mkdtemp(join(tmpdir(), 'cgm-nginx-'));
  const example = join(ROOT, 'examples/nginx');
  const text = await readFile(join(example, 'nginx.conf'), 'utf8');
  const conf = text.replaceAll('/tmp/', `${folder}/`).replace('127.0.0.1:3000', `127.0.0.1:${HOST}`).replace('127.0.0.1:8080', `127.0.0.1:${SERVICE}`);
  await writeFile(join(folder, 'nginx.conf'), conf);
  await started(HOST_URL.same, 'nginx', ['-e', 'stderr', '-p', `${example}/`, '-c', join(folder, 'nginx.conf')], { PATH: `${process.env.PATH}:/usr/sbin` });
  try {
    const ben = await visit(HOST_URL.same, '/sign-in.html');
    await ben.page.getByRole('textbox').fill(await server.token('ben'));
    await ben.page.getByRole('button').click();
    await used(ben, ben.page, at(`${HOST_URL.same}/members`, server, 'ada'));
  } finally {
    await rm(folder, { recursive: true });
  }
});

example('Express: the list in the first byte, then live', async (it, visit) => {
  const { server } = it;
  await service(it, '--base-path', '/members');
  await started(HOST_URL.same, 'node', ['examples/express/app.mjs'], secretOf(server));
  await inFirstByte(HOST_URL.same);
  const ben = await visit(HOST_URL.same);
  await used(ben, ben.page, at(`${SERVICE_URL}/members`, server, 'ada'));
});

example('Django: the list in the first byte, then live', async (it, visit) => {
  const { server } = it;
  await service(it, '--base-path', '/members');
  await started(HOST_URL.same, PYTHON, ['examples/django/app.py'], secretOf(server));
  await inFirstByte(HOST_URL.same);
  const ben = await visit(HOST_URL.same);
  await used(ben, ben.page, at(`${SERVICE_URL}/members`, server, 'ada'));
});

example('the custom element: one script tag in a page of another site, with a bearer', async (it, visit) => {
  const { server } = it;
  await service(it, '--public-url', SERVICE_URL, '--allow-origin', HOST_URL.other);
  await started(HOST_URL.other, 'node', ['examples/host.mjs', 'custom-element'], secretOf(server));
  const ben = await visit(HOST_URL.other);
  await used(ben, ben.page, at(SERVICE_URL, server, 'ada'));
  assert.deepEqual(await ben.context.cookies(), [], 'no cookie is needed');
});

example('the iframe: a session by cookie, as high as its list, with room for a dialog', async (it, visit) => {
  const { server } = it;
  // The bar after an act would have its room in the frame for as long as it stands.
  await service(it, '--frame-ancestors', HOST_URL.other, '--allow-origin', HOST_URL.other, '--undo-window', '0');
  await started(HOST_URL.other, 'node', ['examples/host.mjs', 'iframe'], secretOf(server));
  const ben = await visit(HOST_URL.other);
  const members = ben.page.frameLocator('#members');
  await used(ben, members, at(SERVICE_URL, server, 'ada'));
  const [cookie] = await ben.context.cookies();
  assert.ok(cookie.httpOnly && cookie.secure && cookie.partitionKey?.includes('localhost'), JSON.stringify(cookie));

  const wish = () => ben.page.$eval('#members', ({ style }) => parseInt(style.blockSize, 10));
  const until = (is) => ben.until(is, undefined);
  const whole = await wish();
  assert.ok(whole > 1000, `thirty rows want more than a screen: ${whole}`);
  assert.equal(await ben.page.$eval('#members', (frame) => frame.clientHeight), 600, 'the host says how much they get');
  await members.locator('#cgm-harbour-q').fill('lindqvist');
  await until(() => parseInt(document.querySelector('#members').style.blockSize, 10) === 360);
  await members.locator('#cgm-harbour-q').fill('brandt');
  await until(() => parseInt(document.querySelector('#members').style.blockSize, 10) > 360);

  await members.locator('#cgm-harbour-q').fill('cy mar');
  await until(() => document.querySelector('#members').clientHeight === 360);
  await ben.atRest();
  await members.locator('#cgm-harbour-a-cy').click();
  await members.locator('#cgm-harbour-menu [data-action="ban"]').click();
  await members.locator('#cgm-harbour-dialog').waitFor();
  const [dialog, frame] = await Promise.all(['#cgm-harbour-dialog', 'html'].map((which) => members.locator(which).boundingBox()));
  assert.ok(
    dialog.height > 200 && dialog.y >= frame.y && dialog.y + dialog.height <= frame.y + 360,
    `the dialog is inside the frame: ${JSON.stringify({ dialog, frame })}`,
  );
});

example('axum: the service as a library under a prefix', async (it, visit) => {
  const { server } = it;
  const program = join(ROOT, 'target/debug/examples/nested_axum');
  await access(program).catch(() => assert.fail('run `cargo build --examples` first'));
  await server.import('harbour', people());
  await started(HOST_URL.same, program, [], secretOf(server));
  const ben = await visit(HOST_URL.same);
  await used(ben, ben.page, at(`${HOST_URL.same}/members`, server, 'ada'));
});
