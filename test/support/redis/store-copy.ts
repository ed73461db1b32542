import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import { eventually } from '../eventually.ts';
import { queryRedis } from './query-redis.ts';

/** A copy of a whole store, as an operator takes it: a file of Redis (RDB). */
export interface StoreCopy {
  /** When it was complete, in milliseconds since the epoch. */
  readonly copiedAt: number;
  /** Starts a new Redis with the copy, as `docs/operations.md` describes. */
  restore(): Promise<RunningRedis>;
  /** Replaces what a Redis has by the copy. It is killed, and started again at the same port. */
  putBack(redis: RunningRedis): Promise<void>;
  remove(): void;
}

export async function copyStore({ port }: RunningRedis): Promise<StoreCopy> {
  const dir = mkdtempSync(join(tmpdir(), 'gateway-copy-'));
  await queryRedis(port, (redis) => redis.save());
  const copiedAt = Date.now();
  copyFileSync(join(await folderOf(port), 'dump.rdb'), join(dir, 'dump.rdb'));
  return {
    copiedAt,
    async restore() {
      const redis = await startRedis({ dir, settings: { appendonly: 'no' } });
      await queryRedis(redis.port, (asked) => asked.config('SET', 'appendonly', 'yes'));
      return redis;
    },
    async putBack(redis) {
      const folder = await folderOf(redis.port);
      await redis.kill('SIGKILL');
      for (const name of ['appendonlydir', 'dump.rdb'])
        rmSync(join(folder, name), { recursive: true, force: true });
      copyFileSync(join(dir, 'dump.rdb'), join(folder, 'dump.rdb'));
      await makeAppendOnly(folder);
      await redis.restart();
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

async function folderOf(port: number): Promise<string> {
  const [, folder = ''] = await queryRedis(port, (redis) => redis.config('GET', 'dir') as Promise<string[]>);
  return folder;
}

/** A Redis with an append-only file does not read `dump.rdb`. */
async function makeAppendOnly(dir: string): Promise<void> {
  const redis = await startRedis({ dir, settings: { appendonly: 'no' } });
  await queryRedis(redis.port, async (asked) => {
    await asked.config('SET', 'appendonly', 'yes');
    await eventually(async () => {
      const state = await asked.info('persistence');
      const isWritten = /aof_enabled:1/.test(state) && !/aof_rewrite_(?:in_progress|scheduled):1/.test(state);
      return isWritten;
    });
  });
  await redis.stop();
}
