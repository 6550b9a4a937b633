// The chat page of `chat-group-members demo`, as a host application would write it: messages come
// over a stream of its own, and what happens among the members comes as DOM events from the component.

const messages = document.getElementById('messages');
const composer = document.getElementById('composer');
const viewer = document.body.dataset.viewer;
/** Joins and departures within so long share one line. */
const TOGETHER = 3_000;

/** Times of day as this browser's clock shows them; the server knows only UTC. */
function localTimes(element) {
  for (const time of element.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    const two = (number) => String(number).padStart(2, '0');
    time.textContent = `${two(at.getHours())}:${two(at.getMinutes())}`;
  }
}

/** Adds a line at the end; who reads further up stays there. */
function append(line) {
  const atEnd = messages.scrollHeight - messages.scrollTop - messages.clientHeight < 80;
  const last = messages.lastElementChild;
  if (last?.dataset.uid !== line.dataset.uid) line.classList.remove('chat__message--more');
  messages.append(line);
  while (messages.childElementCount > 400) messages.firstElementChild.remove();
  if (atEnd || line.classList.contains('chat__message--own')) messages.scrollTop = messages.scrollHeight;
}

/** A message as the server rendered it; it comes once, by the answer or by the stream. */
function received(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  const message = template.content.firstElementChild;
  if (!message || document.getElementById(message.id)) return;
  localTimes(message);
  append(message);
}

function followMessages() {
  const source = new EventSource(messages.dataset.events);
  source.onmessage = ({ data }) => received(data);
  source.addEventListener('caption', ({ data }) => showCaption(data, true));
  source.addEventListener('finished', ({ data }) => showCaption(data, false));
}

// ---- the composer ----

async function send(event) {
  event.preventDefault();
  const field = composer.elements.text;
  if (!field.value.trim()) return;
  const problem = composer.querySelector('.chat__problem');
  try {
    const body = new URLSearchParams({ text: field.value });
    const answer = await fetch(composer.getAttribute('action'), { method: 'POST', body, headers: { Accept: '*/*' } });
    const text = await answer.text();
    problem.textContent = answer.ok ? '' : text;
    if (!answer.ok) return;
    received(text);
    field.value = '';
    field.focus();
  } catch {
    problem.textContent = 'The message was not sent. Is the demo still running?';
  }
}

function composerKey(event) {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  composer.requestSubmit();
}

/** Whoever is muted reads until when, and cannot send; the server refuses it besides. */
function mute(until) {
  const problem = composer.querySelector('.chat__problem');
  composer.querySelector('button').disabled = Boolean(until);
  if (!until) {
    problem.textContent = '';
    return;
  }
  const at = new Date(until);
  const time = at - Date.now() < 86_400_000 ? at.toLocaleTimeString([], { timeStyle: 'short' }) : at.toLocaleString();
  problem.textContent = `You cannot write here until ${time}.`;
}

// ---- what happens among the members, as lines in the chat ----

const MADE = { admin: 'an admin', moderator: 'a moderator', participant: 'a participant' };

/** The people of a sentence are elements, so that each name keeps its own direction. */
const SENTENCES = {
  'member-joined': ({ who }) => [who, ' joined'],
  'member-added': ({ who }) => [who, ' was added'],
  'member-left': ({ who }) => [who, ' left'],
  'member-kicked': ({ who, by }) => (by ? [who, ' was removed by ', by] : [who, ' was removed']),
  'member-banned': ({ who, by }) => (by ? [who, ' was banned by ', by] : [who, ' was banned']),
  'member-unbanned': ({ who, by }) => (by ? [by, ' lifted the ban of ', who] : ['The ban of ', who, ' has ended']),
  'member-scope-changed': ({ who, by, scope }) => (by ? [by, ' made ', who, ` ${MADE[scope]}`] : [who, ` is ${MADE[scope]} now`]),
  'owner-transferred': ({ who, by }) => (by ? [by, ' handed the group to ', who] : [who, ' owns the group now']),
};
const MANY = { 'member-joined': 'joined', 'member-left': 'left' };

function person({ name }) {
  const element = document.createElement('bdi');
  element.textContent = name;
  return element;
}

function happened(kind, { member, by, new: scope }) {
  if (!member || !messages) return;
  const last = messages.lastElementChild;
  if (MANY[kind] && last?.dataset.kind === kind && Date.now() - last.dataset.at < TOGETHER) return goesOn(last, kind);
  const line = document.createElement('li');
  line.className = 'chat__action';
  Object.assign(line.dataset, { kind, at: Date.now(), count: 1 });
  const words = SENTENCES[kind]({ who: person(member), by: by && person(by), scope });
  line.append(...words);
  append(line);
}

/** One more of the same: "Ada and 12 others joined". */
function goesOn(line, kind) {
  const others = Number(line.dataset.count);
  Object.assign(line.dataset, { count: others + 1, at: Date.now() });
  const first = line.querySelector('bdi');
  line.replaceChildren(first, ` and ${others} ${others === 1 ? 'other' : 'others'} ${MANY[kind]}`);
}

/** The switch says what each of the four is by now. */
function scopeShown(uid, scope) {
  const button = [...document.querySelectorAll('.demo__people button')].find(({ value }) => value === uid);
  if (button) button.querySelector('small').textContent = scope;
}

function followMembers() {
  for (const kind of Object.keys(SENTENCES)) {
    document.addEventListener(`chat-group-members:${kind}`, ({ detail }) => {
      happened(kind, detail);
      if (detail.member) scopeShown(detail.member.uid, detail.new ?? 'outside');
      if (kind === 'owner-transferred' && detail.by) scopeShown(detail.by.uid, 'admin');
    });
  }
  for (const kind of ['member-muted', 'member-unmuted']) {
    document.addEventListener(`chat-group-members:${kind}`, ({ detail }) => {
      if (composer && detail.member?.uid === viewer) mute(detail.until);
    });
  }
  // A press on somebody addresses them.
  document.addEventListener('chat-group-members:item-click', ({ detail }) => {
    if (!composer) return;
    const field = composer.elements.text;
    field.value = `${field.value.trimEnd()} @${detail.member.name} `.trimStart();
    location.hash = 'chat';
    field.focus();
  });
  // A new token comes with the page.
  document.addEventListener('chat-group-members:expired', () => location.reload());
}

/** The header's numbers follow the component's. */
function followTotals() {
  const line = document.querySelector('.chat-group-line');
  const side = document.getElementById('members');
  if (!line || !side) return;
  const copy = () => {
    const members = side.querySelector('.chat-group-members__count')?.textContent;
    const online = side.querySelector('.chat-group-members__online')?.textContent.split(' ')[0];
    const put = (place, text) => place && text && place.textContent !== text && (place.textContent = text);
    put(line.querySelector('[data-members]'), members);
    put(line.querySelector('[data-online]'), online);
    // Whoever is out does not write; the link below the reason leads to the page that knows what now.
    if (side.querySelector('.chat-group-members--ended')) composer?.setAttribute('inert', '');
  };
  new MutationObserver(copy).observe(side, { childList: true, characterData: true, subtree: true });
}

// ---- the demo itself ----

const simulation = document.querySelector('.demo__simulation[action="/demo/simulation"]');

function showCaption(line, on) {
  document.querySelector('.demo__line').textContent = line;
  simulation.classList.toggle('demo__simulation--on', on);
}

async function begin(event) {
  event.preventDefault();
  const answer = await fetch(simulation.getAttribute('action'), { method: 'POST', headers: { Accept: 'text/plain' } }).catch(() => null);
  const line = answer ? await answer.text() : 'Nobody answers. Is the demo still running?';
  showCaption(line, Boolean(answer?.ok));
}

/** Cookies belong to the whole browser: its other tabs follow when the viewer is switched. */
function followOtherTabs() {
  const tabs = new BroadcastChannel('chat-demo');
  tabs.postMessage(viewer);
  tabs.onmessage = ({ data }) => data !== viewer && location.reload();
}

if (messages) {
  localTimes(messages);
  messages.scrollTop = messages.scrollHeight;
  followMessages();
}
if (composer?.dataset.mutedUntil) mute(composer.dataset.mutedUntil);
composer?.addEventListener('submit', send);
composer?.elements.text.addEventListener('keydown', composerKey);
simulation.addEventListener('submit', begin);
followMembers();
followTotals();
followOtherTabs();
