// Before a quarter of an hour is over the list asks for a new token; a page brings one as a cookie.
document.addEventListener('chat-group-members:expired', async () => {
  await fetch(location.href, { cache: 'no-store' });
  document.dispatchEvent(new CustomEvent('chat-group-members:resume'));
});
