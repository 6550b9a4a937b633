// The three engines behind one protocol, W3C WebDriver. Each driver is started here on a free port of
// this machine and in a process group of its own, which ends with this process whatever happens.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Builder } from 'selenium-webdriver';

import { freePort } from '../browser/server.mjs';

/** Milliseconds in which a driver that was started answers. */
const PATIENCE = 30_000;

/** Debian keeps WebKit's small browser beside the library, in the folder of the architecture. */
const MINI_BROWSER = readdirSync('/usr/lib')
  .map((folder) => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`)
  .find(existsSync);

const ENGINES = {
  chromium: {
    command: (port) => ['chromedriver', `--port=${port}`],
    capabilities: {
      browserName: 'chrome',
      'goog:chromeOptions': {
        binary: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
      },
    },
  },
  firefox: {
    command: (port) => ['geckodriver', '--port', port, '--websocket-port', '0', '--log', 'fatal'],
    capabilities: {
      browserName: 'firefox',
      'moz:firefoxOptions': { binary: process.env.FIREFOX ?? '/usr/bin/firefox-esr', args: ['-headless'] },
    },
  },
  webkit: {
    command: (port) => ['WebKitWebDriver', `--port=${port}`],
    capabilities: {
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: process.env.MINIBROWSER ?? MINI_BROWSER, args: ['--automation'] },
    },
    // It has no mode without a screen, and without a window manager its window loses the focus when it is resized.
    needsScreen: true,
  },
};

/** How each program comes to a Debian machine, as in tests/run. */
const INSTALLS = {
  chromedriver: 'apt-get install chromium chromium-driver',
  geckodriver: 'cargo install --locked --debug geckodriver, and apt-get install firefox-esr',
  WebKitWebDriver: 'apt-get install webkit2gtk-driver',
  Xvfb: 'apt-get install xvfb',
  openbox: 'apt-get install openbox',
};

/** Process groups and folders that are left when this process ends. */
const leftovers = new Set();
// The last first: a folder can be removed when nobody writes into it any more.
process.on('exit', () => [...leftovers].reverse().forEach((clear) => clear()));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** A browser, ready to be driven; `quit` ends everything that was started for it. */
export async function launch(engine) {
  const { command, capabilities, needsScreen } = ENGINES[engine];
  // Profiles and caches go there, and the language of the machine does not matter.
  const home = mkdtempSync(join(tmpdir(), `cgm-${engine}-`));
  const env = { ...process.env, HOME: home, TMPDIR: home, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', LANGUAGE: 'en' };
  for (const name of Object.keys(env)) if (name.startsWith('XDG_')) delete env[name];
  const ends = [leaves(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))];
  const run = (words, stdio) => {
    const child = spawn(words[0], words.slice(1), { env, stdio, detached: true });
    const failed = new Promise((_, no) => child.once('error', () => no(new Error(`${words[0]} is not installed: ${INSTALLS[words[0]]}`))));
    failed.catch(() => {});
    ends.unshift(leaves(() => child.pid && endGroup(child.pid)));
    return { child, failed };
  };
  const quit = () => ends.forEach((end) => end());
  try {
    if (needsScreen) {
      const { child, failed } = run(['Xvfb', '-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], ['ignore', 'ignore', 'ignore', 'pipe']);
      const display = new Promise((found) => child.stdio[3].once('data', (number) => found(String(number).trim())));
      env.DISPLAY = `:${await Promise.race([display, failed])}`;
      run(['openbox', '--sm-disable'], 'ignore');
    }
    const port = String(await freePort());
    const { failed } = run(command(port), 'ignore');
    const address = `http://127.0.0.1:${port}`;
    await answers(`${address}/status`, failed);
    const driver = await new Builder().disableEnvironmentOverrides().usingServer(address).withCapabilities(capabilities).build();
    return {
      driver,
      quit: () =>
        driver
          .quit()
          .catch(() => {})
          .then(quit),
    };
  } catch (error) {
    quit();
    throw error;
  }
}

/** Is done once: when it is asked for, or when this process ends. */
function leaves(clear) {
  const once = () => leftovers.delete(once) && clear();
  leftovers.add(once);
  return once;
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended by itself.
  }
}

/** Asks until a driver answers, or until it has `failed` to start. */
async function answers(address, failed) {
  for (const end = Date.now() + PATIENCE; ; await Promise.race([sleep(50), failed])) {
    try {
      if ((await fetch(address)).ok) return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
