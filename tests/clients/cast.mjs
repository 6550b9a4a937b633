// The cast, as the host makes them known: Ada owns the park, Ben is an admin, Cy a moderator, Dee and Eve are participants,
// Flo is banned.

/** Makes them known to this service. */
export async function seed(server) {
  for (const name of ['Ada', 'Ben', 'Cy', 'Dee', 'Eve', 'Flo']) {
    await server.host('POST', '/users', { uid: name.toLowerCase(), name });
  }
  await server.host('POST', '/groups', {
    guid: 'park',
    name: 'Park',
    type: 'public',
    owner: 'ada',
    members: { admins: ['ben'], moderators: ['cy'], participants: ['dee', 'eve'], usersToBan: ['flo'] },
  });
}
