import { Cluster } from 'ioredis';
import type { Redis } from './redis.ts';
import { requiredCommands } from './required-commands.ts';

/** In the slot of the jobs in a Cluster. */
const KEY = '{jobs}:permitted';
const FORBIDDEN = /^(NOPERM |ERR unknown command)/;

/** Another connection would have no transaction. */
const ONE_TRY = {
  keyPrefix: '',
  enableOfflineQueue: true,
  enableAutoPipelining: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
};

interface ForbiddenCommand {
  command: string;
  reason: string;
}

/**
 * What the server forbids of the commands that the gateway needs: each command, with the server's sentence.
 * Nothing runs: the server judges commands as they enter a transaction, which is then discarded. That
 * needs a connection of its own.
 *
 * @param queueKey a key of a queue, which begins otherwise than all others
 */
export async function findForbiddenCommands(redis: Redis, queueKey: string): Promise<ForbiddenCommand[]> {
  const [server] = redis instanceof Cluster ? redis.nodes('master') : [redis];
  if (server === undefined) return [];
  const own = server.duplicate(ONE_TRY);
  own.on('error', () => {});
  try {
    const noTransaction = await refusalOf(own.multi({ pipeline: false }));
    if (noTransaction !== null) return [{ command: 'MULTI', reason: noTransaction }];
    const key = `${redis.options.keyPrefix ?? ''}${KEY}`;
    const tries = [
      ...requiredCommands.map((required) => ({ ...required, key })),
      { name: 'DEL', words: 2, key: queueKey },
    ].map(async (required) => {
      const args = Array.from({ length: required.words - 1 }, () => required.key);
      return { command: required.name, reason: await refusalOf(own.call(required.name, ...args)) };
    });
    const tried = await Promise.all(tries);
    return tried.flatMap(({ command, reason }) => (reason === null ? [] : { command, reason }));
  } finally {
    own.disconnect();
  }
}

/** Whether the server answers `INFO`, which some hosted ones forbid. */
export async function answersInfo(redis: Redis): Promise<boolean> {
  return (await refusalOf(redis.info('server'))) === null;
}

/** @throws what is no refusal by the server */
async function refusalOf(answer: Promise<unknown>): Promise<string | null> {
  try {
    await answer;
    return null;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
    return FORBIDDEN.test(error.message) ? error.message : null;
  }
}
