// The list inside a page of an Express application, in the first byte of it.

import { createHmac } from 'node:crypto';
import { request } from 'node:http';

import express from 'express';

const SERVICE = process.env.CGM_URL ?? 'http://127.0.0.1:8080'; // runs with --base-path /members
const SECRET = process.env.CGM_VIEWER_SECRET;
const PORT = process.env.PORT ?? 3000;

/** A JWT (HS256) that says who looks, for a quarter of an hour. */
function mint(uid) {
  const part = (data) => Buffer.from(JSON.stringify(data)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: uid, aud: 'chat-group-members', iat: now, exp: now + 900 };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

/** The list as this person sees it. A refusal says why, and is markup for the page too. */
async function members(group, token) {
  const answer = await fetch(`${SERVICE}/members/groups/${group}/members?part=component`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(2_000),
  });
  return answer.text();
}

const app = express();

app.get('/', async (asked, answer) => {
  const token = mint(asked.query.as ?? 'ben'); // your application knows who is signed in
  // What the browser asks for by itself carries the cookie.
  answer.cookie('chat_token', token, { httpOnly: true, sameSite: 'lax', secure: asked.secure, maxAge: 900_000 });
  answer.send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Harbour</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/members/static/css-variables.css">
<script src="/members/static/chat-group-members.js" defer></script>
<script src="/fresh-token.js" defer></script>
</head>
<body>
<h1>Harbour</h1>
<div style="block-size: 480px; inline-size: 360px">${await members('harbour', token)}</div>
</body>
</html>`);
});

// Before a quarter of an hour is over the list asks for a new token.
app.get('/fresh-token.js', (_, answer) => {
  answer.type('js').send(`document.addEventListener('chat-group-members:expired', async () => {
  await fetch(location.href, { cache: 'no-store' }); // the page sets the cookie
  document.dispatchEvent(new CustomEvent('chat-group-members:resume'));
});`);
});

// For trying out. In production your web server hands this path to the service: see ../nginx.
app.use('/members', (asked, answer) => {
  const { method, headers, originalUrl } = asked;
  const onward = request(SERVICE + originalUrl, { method, headers }, (incoming) => {
    answer.writeHead(incoming.statusCode, incoming.headers);
    answer.flushHeaders();
    incoming.on('error', () => answer.destroy());
    incoming.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
});

app.listen(PORT, '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${PORT}`));
