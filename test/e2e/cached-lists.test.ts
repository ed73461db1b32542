import assert from 'node:assert/strict';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import {
  type Prepared,
  prepareImage,
  prepareRole,
  prepareServer,
} from '../support/projects/prepared-cloud.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { freshKeyPrefix } from '../support/redis/test-redis.ts';
import { startTestStack, type TestLogin, testLogin } from '../support/stacks/test-stack.ts';

interface Row {
  id: string;
  name: string;
  image_name?: string | null;
  rules?: { id: string }[];
}

type Role = 'member' | 'admin';

/** The cached lists that every member of a project may read. */
const lists = endpoints
  .filter(({ cachedList, access }) => cachedList !== undefined && access === 'project')
  // Dashboards have no rows to select.
  .map(({ listRows, path }) => ({ path, queries: listRows?.id ? ['', '?limit=1000'] : [''] }));

describe('cached lists of members and administrators of one project', function () {
  this.timeout(120_000);
  const keyPrefix = freshKeyPrefix('lists');
  const prepared: Prepared[] = [];
  let stack: Stack;
  let readers: Record<Role, GatewayClient>;
  let image: Prepared & { name: string };
  let server: Prepared;

  before(async () => {
    stack = await startTestStack({ startsJobs: false, config: { redis: { key_prefix: keyPrefix } } });
    const identityUrl = stack.identityUrl ?? '';
    const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    const demo = await CloudClient.logIn(identityUrl, testLogin('demo'));
    const alice = await CloudClient.logIn(identityUrl, testLogin('alice'));
    const { projectId } = demo;
    prepared.push(await prepareRole(admin, { userId: admin.userId, projectId, role: 'admin' }));
    const adminOfDemo: TestLogin = { ...testLogin('admin'), projectName: testLogin('demo').projectName };
    image = await prepareImage(alice, { visibility: 'private' });
    prepared.push(image);
    server = await prepareServer(await CloudClient.logIn(identityUrl, adminOfDemo), { imageId: image.id });
    prepared.push(server);
    readers = {
      member: await GatewayClient.logIn(stack.url, testLogin('demo')),
      admin: await GatewayClient.logIn(stack.url, adminOfDemo),
    };
  });

  after(async () => {
    for (const { remove } of prepared.reverse()) await remove();
    await stack?.stop();
  });

  /** Clears the cache, so that all lists are read from the cloud again. */
  function makeCold(): Promise<unknown> {
    return queryRedis(Number(new URL(stack.redisUrl).port), async (redis) => {
      const keys = await redis.keys(`${keyPrefix}cache:*`);
      return Promise.all(keys.map((key) => redis.del(key)));
    });
  }

  /** The network service lists the rules of a security group in any order. */
  const read = async (who: Role, path: string) => {
    const rows = await readers[who].read<Row[]>(path);
    // Dashboards are no arrays.
    if (!Array.isArray(rows)) return rows;
    return rows.map((row: Row) =>
      row.rules === undefined
        ? row
        : { ...row, rules: row.rules.toSorted((a, b) => a.id.localeCompare(b.id)) },
    );
  };

  /** The list that this role reads with an empty cache, which cannot contain another reader's list. */
  async function readAlone(who: Role, path: string): Promise<Row[]> {
    await makeCold();
    return read(who, path);
  }

  it('exist for the comparison', () => {
    const paths = lists.map(({ path }) => path);
    assert.ok(paths.includes('/api/images') && paths.includes('/api/instances'), String(paths));
  });

  it("differ: only the administrator sees another project's private image", async () => {
    const shows = async (who: Role) =>
      (await readAlone(who, '/api/images')).some(({ id }) => id === image.id);
    assert.deepEqual([await shows('member'), await shows('admin')], [false, true]);
    const imageName = async (who: Role) =>
      (await readAlone(who, '/api/instances')).find(({ id }) => id === server.id)?.image_name;
    assert.deepEqual([await imageName('member'), await imageName('admin')], [null, image.name]);
  });

  for (const { path, queries } of lists) {
    for (const order of [['member', 'admin'] as const, ['admin', 'member'] as const]) {
      it(`are each reader's own at ${path} when the ${order[0]} reads first`, async () => {
        const alone = { member: await readAlone('member', path), admin: await readAlone('admin', path) };

        await makeCold();
        for (const who of [...order, ...order, order[0]]) {
          for (const query of queries)
            assert.deepEqual(await read(who, path + query), alone[who], `${who} of ${order.join(', ')}`);
        }
        for (const who of order) {
          assert.deepEqual(await read(who, `${path}?refresh=true`), alone[who], `${who}, anew`);
          for (const next of order)
            for (const query of queries)
              assert.deepEqual(await read(next, path + query), alone[next], `${next}, after that`);
        }
      });
    }
  }
});
