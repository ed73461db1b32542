import { Cluster } from 'ioredis';
import type { Redis, SingleRedis } from './client.ts';

/** What happens to a connection, for the log; once per outage and not once per attempt. */
export interface OutageEvents {
  onAway?(connection: string, reason: string): void;
  onReady?(connection: string): void;
}

/** Tells of the outages of a connection; in a Cluster of those of its nodes too. */
export function tellOutages(name: string, redis: Redis, events: OutageEvents): void {
  /** Who is away: '' for the whole. */
  const away = new Set<string>();

  function goes(who: string, error: Error & { lastNodeError?: Error }) {
    if (away.has(who)) return;
    away.add(who);
    events.onAway?.(nameOf(who), error.lastNodeError?.message ?? error.message);
  }
  function comes(who: string) {
    away.delete(who);
    events.onReady?.(nameOf(who));
  }
  function nameOf(who: string) {
    return who === '' ? name : `${name} (${who})`;
  }

  redis.on('error', (error: Error) => goes('', error));
  redis.on('ready', () => comes(''));
  if (!(redis instanceof Cluster)) return;
  redis.on('node error', (error: Error, node: string) => goes(node, error));
  redis.on('+node', (node: SingleRedis) => {
    const who = `${node.options.host}:${node.options.port}`;
    node.once('ready', () => {
      if (away.has(who)) comes(who);
    });
  });
}
