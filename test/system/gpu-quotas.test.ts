import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { DashboardQuotas, GpuQuotas, InstanceDetail } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import type { ApiResponse, GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const RACERS = 20;
const QUOTAS = '/api/admin/gpu-quotas';

describe('GPU quotas', function () {
  this.timeout(600_000);
  let suite: AdminStack;
  let member: GatewayClient;
  let flavorId: string;
  let quotas: string;
  /** Of no other flavor. */
  const model = `m${randomBytes(4).toString('hex')}`;

  before(async () => {
    suite = await AdminStack.start({
      workers: 2,
      config: { jobs: { lock_seconds: 3 } },
    });
    member = await suite.logIn(testLogin('demo'));
    quotas = `${QUOTAS}/${member.projectId}`;
    const flavor = { name: `gpu.${model}`, vcpus: 1, ram: 64, disk: 1 };
    const made = await suite.cloud.call<{ flavor: { id: string } }>('compute', 'POST', '/flavors', {
      flavor,
    });
    flavorId = made.flavor.id;
    suite.atEnd(() => suite.cloud.call('compute', 'DELETE', `/flavors/${flavorId}`));
  });

  after(() => suite?.stop());

  const quotaOf = async () => (await suite.read<GpuQuotas>(quotas))[model];

  async function create(
    name: string,
    url = suite.stack.url,
  ): Promise<ApiResponse<InstanceDetail & ErrorBody>> {
    const request = { ...(await member.smallInstanceRequest(name)), flavor_id: flavorId };
    return member.at(url).request('POST', '/api/instances', request);
  }

  /** Deletes an instance, and waits until its GPUs are free. */
  async function remove(id: string, inUse = 0): Promise<void> {
    assert.equal((await member.request('DELETE', `/api/instances/${id}`)).status, 204);
    await eventually(async () => (await quotaOf())?.in_use === inUse, 60_000);
  }

  it('are set, listed and removed by type, with defaults', async () => {
    const defaults = `${QUOTAS}/defaults`;
    const others = await suite.read<Record<string, number>>(defaults);
    const set = await suite.change(200, 'PUT', defaults, { [model]: 7 });
    assert.deepEqual(set, { ...others, [model]: 7 });
    const value = (limit: number, source: string) => ({ limit, in_use: 0, available: limit, source });
    assert.deepEqual(await quotaOf(), value(7, 'default'));

    const written = await suite.change<GpuQuotas>(200, 'PUT', quotas, {
      [model.toUpperCase()]: { limit: 3 },
    });
    assert.deepEqual(written[model.toUpperCase()], value(3, 'project'));
    const dashboard = await member.read<DashboardQuotas>('/api/dashboard/quotas');
    assert.deepEqual(dashboard.gpu?.[model.toUpperCase()], value(3, 'project'));

    const spelled = encodeURIComponent(model.toUpperCase().replace(/(..)/g, '$1 -_'));
    await suite.change(204, 'DELETE', `${quotas}/${spelled}`);
    assert.deepEqual(await quotaOf(), value(7, 'default'));
    await suite.refused(404, /no quota/, ['DELETE', `${quotas}/${spelled}`]);
    await suite.change(204, 'DELETE', `${defaults}/${model}`);
    await suite.refused(404, /no default quota/, ['DELETE', `${defaults}/${model}`]);
    assert.equal(await quotaOf(), undefined);
  });

  it('are 404 for unknown projects', async () => {
    const missing = `${QUOTAS}/00000000000000000000000000000000`;
    await suite.refused(404, /./, ['GET', missing]);
    await suite.refused(404, /./, ['PUT', missing, { [model]: 1 }]);
  });

  it(`admit exactly one of ${RACERS} simultaneous creations with a quota of 1`, async () => {
    await suite.change(200, 'PUT', quotas, { [model]: 1 });

    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, index) =>
        create(`gpu-race-${index}`, suite.stack.apis[index % 2]?.url),
      ),
    );

    const created = answers.filter(({ status }) => status === 201);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [
      201,
      ...Array.from({ length: RACERS - 1 }, () => 409),
    ]);
    for (const { status, body } of answers.filter((answer) => answer.status === 409)) {
      assert.deepEqual([status, body.code], [409, 'quota_exceeded']);
      assert.match(body.detail, new RegExp(`${model}: 1 requested, 1 of 1 in use`));
    }
    assert.deepEqual(await quotaOf(), { limit: 1, in_use: 1, available: 0, source: 'project' });

    const id = created[0]?.body.id ?? '';
    assert.equal((await member.request('POST', `/api/instances/${id}/stop`)).status, 200);
    await eventually(
      async () => (await member.read<InstanceDetail>(`/api/instances/${id}`)).status === 'SHUTOFF',
    );
    assert.equal((await create('gpu-beside-stopped')).body.code, 'quota_exceeded');
    await remove(id);
  });

  it('count an instance again that is unshelved', async () => {
    await suite.change(200, 'PUT', quotas, { [model]: 1 });
    const shelved = (await create('gpu-shelved')).body.id;
    const act = (action: string) => member.request<ErrorBody>('POST', `/api/instances/${shelved}/${action}`);
    const until = (status: string) =>
      eventually(async () => {
        const detail = await member.read<InstanceDetail>(`/api/instances/${shelved}`);
        return detail.status === status && detail.task_state === null;
      }, 60_000);
    assert.equal((await act('shelve')).status, 204);
    await until('SHELVED_OFFLOADED');
    assert.equal((await quotaOf())?.in_use, 0);
    const second = await create('gpu-instead');
    assert.equal(second.status, 201, second.text);

    const refused = await act('unshelve');

    assert.deepEqual([refused.status, refused.body.code], [409, 'quota_exceeded'], refused.text);
    assert.match(refused.body.detail, new RegExp(`${model}: 1 requested, 1 of 1 in use`));
    await remove(second.body.id);

    const [unshelved, third] = await Promise.all([act('unshelve'), create('gpu-at-the-same-time')]);

    assert.equal(Number(unshelved.status === 204) + Number(third.status === 201), 1, third.text);
    if (third.status === 201) await remove(third.body.id);
    else await until('ACTIVE');
    await remove(shelved);
  });

  it("count a creation across a worker's death until it ends", async () => {
    await suite.change(200, 'PUT', quotas, { [model]: 1 });
    const first = create('gpu-killed');
    await eventually(async () => (await quotaOf())?.in_use === 1);
    for (const worker of suite.stack.workers) await worker.kill('SIGKILL');
    const second = create('gpu-second');
    for (const worker of suite.stack.workers) await worker.restart();

    const answers = await Promise.all([first, second]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 409],
    );
    await remove(answers[0]?.body.id ?? '');
    const third = await create('gpu-third');
    assert.equal(third.status, 201, third.text);
    await remove(third.body.id);
    await suite.change(204, 'DELETE', `${quotas}/${model}`);
  });
});
