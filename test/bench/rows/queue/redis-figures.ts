import type { RedisConnections } from '@gateway/store';

/** Memory that Redis uses for its data, in bytes. */
export async function usedBytes({ store }: RedisConnections): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await store.info('memory'))?.[1]);
}

/** Number of commands since Redis started, including those in scripts. */
export async function commands({ store }: RedisConnections): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await store.info('stats'))?.[1]);
}
