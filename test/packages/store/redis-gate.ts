import { connect, createServer } from 'node:net';
import { connectionsOf, listenLocally, stopListening } from '../../support/doubles/local-server.ts';
import { testRedisUrl } from '../../support/redis/test-redis.ts';

/** A proxy between a test's connections and Redis that can cut only these connections off. */
export interface RedisGate {
  readonly url: string;
  /** The number of connections so far. */
  readonly connections: number;
  /** Stops all data while connections stay open, like a Redis that hangs. */
  freeze(): void;
  /** Cuts all connections and refuses new ones. */
  shut(): void;
  /** Forwards data again. */
  reopen(): void;
  close(): Promise<void>;
}

interface RedisGateOptions {
  /** How late replies arrive, as over a long way; 0 by default. */
  replyDelayMs?: number;
}

export async function openGate({ replyDelayMs = 0 }: RedisGateOptions = {}): Promise<RedisGate> {
  const target = new URL(testRedisUrl());
  let state: 'open' | 'frozen' | 'shut' = 'open';
  let connections = 0;

  const server = createServer((client) => {
    connections++;
    if (state === 'shut') {
      client.destroy();
      return;
    }
    const redis = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, redis],
      [redis, client],
    ] as const) {
      from.on('error', () => {}).on('close', () => to.destroy());
      from.on('data', (data) => {
        if (state !== 'open') return;
        if (from === redis && replyDelayMs > 0) setTimeout(() => to.write(data), replyDelayMs);
        else to.write(data);
      });
    }
  });
  const port = await listenLocally(server);

  function cut() {
    for (const socket of connectionsOf(server)) socket.destroy();
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    get connections() {
      return connections;
    },
    freeze() {
      state = 'frozen';
    },
    shut() {
      state = 'shut';
      cut();
    },
    reopen() {
      // Data sent to a frozen gate is lost, so that its connections are unusable.
      if (state === 'frozen') cut();
      state = 'open';
    },
    close: () => stopListening(server),
  };
}
