import { parseArgs } from 'node:util';
import { CHOSEN_ID } from '@gateway/core';
import { fail, withStore } from '../commands/with-store.ts';
import { eraseUser } from './erase-user.ts';

/**
 * Removes a user who has left from histories and audit records. It uses the configuration of api and worker.
 * `npm run erase-user` starts it; in a container it is `node apps/worker/src/erase/main.ts <user id>`.
 */
const USAGE = 'usage: npm run erase-user -- <user id>';

process.exitCode = await main();

async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [userId] = positionals;
  if (userId === undefined || positionals.length > 1 || !CHOSEN_ID.test(userId)) return fail(USAGE);
  return withStore('erase-user', async (dependencies) => {
    const { lines, isIncomplete } = await eraseUser(dependencies, userId);
    for (const line of lines) console.log(line);
    return isIncomplete ? 1 : 0;
  });
}
