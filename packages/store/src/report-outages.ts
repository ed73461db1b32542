import { Cluster } from 'ioredis';
import type { Redis, SingleRedis } from './redis.ts';

/** Called once per outage of a connection, not once per connection attempt. */
export interface OutageEvents {
  onUnavailable?(connection: string, reason: string): void;
  onReady?(connection: string): void;
}

/** Reports outages of a connection; for a Cluster also those of its nodes. */
export function reportOutages(name: string, redis: Redis, events: OutageEvents): void {
  /** Nodes that are unavailable; '' stands for the whole connection. */
  const unavailable = new Set<string>();

  function reportUnavailable(node: string, error: Error & { lastNodeError?: Error }) {
    if (unavailable.has(node)) return;
    unavailable.add(node);
    events.onUnavailable?.(nameOf(node), error.lastNodeError?.message ?? error.message);
  }
  function reportReady(node: string) {
    unavailable.delete(node);
    events.onReady?.(nameOf(node));
  }
  function nameOf(node: string) {
    return node === '' ? name : `${name} (${node})`;
  }

  redis.on('error', (error: Error) => reportUnavailable('', error));
  redis.on('ready', () => reportReady(''));
  if (!(redis instanceof Cluster)) return;
  redis.on('node error', (error: Error, node: string) => reportUnavailable(node, error));
  redis.on('+node', (connection: SingleRedis) => {
    const node = `${connection.options.host}:${connection.options.port}`;
    connection.once('ready', () => {
      if (unavailable.has(node)) reportReady(node);
    });
  });
}
