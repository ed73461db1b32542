import type { RedisConnections } from '@gateway/redis';
import type { Row } from '../../row.ts';

/** Memory that Redis uses for its data, in bytes. */
export async function usedBytes({ store }: RedisConnections): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await store.info('memory'))?.[1]);
}

/** Number of commands since Redis started, including those in scripts. */
export async function commands({ store }: RedisConnections): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await store.info('stats'))?.[1]);
}

/** A measurement without a budget. */
export function figure(name: string, unit: string, value: number, note?: string): Row {
  return {
    name,
    unit,
    gateway: value,
    floor: null,
    result: value,
    resultUnit: unit,
    budget: '',
    met: true,
    ...(note !== undefined && { note }),
  };
}
