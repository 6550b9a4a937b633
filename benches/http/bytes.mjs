// What is sent: a first list of 30, its rows, and the messages of a live page. These figures are exact, so they are taken once.

import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { ADMINS, uidOf } from './people.mjs';
import { overheads } from './rows.mjs';
import { fill, host, serve, token } from './service.mjs';

const GUID = 'bytes';
const ADMIN = uidOf(1);
const SHOWN = uidOf(2);
const PATIENCE = 10_000;

export async function measure(run) {
  const database = join(run.folder, 'bytes.db');
  await fill(database, GUID, 1000, run.folder);
  const service = await serve(database);
  try {
    await lists(run, service);
    await messages(run, service);
  } finally {
    await service.stop();
  }
}

/** The component as an admin's browser asks for it, and the same facts as data. */
async function lists(run, service) {
  const component = { accept: 'text/html', 'hx-request': 'true', 'sec-fetch-site': 'same-origin' };
  const plain = await body(service, '', { ...component, 'accept-encoding': 'identity' });
  const sent = await body(service, '', { ...component, 'accept-encoding': 'gzip, deflate, br, zstd' });
  const gzip = await body(service, '', { ...component, 'accept-encoding': 'gzip' });
  const facts = await body(service, '?format=json&limit=30', { 'accept-encoding': 'identity' });
  run.keep('bytes.list.raw', plain.length);
  run.keep('bytes.list.sent', sent.length);
  run.keep('bytes.list.gzip', gzip.length);
  run.keep('bytes.facts.gzip', gzipSync(facts).length);
  for (const bytes of overheads(plain.toString())) run.keep('bytes.row', bytes);
}

/** One message of each kind, as HTML and, where there is one, as the event in JSON. */
async function messages(run, service) {
  const page = (await body(service, '', {})).toString();
  const path = page.match(/data-connect="([^"]*)"/)[1].replaceAll(/&#38;|&amp;/g, '&');
  const [html, json] = await Promise.all([listen(service, path), listen(service, `/groups/${GUID}/events?format=json`)]);
  await html.settle();
  await json.settle();

  const url = `${service.base}/groups/${GUID}/members/${uidOf(ADMINS + 1)}/scope`;
  const headers = { authorization: `Bearer ${token(uidOf(0))}` };
  await fetch(url, { method: 'PUT', headers, body: new URLSearchParams({ scope: 'moderator' }) });
  run.keep('bytes.scope.message', await html.next());
  run.keep('bytes.scope.event', await json.next());

  await host(service, 'PUT', `/v3/users/${SHOWN}/presence`, { status: 'online', ttl: 60 });
  run.keep('bytes.status.message', await html.next());
  html.close();
  json.close();
}

function body(service, query, headers) {
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${token(ADMIN)}`;
    const asked = request(`${service.base}/groups/${GUID}/members${query}`, { headers: { authorization, ...headers } }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => (answer.statusCode === 200 ? resolve(Buffer.concat(parts)) : reject(new Error(`${query}: ${answer.statusCode}`))));
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** An open stream: sizes of its messages in turn, without keep-alives. */
function listen(service, path) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token(ADMIN)}`, accept: 'text/event-stream' };
    const asked = request(`${service.base}${path}`, { headers }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${path}: ${answer.statusCode}`));
      const sizes = [];
      let [rest, wake] = ['', () => {}];
      answer.setEncoding('utf8');
      answer.on('data', (part) => {
        const messages = (rest + part).split('\n\n');
        rest = messages.pop();
        sizes.push(...messages.filter((message) => /^(data|event)/m.test(message)).map((message) => Buffer.byteLength(message) + 2));
        wake();
      });
      const next = async () => {
        const end = Date.now() + PATIENCE;
        while (sizes.length === 0) {
          if (Date.now() > end) throw new Error(`${path}: no message came`);
          await new Promise((woken) => {
            wake = woken;
            setTimeout(woken, 100);
          });
        }
        return sizes.shift();
      };
      /** What comes first is about those who came. */
      const settle = async () => {
        await new Promise((passed) => setTimeout(passed, 2_000));
        sizes.length = 0;
      };
      resolve({ next, settle, close: () => asked.destroy() });
    });
    asked.on('error', reject);
    asked.end();
  });
}
