import assert from 'node:assert/strict';
import { GpuQuotaStore, type ServerGpus } from '@gateway/inventory';
import { jobKeys } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { gpuKeys } from '../../../../packages/inventory/src/gpu/keys.ts';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { claim, message, queueJob } from '../../jobs/stored-jobs.ts';

const a100 = (count: number) => ({ a100: { type: 'A100', count } });
const projectId = 'p1';
const never = async (): Promise<ServerGpus[]> => assert.fail('the servers are not needed');
const nothing = async (): Promise<ServerGpus[]> => [];

describe('GpuQuotaStore', () => {
  let store: TestStore;
  let redis: Redis;
  let quotas: GpuQuotaStore;

  beforeEach(async () => {
    store = new TestStore();
    redis = (await store.connect()).store;
    quotas = new GpuQuotaStore(redis);
  });

  afterEach(() => store.close());

  const limit = (a: number) => quotas.updateLimits({ projectId }, { a100: { type: 'a-100', limit: a } });
  const reserved = async () => (await quotas.readProject(projectId)).reserved.map(({ jobId }) => jobId);

  async function running() {
    const id = await queueJob(redis);
    return { id, log: await claim(redis, id) };
  }

  it('reserves without reading the servers while no limit applies', async () => {
    const { id } = await running();
    assert.equal(await quotas.reserve({ id, projectId }, a100(4), never), null);
    assert.deepEqual(await reserved(), [id]);
  });

  it("prefers the project's limit to the default, and -1 to both", async () => {
    await quotas.updateLimits('defaults', { a100: { type: 'A100', limit: 0 } });
    const { id } = await running();
    assert.deepEqual(await quotas.reserve({ id, projectId }, a100(1), nothing), [
      { type: 'A100', limit: 0, inUse: 0, requested: 1 },
    ]);
    await limit(-1);
    assert.equal(await quotas.reserve({ id, projectId }, a100(1), never), null);
    assert.equal(await quotas.removeLimit({ projectId }, 'a100'), true);
    assert.equal(await quotas.removeLimit({ projectId }, 'a100'), false);
    await limit(1);
    assert.equal(await quotas.reserve({ id, projectId }, a100(1), nothing), null);
  });

  it('counts servers and reservations, and each job once', async () => {
    await limit(5);
    const first = await running();
    assert.equal(await quotas.reserve({ id: first.id, projectId }, a100(2), nothing), null);
    const servers = [
      { jobId: first.id, gpus: a100(2) },
      { jobId: 'ended', gpus: a100(1) },
      { jobId: '', gpus: { t4: { type: 'T4', count: 9 } } },
    ];
    const second = await running();
    assert.deepEqual(await quotas.reserve({ id: second.id, projectId }, a100(3), async () => servers), [
      { type: 'A100', limit: 5, inUse: 3, requested: 3 },
    ]);
    assert.equal(await quotas.reserve({ id: second.id, projectId }, a100(2), async () => servers), null);
  });

  it('removes the limits and reservations of a deleted project', async () => {
    await limit(2);
    const { id } = await running();
    await quotas.reserve({ id, projectId }, a100(1), nothing);

    await quotas.removeProject(projectId);

    assert.equal(await redis.exists(gpuKeys.quotas(projectId), gpuKeys.reserved(projectId)), 0);
  });

  it("replaces a job's reservation at a repeated step, besides its servers", async () => {
    await limit(2);
    const { id } = await running();
    assert.equal(await quotas.reserve({ id, projectId }, a100(2), nothing), null);
    const own = [{ jobId: id, gpus: a100(2) }];
    assert.equal(await quotas.reserve({ id, projectId }, a100(2), async () => own), null);
    assert.deepEqual(await reserved(), [id]);
  });

  for (const status of ['completed', 'failed', 'cancelled'] as const) {
    it(`releases a reservation at the end of a ${status} job`, async () => {
      const { id, log } = await running();
      await quotas.reserve({ id, projectId }, a100(1), nothing);
      await log.end(message(9), { status });
      assert.deepEqual(await reserved(), []);
      const left = await redis.hgetall(gpuKeys.reserved(projectId));
      assert.deepEqual(left, { released: id });
      assert.ok((await redis.ttl(gpuKeys.reserved(projectId))) > 0);
    });
  }

  it('reserves nothing for a job that has ended', async () => {
    const { id, log } = await running();
    await log.end(message(9), { status: 'failed' });
    assert.equal(await quotas.reserve({ id, projectId }, a100(1), never), null);
    assert.deepEqual(await reserved(), []);
  });

  it('does not count the reservation of a job whose record is lost', async () => {
    await limit(1);
    const lost = await running();
    await quotas.reserve({ id: lost.id, projectId }, a100(1), nothing);
    await redis.del(jobKeys.record(lost.id));
    const { id } = await running();
    assert.equal(await quotas.reserve({ id, projectId }, a100(1), nothing), null);
    assert.deepEqual(await reserved(), [id]);
  });

  describe('for a resize', () => {
    const kept = { gpus: a100(4), seconds: 60 };
    const row = (count: number, more: Partial<ServerGpus> = {}): ServerGpus[] => [
      { serverId: 's1', jobId: 'j1', gpus: a100(count), ...more },
    ];
    const resize = (action = async () => {}) =>
      quotas.whileReserved({ id: 's1', projectId }, a100(4), nothing, action, kept);
    const refused = async () => assert.fail('refused');
    /** The GPUs in use that the project is shown when it asks for more. */
    async function inUse(servers: ServerGpus[]) {
      const { id } = await running();
      const exceeded = await quotas.reserve({ id, projectId }, a100(9), async () => servers);
      return exceeded?.[0]?.inUse;
    }

    beforeEach(() => limit(5));

    it('counts the new GPUs until the server has been resized', async () => {
      await resize();
      const resizing = row(1, { isResizing: true });

      assert.deepEqual([await inUse(resizing), await inUse(row(2)), await inUse([])], [4, 2, 0]);
      assert.deepEqual((await quotas.readProject(projectId)).reserved, [
        { jobId: 's1', gpus: a100(4), isKept: true },
      ]);
      assert.ok((await redis.ttl(jobKeys.record('s1'))) > 0);
    });

    it('counts nothing more after a refusal', async () => {
      await assert.rejects(resize(refused));

      assert.deepEqual(await reserved(), []);
      assert.equal(await inUse(row(1, { isResizing: true })), 1);
    });

    it('counts what an accepted one holds after a refused one', async () => {
      await resize();
      await assert.rejects(resize(refused));

      assert.equal(await inUse(row(1, { isResizing: true })), 4);
    });

    it('lists the servers again if one was accepted since', async () => {
      const { id } = await running();
      let lists = 0;
      const exceeded = await quotas.reserve({ id, projectId }, a100(2), async () => {
        lists += 1;
        if (lists > 1) return row(1, { isResizing: true });
        await resize();
        return row(1);
      });

      assert.deepEqual([exceeded?.[0]?.inUse, lists], [4, 2]);
    });
  });

  it('lists the servers again if a job has ended since', async () => {
    await limit(1);
    const first = await running();
    await quotas.reserve({ id: first.id, projectId }, a100(1), nothing);
    const { id } = await running();
    let lists = 0;
    const exceeded = await quotas.reserve({ id, projectId }, a100(1), async () => {
      lists += 1;
      // The list is older than the server that the first job leaves when it ends.
      if (lists > 1) return [{ jobId: first.id, gpus: a100(1) }];
      await first.log.end(message(9), { status: 'completed' });
      return [];
    });
    assert.deepEqual(exceeded, [{ type: 'A100', limit: 1, inUse: 1, requested: 1 }]);
    assert.equal(lists, 2);
  });
});
