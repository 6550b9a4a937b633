// The bars below a list: what was done and how to undo it, and what its viewer was told by the team.

export const bar = (viewer) => viewer.root.locator('.chat-group-members__undo');
export const undo = (viewer) => bar(viewer).getByRole('button', { name: 'Undo' });
export const notice = (viewer) => viewer.root.locator('.chat-group-members__notice');
