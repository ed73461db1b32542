import { Redis } from 'ioredis';
import { type ServerProcess, startServer } from '../../../scripts/server-process.ts';
import { type Stack, startStack } from '../../../scripts/stack.ts';
import { CloudClient } from '../../support/clients/cloud-client.ts';
import { GatewayClient } from '../../support/clients/gateway-client.ts';
import { testLogin } from '../../support/stacks/test-stack.ts';
import type { Target } from '../load.ts';
import { compare } from '../rounds.ts';
import type { Row } from '../row.ts';

const FLOOR_KEY = 'bench:floor';

const SERVERS = 100;
const INSTANCES = '/api/instances';

const BUDGETS = {
  processOverRedis: 1.5,
  /** The time of a request hardly depends on so few bytes. */
  shortOverRedis: 1,
  processOverStatic: 0.6,
  sharedOverRedis: 0.9,
  compressedOverPlain: 0.9,
  filteredOverWhole: 0.8,
};
const SHORT_BYTES = 1_000;
/** Of the plain list. */
const MAX_COMPRESSED_SIZE = 0.15;
/** In the order in which the gateway prefers them. */
const ENCODINGS = ['zstd', 'br', 'gzip'];

/**
 * Cached lists from the memory of the process, from Redis, and compressed, against plain
 * Express with the same bytes.
 */
export async function cachedLists(stack: Stack): Promise<Row[]> {
  const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
  await makeServers(cloud);
  // The same gateway without memory of its own.
  const shared = await startStack({
    redisUrl: stack.redisUrl,
    identityUrl: stack.identityUrl ?? undefined,
    cloudsim: false,
    workers: 0,
    discardLogs: true,
    config: {
      redis: { key_prefix: 'bench-shared:' },
      cache: { process_bytes: 0, flavors_seconds: 3600, instances_seconds: 3600 },
    },
  });
  try {
    const rows = [];
    for (const path of ['/api/flavors', INSTANCES])
      rows.push(...(await fromMemoryAndRedis(stack, shared, path)));
    return [...rows, ...(await compressed(stack)), await filtered(stack)];
  } finally {
    await shared.stop();
    const { servers } = await cloud.resourceIds();
    await Promise.all(servers.map((id) => cloud.call('compute', 'DELETE', `/servers/${id}`)));
  }
}

async function makeServers(cloud: CloudClient): Promise<void> {
  const { images } = await cloud.call<{ images: { id: string }[] }>('image', 'GET', '/v2/images');
  const { flavors } = await cloud.call<{ flavors: { id: string }[] }>('compute', 'GET', '/flavors');
  for (let number = 0; number < SERVERS; number += 1) {
    await cloud.call('compute', 'POST', '/servers', {
      server: {
        name: `bench-${number}`,
        flavorRef: flavors[0]?.id,
        imageRef: images[0]?.id,
        networks: 'none',
      },
    });
  }
}

async function fromMemoryAndRedis(stack: Stack, shared: Stack, path: string): Promise<Row[]> {
  const ours = await target(stack, path);
  const oursShared = await target(shared, path);
  const text = await (await fetch(ours.url, { headers: ours.headers })).text();
  const floor = await startFloor(stack.redisUrl, text);
  const bytes = Buffer.byteLength(text);
  const list = `(${path}, ${bytes} bytes)`;
  const floorAt = (at: string): Target => ({ url: floor.url + at, headers: ours.headers, pid: floor.pid });
  try {
    return [
      await compare({
        name: `list from the process's memory ${list}, Express + Redis`,
        gateway: ours,
        floor: floorAt('/list'),
        budget: bytes < SHORT_BYTES ? BUDGETS.shortOverRedis : BUDGETS.processOverRedis,
      }),
      await compare({
        name: `list from the process's memory ${list}, Express + static buffer`,
        gateway: ours,
        floor: floorAt('/static'),
        budget: BUDGETS.processOverStatic,
      }),
      await compare({
        name: `list from Redis ${list}, Express + Redis`,
        gateway: oursShared,
        floor: floorAt('/list'),
        budget: BUDGETS.sharedOverRedis,
      }),
    ];
  } finally {
    await floor.stop();
  }
}

/** The sizes of a list in all encodings, and the rate of the preferred one against that of the plain list. */
async function compressed(stack: Stack): Promise<Row[]> {
  const plain = await target(stack, INSTANCES);
  const sizeAs = async (encoding: string) => {
    const headers = { ...plain.headers, 'accept-encoding': encoding };
    const response = await fetch(plain.url, { method: 'HEAD', headers });
    return Number(response.headers.get('content-length'));
  };
  const plainSize = await sizeAs('identity');
  const rows: Row[] = [];
  for (const encoding of ENCODINGS) {
    const size = await sizeAs(encoding);
    const result = size / plainSize;
    rows.push({
      name: `${SERVERS} instances as ${encoding}`,
      unit: 'bytes',
      gateway: size,
      floor: plainSize,
      result,
      resultUnit: 'of the plain list',
      budget: `<= ${MAX_COMPRESSED_SIZE}`,
      met: result <= MAX_COMPRESSED_SIZE,
    });
  }
  const [preferred = ''] = ENCODINGS;
  const rate = await compare({
    name: `${SERVERS} instances as ${preferred}, plain list`,
    gateway: { ...plain, headers: { ...plain.headers, 'accept-encoding': preferred } },
    floor: plain,
    budget: BUDGETS.compressedOverPlain,
  });
  return [...rows, rate];
}

/** A part of a list against the whole list, each from the memory of the process. */
async function filtered(stack: Stack): Promise<Row> {
  return compare({
    name: `some of ${SERVERS} instances by name and status, whole list`,
    gateway: await target(stack, `${INSTANCES}?name=bench-1&status=ACTIVE&sort=name&limit=10`),
    floor: await target(stack, INSTANCES),
    budget: BUDGETS.filteredOverWhole,
  });
}

async function target(stack: Stack, path: string): Promise<Target> {
  const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  await gateway.read(path);
  return { url: stack.url + path, headers: gateway.headers(), pid: stack.apis[0]?.pid ?? 0 };
}

async function startFloor(redisUrl: string, text: string): Promise<ServerProcess> {
  const redis = new Redis(redisUrl);
  await redis.set(FLOOR_KEY, text);
  await redis.quit();
  return startServer({
    name: 'floor',
    entry: 'test/bench/baselines/cached.ts',
    portVariable: 'PORT',
    healthPath: '/health',
    env: { ...process.env, FLOOR_REDIS_URL: redisUrl, FLOOR_KEY },
  });
}
