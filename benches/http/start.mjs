// The program by itself: until it is ready, what it holds then, and what an import takes.

import { join } from 'node:path';

import { fill, serve } from './service.mjs';

export async function measure(run) {
  const database = join(run.folder, 'start.db');
  await (await serve(database)).stop();
  for (let round = 0; round < run.rounds; round++) {
    const service = await serve(database);
    run.keep('start.ready', service.readyAfter);
    run.keep('start.resident', service.resident());
    await service.stop();
  }
  for (const [name, size] of Object.entries({ tenth: run.members / 10, whole: run.members })) {
    const { seconds, memory } = await fill(join(run.folder, `import-${name}.db`), 'imported', Math.round(size), run.folder);
    run.say(`${Math.round(size)} people imported`);
    run.keep(`import.${name}.seconds`, seconds);
    run.keep(`import.${name}.memory`, memory);
  }
}
