// A host with next to nothing: a folder's index.html, and a token for whoever is signed in.
//   node examples/host.mjs custom-element

import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const SERVICE = process.env.CGM_URL ?? 'http://127.0.0.1:8080';
const SECRET = process.env.CGM_VIEWER_SECRET;
const PORT = process.env.PORT ?? 3000;
const PAGE = new URL(`${process.argv[2]}/index.html`, import.meta.url);

/** A JWT (HS256) that says who looks, for a quarter of an hour. */
function mint(uid) {
  const part = (data) => Buffer.from(JSON.stringify(data)).toString('base64url');
  const claims = { sub: uid, aud: 'chat-group-members', exp: Math.floor(Date.now() / 1000) + 900 };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

createServer(async ({ method, url }, answer) => {
  if (method === 'POST' && url === '/token') {
    // Your application knows who is signed in. POST, so that no page of another site can read it or cache it.
    answer.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end(mint('ben'));
  } else if (url === '/') {
    const page = await readFile(PAGE, 'utf8');
    answer.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page.replaceAll('http://127.0.0.1:8080', SERVICE));
  } else answer.writeHead(404).end();
}).listen(PORT, () => console.error(`listening on http://localhost:${PORT}`));
