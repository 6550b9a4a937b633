// Webhooks as hosts verify them: by the libraries of Standard Webhooks for Node.js and Python.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Webhook, WebhookVerificationError } from 'standardwebhooks';

import { standardWebhooks } from '../backends/support.mjs';
import { Actor, Server } from '../browser/server.mjs';

const secret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** The words that a receiver said, as they come. */
function said() {
  const words = [];
  const waiting = [];
  return {
    words,
    say(word) {
      words.push(word);
      for (const check of waiting) check();
    },
    /** Waits until this was said. */
    hears(word) {
      return new Promise((done, failed) => {
        const timer = setTimeout(() => failed(new Error(`waited in vain for ${word}: ${words.join(' ')}`)), 10_000);
        const check = () => {
          if (!words.includes(word)) return;
          clearTimeout(timer);
          done();
        };
        waiting.push(check);
        check();
      });
    },
  };
}

/** A server of Node.js that verifies with this secret. */
async function nodeReceiver(key) {
  const told = said();
  const webhook = new Webhook(key);
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    try {
      told.say(webhook.verify(body, request.headers).type);
      response.writeHead(204).end();
    } catch (error) {
      assert.ok(error instanceof WebhookVerificationError);
      told.say('refused');
      response.writeHead(400).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { told, url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}

/** The same in Python, with the library of its package index. */
async function pythonReceiver(key) {
  const told = said();
  const child = spawn('python3', [fileURLToPath(new URL('receiver.py', import.meta.url))], {
    env: { ...process.env, PYTHONPATH: await standardWebhooks(), SECRET: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise((done, failed) => {
    lines.once('line', done);
    child.once('exit', () => failed(new Error('the receiver ended')));
  });
  lines.on('line', (word) => told.say(word));
  return { told, url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}

for (const [name, start] of [
  ['Node.js', nodeReceiver],
  ['Python', pythonReceiver],
]) {
  test(`a receiver in ${name} verifies every event, and one with another secret none`, async () => {
    const key = secret();
    const [own, other] = [await start(key), await start(secret())];
    for (const [receiver, word] of [
      [own, 'member.scope_changed'],
      [other, 'refused'],
    ]) {
      // The second secret is one that is being replaced.
      const server = await Server.start({ CGM_WEBHOOK_URL: receiver.url, CGM_WEBHOOK_SECRET: `${key},${secret()}` });
      await new Actor(server, await server.group(), 'ada').scope('dee', 'moderator');
      await receiver.told.hears(word);
      await server.stop();
    }
    assert.ok(!own.told.words.includes('refused') && other.told.words.every((word) => word === 'refused'));
    own.stop();
    other.stop();
  });
}
