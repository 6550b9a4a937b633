// Stands first in every page that an engine is shown: keeps what the page complains about, and the
// events of the component.
(() => {
  const said = (window.said = []);
  const heard = (window.heard = []);
  addEventListener('error', ({ message, filename, lineno, error }) => message && said.push(`exception: ${message} ${filename}:${lineno} ${error?.stack ?? ''}`));
  addEventListener('unhandledrejection', ({ reason }) => said.push(`rejection: ${reason?.stack ?? reason}`));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => said.push(`policy: ${violatedDirective} ${blockedURI}`));
  for (const level of ['error', 'warn']) {
    const console = window.console[level];
    window.console[level] = (...words) => {
      said.push(`${level}: ${words.map((word) => word?.message ?? word).join(' ')}`);
      console.apply(window.console, words);
    };
  }
  for (const name of ['load', 'empty', 'error', 'item-click', 'select', 'member-kicked', 'member-joined']) {
    document.addEventListener(`chat-group-members:${name}`, ({ detail }) => heard.push({ name, detail }));
  }
})();
