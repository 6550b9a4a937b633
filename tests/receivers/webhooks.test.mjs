// Webhooks as hosts verify them: by the libraries of Standard Webhooks for Node.js and Python, and by the samples of
// docs/webhooks.md, which use them in Express and Django.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Webhook, WebhookVerificationError } from 'standardwebhooks';

import { standardWebhooks } from '../backends/support.mjs';
import { Actor, Server } from '../browser/server.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The one that Debian's packages are for. */
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3';

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
const pythonReceiver = (key) => printing('python3', [fileURLToPath(new URL('receiver.py', import.meta.url))], { SECRET: key });

/** The sample of docs/webhooks.md in this language. */
async function sample(language) {
  const page = await readFile(`${ROOT}/docs/webhooks.md`, 'utf8');
  return page.split(`\n\`\`\`${language}\n`)[1].split('\n```\n')[0];
}

/** An application in Express with the sample for Node.js in it. */
async function expressReceiver(key) {
  const application = `
    import express from 'express';
    const app = express();
    app.use((request, response, next) => {
      response.on('finish', () => response.statusCode === 400 && console.log('refused'));
      next();
    });
    const apply = async (id, event) => console.log(event.type);
    ${await sample('js')}
    const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  return printing(process.execPath, ['--input-type=module', '--eval', application], { CGM_WEBHOOK_SECRET: key });
}

/** An application in Django with the sample for Python in it. */
async function djangoReceiver(key) {
  const application = `
import os
from wsgiref.simple_server import WSGIRequestHandler, make_server
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", SECRET_KEY="of this test")
def apply(id, event):
    print(event["type"], flush=True)
${await sample('python')}
@csrf_exempt
def watched(request):
    response = hook(request)
    if response.status_code == 400:
        print("refused", flush=True)
    return response
urlpatterns = [path("hooks/members", watched)]
class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass
server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
print(server.server_port, flush=True)
server.serve_forever()
`;
  return printing(PYTHON, ['-c', application], { CGM_WEBHOOK_SECRET: key });
}

/** A program that prints its port, and then a line for each request. */
async function printing(program, args, env) {
  const told = said();
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, PYTHONPATH: await standardWebhooks(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise((done, failed) => {
    lines.once('line', done);
    child.once('exit', () => failed(new Error('the receiver ended')));
  });
  lines.on('line', (word) => told.say(word));
  return { told, url: `http://127.0.0.1:${port}/hooks/members`, stop: () => child.kill() };
}

for (const [name, start] of [
  ['Node.js', nodeReceiver],
  ['Python', pythonReceiver],
  ['Express, as the page about webhooks shows it,', expressReceiver],
  ['Django, as the page about webhooks shows it,', djangoReceiver],
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
