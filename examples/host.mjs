// A host with next to nothing: the pages of a folder, and a token for whoever is signed in.
//   node examples/host.mjs custom-element       the page asks for a bearer (POST /token)
//   node examples/host.mjs gallery --cookie     the page brings a cookie, and /members/ leads to the service

import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';

const SERVICE = process.env.CGM_URL ?? 'http://127.0.0.1:8080';
const SECRET = process.env.CGM_VIEWER_SECRET;
const PORT = process.env.PORT ?? 3000;
const [, , FOLDER, COOKIE] = process.argv;
const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
/** Bytes; as many uids as can be selected fit in. */
const LONGEST_FORM = 128 * 1024;

/** A JWT (HS256) that says who looks, for a quarter of an hour. */
function mint(uid) {
  const part = (data) => Buffer.from(JSON.stringify(data)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: uid, aud: 'chat-group-members', iat: now, exp: now + 900 };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

createServer(async (asked, answer) => {
  const { pathname, searchParams } = new URL(asked.url, 'http://host');
  if (COOKIE && pathname.startsWith('/members/')) return handOn(asked, answer);
  if (asked.method === 'POST' && pathname === '/token') {
    // Your application knows who is signed in. POST, so that no page of another site can read it or cache it.
    return answer.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end(mint('ben'));
  }
  const [, name, kind] = (pathname === '/' ? '/index.html' : pathname).match(/^\/([a-z-]+)\.(html|css|js)$/) ?? [];
  const text = name && (await readFile(new URL(`${FOLDER}/${name}.${kind}`, import.meta.url), 'utf8').catch(() => undefined));
  if (text === undefined) return answer.writeHead(404).end();
  // What the list asks for by itself carries the cookie.
  const cookie = `chat_token=${mint(searchParams.get('as') ?? 'ben')}; Path=/; Max-Age=900; HttpOnly; SameSite=Lax`;
  answer.writeHead(200, { 'Content-Type': `${TYPES[kind]}; charset=utf-8`, ...(COOKIE && kind === 'html' && { 'Set-Cookie': cookie }) });
  answer.end(text.replaceAll('http://127.0.0.1:8080', SERVICE).replace('<!-- posted -->', await posted(asked)));
}).listen(PORT, function () {
  console.error(`listening on http://localhost:${this.address().port}`);
});

/** What a form has sent to a page, for that page. */
async function posted(asked) {
  if (asked.method !== 'POST') return '';
  let form = '';
  for await (const piece of asked) form = (form + piece).slice(0, LONGEST_FORM);
  const uids = new URLSearchParams(form).getAll('uid').filter((uid) => /^[\w-]{1,100}$/.test(uid));
  return `<p role="status">Posted: ${uids.join(', ') || 'nobody'}</p>`;
}

/** For trying out. In production your web server hands the path over: see nginx. */
function handOn(asked, answer) {
  const { method, headers, url } = asked;
  const onward = request(SERVICE + url, { method, headers }, (incoming) => {
    answer.writeHead(incoming.statusCode, incoming.headers);
    answer.flushHeaders();
    incoming.on('error', () => answer.destroy());
    incoming.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}
