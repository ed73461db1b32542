import { AuditLog } from '@gateway/activity';
import { type Clock, newId } from '@gateway/core';
import { eraseUserFromHistories } from '@gateway/jobs';
import type { Config } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import type { WorkerContext } from '../context.ts';

interface ErasureContext extends Pick<WorkerContext, 'autoBackups' | 'liteClusters' | 'logger' | 'webhooks'> {
  clock: Clock;
  config: { audit: Pick<Config['audit'], 'keepSeconds' | 'maxRecords'> };
  redis: { store: Redis };
}

/** What an erasure has done, for the operator. */
interface Erasure {
  lines: string[];
  /** Whether something keeps the id, because it works with it. */
  isIncomplete: boolean;
}

/**
 * Replaces a user in histories and audit records with a pseudonym that nothing else knows. What was done
 * stays, and that one user has done it.
 */
export async function eraseUser(context: ErasureContext, userId: string): Promise<Erasure> {
  const { clock, config, logger, redis } = context;
  const user = { userId, pseudonym: `erased-${newId().slice(0, 8)}` };
  const audit = new AuditLog({ redis: redis.store, clock, logger, limits: config.audit });
  const records = await audit.eraseUser(user);
  const parts = await eraseUserFromHistories(redis.store, user);
  const owned = await ownedBy(context, userId);
  return {
    lines: [
      `${user.pseudonym} stands for the user in ${records} audit records and ${parts} parts of histories.`,
      ...owned.map((what) => `${what} belongs to the user: delete it.`),
    ],
    isIncomplete: owned.length > 0,
  };
}

async function ownedBy(
  { autoBackups, liteClusters, webhooks }: ErasureContext,
  userId: string,
): Promise<string[]> {
  const owned: string[] = [];
  for (const id of await autoBackups.store.allIds()) {
    const found = await autoBackups.store.read(id);
    if (found?.userId === userId) owned.push(`The auto backup of volume ${found.volumeId}`);
  }
  for (const id of await liteClusters.openIds()) {
    if ((await liteClusters.read(id))?.userId === userId) owned.push(`Lite cluster ${id}`);
  }
  for (const id of await webhooks.allIds()) {
    if ((await webhooks.read(id))?.userId === userId) owned.push(`Webhook ${id}`);
  }
  return owned;
}
