import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import { queryRedis } from './query-redis.ts';

/** A copy of a whole store, as an operator takes it: a file of Redis (RDB). */
export interface StoreCopy {
  /** When it was complete, in milliseconds since the epoch. */
  readonly copiedAt: number;
  /** Starts a new Redis with the copy, as `docs/operations.md` describes. */
  restore(): Promise<RunningRedis>;
  remove(): void;
}

export async function copyStore({ port }: RunningRedis): Promise<StoreCopy> {
  const dir = mkdtempSync(join(tmpdir(), 'gateway-copy-'));
  await queryRedis(port, (redis) => redis.save());
  const copiedAt = Date.now();
  const [, from = ''] = await queryRedis(port, (redis) => redis.config('GET', 'dir') as Promise<string[]>);
  copyFileSync(join(from, 'dump.rdb'), join(dir, 'dump.rdb'));
  return {
    copiedAt,
    async restore() {
      const redis = await startRedis({ dir, settings: { appendonly: 'no' } });
      await queryRedis(redis.port, (asked) => asked.config('SET', 'appendonly', 'yes'));
      return redis;
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
