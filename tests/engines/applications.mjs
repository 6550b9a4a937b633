// The custom element in the hands of an application, which Vue draws here.

import assert from 'node:assert/strict';

import { hostPage, npm } from './host.mjs';

/** As most applications it has no token at first. */
const application = (vue, guid) => `import { createApp, h, reactive } from '${vue}';
const state = reactive({ group: '${guid}', token: '' });
window.give = (token) => { state.token = token; };
createApp({ render: () => h('chat-group-members', { ...state, style: 'block-size: 480px' }) }).mount('#app');`;

export function applications(scene) {
  scene("the element shows the list of the person whose token Vue gives it, and another's in its place", async ({ viewer, actor, server, road, guid }) => {
    road.pages.set('/app.js', application(npm(road, 'vue/dist/vue.runtime.esm-browser.prod.js'), guid));
    road.pages.set('/host', hostPage('<script type="module" src="/app.js"></script>', '<h1>An application</h1><div id="app"></div>'));
    const page = await viewer('ben', { path: '/host', live: false });
    const give = async (uid, terms) => page.ask((token) => window.give(token), await server.token(uid, terms));
    const isOf = (uid) => page.there(`#${page.x}[data-self="${uid}"][data-live="on"]`);
    const lists = () => road.asked.filter((line) => line.includes('part=component')).length;
    await give('ben');
    await isOf('ben');
    await page.there(page.button('cy'));
    await give('ben', { ttl: '2h' });
    // What a change of the token asks for is asked for by then.
    await page.frames();
    assert.equal(lists(), 1, 'a fresh token of the same person is no new list');
    await give('dee');
    await isOf('dee');
    assert.equal(await page.count(page.button('cy')), 0, 'Dee may do nothing to Cy');
    assert.equal(await page.count('section.chat-group-members'), 1);
    await road.until(() => road.streams() === 1);
    await page.away();
    await actor('ada').kick('cy');
    await page.gone(page.row('cy'));
    assert.equal(lists(), 2);
  });
}
