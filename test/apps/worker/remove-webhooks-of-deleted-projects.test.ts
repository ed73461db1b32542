import assert from 'node:assert/strict';
import { UpstreamError } from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import { NearlyFullQuotas } from '@gateway/webhooks';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { removeWebhooksOfDeletedProjects } from '../../../apps/worker/src/maintenance/remove-webhooks-of-deleted-projects.ts';
import { WebhooksInRedis } from '../../packages/webhooks/webhooks-in-redis.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';

describe('the webhooks of a deleted project', () => {
  let world: WebhooksInRedis;
  let nearlyFullQuotas: NearlyFullQuotas;
  let roles: string[];
  /** What the identity service answers for a project. */
  let statuses: Record<string, number>;
  let asked: string[];

  beforeEach(async () => {
    world = new WebhooksInRedis();
    await world.open();
    nearlyFullQuotas = new NearlyFullQuotas(world.redis);
    roles = ['admin'];
    statuses = {};
    asked = [];
  });
  afterEach(() => world.close());

  async function get(id: string): Promise<object> {
    asked.push(id);
    const status = statuses[id] ?? 200;
    if (status === 200) return { id };
    throw new UpstreamError(status, 'code', 'The service says no.', {
      service: 'identity',
      operation: 'projects.get',
      upstreamStatus: status,
      upstreamMessage: null,
      upstreamRequestId: null,
    });
  }

  const run = () =>
    removeWebhooksOfDeletedProjects({
      config: { identity: { adminRole: 'admin' } },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, captureLogLines().stream),
      nearlyFullQuotas,
      serviceAccount: {
        identity: async () => ({ roles }),
        bind: async () => ({ identity: { projects: { get } } }),
      },
      stopping: new AbortController(),
      webhooks: world.store,
    } as unknown as WorkerContext);

  const isThere = async ({ id }: { id: string }) => (await world.store.read(id)) !== null;

  it('are removed once the identity service does not know it', async () => {
    const gone = await world.create(1, { projectId: 'gone' });
    const others = [await world.create(1), await world.create(1, { projectId: null })];
    await nearlyFullQuotas.begin('gone', 'compute:cores', { at: 1, inUse: 9, limit: 10 });
    statuses = { gone: 404 };

    await run();

    assert.equal(await isThere(gone), false);
    assert.deepEqual(await Promise.all(others.map(isThere)), [true, true]);
    assert.equal((await nearlyFullQuotas.read('gone')).size, 0);
    assert.deepEqual(asked.sort(), ['gone', 'p1']);
  });

  it('stay if the service user may not see the project', async () => {
    const hidden = await world.create(1, { projectId: 'hidden' });
    const gone = await world.create(1, { projectId: 'gone' });
    statuses = { hidden: 403, gone: 404 };

    await run();

    assert.deepEqual(await Promise.all([hidden, gone].map(isThere)), [true, false]);
  });

  it('stay while the identity service fails', async () => {
    const failing = await world.create(1, { projectId: 'failing' });
    statuses = { failing: 503 };

    await assert.rejects(run(), /The service says no/);

    assert.equal(await isThere(failing), true);
  });

  it('stay where the service user is no administrator', async () => {
    const gone = await world.create(1, { projectId: 'gone' });
    statuses = { gone: 404 };
    roles = ['member'];

    await run();

    assert.deepEqual([await isThere(gone), asked], [true, []]);
  });

  it('stay for a day, if the identity service learns late of projects', async () => {
    const fresh = await world.create(1, { projectId: 'new', createdAt: Date.now() - 86_000_000 });
    statuses = { new: 404 };

    await run();

    assert.deepEqual([await isThere(fresh), asked], [true, []]);
  });
});
