// Puts a token into the HttpOnly cookie that the list's own requests carry.
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const bearer = new FormData(event.target).get('bearer').trim();
  const answer = await fetch('/members/session', { method: 'POST', headers: { Authorization: `Bearer ${bearer}` } });
  if (answer.ok) location = '/';
  else alert(`The service answered ${answer.status}.`);
});
