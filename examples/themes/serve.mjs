// Serves this folder and, at the same origin, everything of the demo: `node serve.mjs`.

import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';

const DEMO = new URL(process.env.DEMO ?? 'http://127.0.0.1:8080');
const TYPES = { 'index.html': 'text/html', 'terminal.css': 'text/css', 'hearth.css': 'text/css', 'gazette.css': 'text/css' };

createServer(async (asked, answer) => {
  const [, name = ''] = asked.url.match(/^\/themes\/([^?]*)/) ?? [null, undefined];
  const file = asked.url.startsWith('/themes/') ? name || 'index.html' : '';
  if (TYPES[file]) {
    answer.writeHead(200, { 'Content-Type': `${TYPES[file]}; charset=utf-8` });
    answer.end(await readFile(new URL(file, import.meta.url)));
    return;
  }
  const { hostname, port } = DEMO;
  const onward = request({ hostname, port, method: asked.method, path: asked.url, headers: asked.headers }, (said) => {
    answer.writeHead(said.statusCode, said.headers);
    said.pipe(answer);
  });
  onward.on('error', () => answer.writeHead(502).end('Start `chat-group-members demo` first.'));
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}).listen(Number(process.env.PORT ?? 8081), '127.0.0.1', function () {
  console.log(`http://127.0.0.1:${this.address().port}/ to choose who looks, then /themes/`);
});
