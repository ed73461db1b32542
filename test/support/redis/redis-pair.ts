import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from '../../../scripts/child-process.ts';
import { freePort } from '../../../scripts/free-port.ts';
import { ensureRedisServer, type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import type { Certificates } from '../doubles/certificates.ts';
import { eventually } from '../eventually.ts';
import { queryRedis } from './query-redis.ts';

/** A primary and a replica, with Sentinels that replace a failed primary within two seconds. */
export interface RedisPair {
  readonly primary: RunningRedis;
  readonly replica: RunningRedis;
  /** The port of the primary for clients: with TLS, another one than the test itself uses. */
  readonly clientPort: number;
  /** The nodes in the format of the configuration. */
  readonly sentinels: string[];
  readonly name: string;
  /** Resolves when the replica has become the primary, for itself and for the Sentinels. */
  untilReplaced(): Promise<void>;
  stop(): Promise<void>;
}

const NAME = 'store';
const SENTINELS = 3;
const QUORUM = 2;
/** A user of the Sentinels, beside the default user that has no password. */
export const sentinelUser = { name: 'gateway', password: 'sentinel-secret' };

/** With certificates, clients, replication and Sentinels use TLS. */
export async function startRedisPair(certificates?: Certificates): Promise<RedisPair> {
  const tls = async () => (certificates === undefined ? {} : tlsSettings(certificates, await freePort()));
  const primarySettings = await tls();
  const primary = await startRedis({ settings: primarySettings });
  const clientPort = Number(primarySettings['tls-port'] ?? primary.port);
  const replica = await startRedis({
    settings: {
      ...(await tls()),
      replicaof: `127.0.0.1 ${clientPort}`,
      'repl-diskless-sync-delay': 0,
    },
  });
  // The replica is connected some time before the primary counts it.
  await eventually(async () => {
    const acknowledged = await queryRedis(primary.port, async (redis) => {
      await redis.set('in-step', '1');
      return redis.wait(1, 1_000);
    });
    return acknowledged === 1;
  });
  const sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, async () => startSentinel(clientPort, await tls())),
  );
  await Promise.all(sentinels.map(({ port }) => untilAcquainted(port)));

  return {
    primary,
    replica,
    clientPort,
    sentinels: sentinels.map((sentinel) => `127.0.0.1:${sentinel.clientPort}`),
    name: NAME,
    async untilReplaced() {
      await eventually(async () => {
        const role = await queryRedis(replica.port, (redis) => redis.role());
        return role[0] === 'master';
      });
    },
    async stop() {
      await Promise.all(sentinels.map((sentinel) => sentinel.stop()));
      await Promise.all([primary.stop(), replica.stop()]);
    },
  };
}

interface Sentinel {
  port: number;
  clientPort: number;
  stop(): Promise<void>;
}

async function startSentinel(primaryPort: number, tls: Record<string, string | number>): Promise<Sentinel> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'gateway-sentinel-'));
  const file = join(dir, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${dir}`,
      ...Object.entries(tls).map(([name, value]) => `${name} ${value}`),
      `user ${sentinelUser.name} on >${sentinelUser.password} ~* &* +@all`,
      `sentinel monitor ${NAME} 127.0.0.1 ${primaryPort} ${QUORUM}`,
      `sentinel down-after-milliseconds ${NAME} 400`,
      `sentinel failover-timeout ${NAME} 4000`,
    ].join('\n'),
  );
  const child: Child = await startChild({
    name: 'sentinel',
    command: await ensureRedisServer(),
    args: [file, '--sentinel'],
    isReady: () =>
      queryRedis(port, (redis) => redis.ping()).then(
        () => true,
        () => false,
      ),
    readyTimeoutMs: 10_000,
    stopTimeoutMs: 5_000,
  });
  return {
    port,
    clientPort: Number(tls['tls-port'] ?? port),
    async stop() {
      await child.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A Sentinel replaces a primary once it knows the replica and the other Sentinels. */
async function untilAcquainted(port: number): Promise<void> {
  await eventually(async () => {
    const [replicas, others] = (await queryRedis(port, (redis) =>
      Promise.all([redis.call('SENTINEL', 'REPLICAS', NAME), redis.call('SENTINEL', 'SENTINELS', NAME)]),
    )) as [unknown[], unknown[]];
    return replicas.length === 1 && others.length === SENTINELS - 1;
  });
}

/** Settings of a server or Sentinel that also listens with TLS, where it asks clients for a certificate. */
function tlsSettings(
  { caFile, server, client }: Certificates,
  port: number,
): Record<string, string | number> {
  return {
    'tls-port': port,
    'tls-ca-cert-file': caFile,
    'tls-cert-file': server.certFile,
    'tls-key-file': server.keyFile,
    'tls-client-cert-file': client.certFile,
    'tls-client-key-file': client.keyFile,
    'tls-auth-clients': 'yes',
    'tls-replication': 'yes',
  };
}
