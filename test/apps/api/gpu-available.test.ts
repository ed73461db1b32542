import assert from 'node:assert/strict';
import type { GpuAvailability } from '@gateway/resources';
import { computeAnswers, serverOf } from '../../support/api/compute.ts';
import { newCaller, tokenBodyWithout } from '../../support/api/factories.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { apiSuite } from '../../support/api/suite.ts';
import type { ReplyOptions } from '../../support/doubles/upstream.ts';

interface FakeProvider {
  /** By default the provider is itself a host. */
  host?: string;
  /** Undefined for a provider of a full host, which no candidate shows. */
  resources?: Record<string, { capacity: number; used: number }>;
  traits?: string[];
}

const PATH = '/api/dashboard/gpu-available';

describe('GET /api/dashboard/gpu-available', () => {
  const suite = apiSuite();
  const service = newCaller({ userName: 'gateway', roles: ['admin'], projectId: 'the-service-project' });
  const asService = { requestHeaders: { 'x-auth-token': service.token } };

  function placementAnswers(path: string | RegExp, body: object, options: ReplyOptions = {}): void {
    suite.cloud.reply('placement/candidates-1', { ...asService, path, body, ...options });
  }

  /** Placement's answers to the service user. The ids of providers are their names here. */
  function cloudHas(providers: Record<string, FakeProvider>): void {
    suite.cloud.acceptsLogIn(service);
    const rows = Object.entries(providers).map(([name, { host = name, resources, traits = [] }]) => ({
      provider: {
        uuid: name,
        name,
        parent_provider_uuid: host === name ? null : host,
        root_provider_uuid: host,
      },
      summary: resources && { resources, traits, root_provider_uuid: host },
    }));
    placementAnswers('/resource_providers', { resource_providers: rows.map(({ provider }) => provider) });
    const summaries = rows.flatMap(({ provider, summary }) => (summary ? [[provider.uuid, summary]] : []));
    const body = { allocation_requests: [], provider_summaries: Object.fromEntries(summaries) };
    placementAnswers(/\/allocation_candidates/, body, { times: 3 });
  }

  const enabled = (id: string) => ({ id, state: 'up', status: 'enabled' });

  function hypervisorsAre(...hypervisors: object[]): void {
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors }, asService);
  }

  const card = (used = 0, resourceClass = 'CUSTOM_PCI_10DE_20B0') => ({
    [resourceClass]: { capacity: 1, used },
  });

  async function readGpus(): Promise<Partial<GpuAvailability>> {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    const { status, body } = await api.get<GpuAvailability>(PATH, { as: caller });
    assert.equal(status, 200);
    return body;
  }

  const a100 = (used: number, available: number) => ({
    device_name: 'A100',
    vendor: 'NVIDIA',
    total: used + available,
    used,
    available,
  });

  it('counts the devices of a cloud by type, once for all projects', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const [one, other] = [newCaller(), newCaller({ projectId: 'another-project' })];
    suite.cloud.validCaller(one);
    suite.cloud.validCaller(other);
    cloudHas({
      host: { resources: { VCPU: { capacity: 8, used: 0 } } },
      host_vgpu: { host: 'host', resources: { VGPU: { capacity: 16, used: 1 } } },
      'host_0000:81:00.0': { host: 'host', resources: card() },
      'host_0000:82:00.0': { host: 'host', resources: card(1) },
    });
    hypervisorsAre(enabled('host'));

    const { status, body } = await api.get<GpuAvailability>(PATH, { as: one });
    const again = await api.get(PATH, { as: other });

    assert.equal(status, 200);
    assert.deepEqual(body, {
      gpu_types: [{ device_name: 'VGPU', vendor: null, total: 16, used: 1, available: 15 }, a100(1, 1)],
      summary: { total_gpus: 18, used_gpus: 2, available_gpus: 16 },
    });
    assert.deepEqual(again.body, body);
  });

  it('counts a card once, whatever else is on it', async () => {
    cloudHas({
      host: { resources: {} },
      'host_0000:81:00.0': { host: 'host', resources: card(0, 'CUSTOM_PCI_10DE_1E04') },
      'host_0000:81:00.1': { host: 'host', resources: card(0, 'CUSTOM_PCI_10DE_10F7') },
      'host_0000:81:00.2': { host: 'host', resources: card(0, 'CUSTOM_PCI_10DE_1AD6') },
      'host_0000:81:00.3': { host: 'host', resources: card(0, 'CUSTOM_PCI_10DE_FFFF') },
      'host_0000:82:00.0': { host: 'host', resources: card(0, 'CUSTOM_PCI_10DE_22A3') },
    });
    hypervisorsAre(enabled('host'));

    const { summary } = await readGpus();

    assert.deepEqual(summary, { total_gpus: 1, used_gpus: 0, available_gpus: 1 });
  });

  it('leaves out the unused GPUs of hosts that are disabled or down', async () => {
    const cards = (host: string, used: number) => ({
      [host]: { resources: {}, traits: host === 'gpu-1' ? ['COMPUTE_STATUS_DISABLED'] : [] },
      [`${host}_0000:81:00.0`]: { host, resources: card(used) },
      [`${host}_0000:82:00.0`]: { host, resources: card() },
    });
    cloudHas({ ...cards('gpu-1', 1), ...cards('gpu-2', 0), ...cards('gpu-3', 1), ...cards('gpu-4', 0) });
    hypervisorsAre(
      { id: 'gpu-1', state: 'up', status: 'enabled' },
      { id: 'gpu-2', state: 'up', status: 'disabled' },
      { id: 'gpu-3', state: 'down', status: 'enabled' },
      { id: 'gpu-4', state: 'up', status: 'enabled' },
    );

    const { gpu_types } = await readGpus();

    assert.deepEqual(gpu_types, [a100(2, 2)]);
  });

  it('leaves out the unused GPUs of hosts that the compute service lacks', async () => {
    cloudHas({
      gone: { resources: {} },
      'gone_0000:81:00.0': { host: 'gone', resources: card() },
      'gone_0000:82:00.0': { host: 'gone', resources: card(1) },
      b: { resources: card() },
    });
    hypervisorsAre(enabled('b'));

    assert.deepEqual((await readGpus()).gpu_types, [a100(1, 1)]);
  });

  it('counts the GPUs that are in use on a full host', async () => {
    cloudHas({ a: {}, 'a_0000:81:00.0': { host: 'a' }, b: { resources: card() } });
    placementAnswers('/resource_providers/a/usages', { usages: { VCPU: 8 } });
    placementAnswers(`/resource_providers/${encodeURIComponent('a_0000:81:00.0')}/usages`, {
      usages: { CUSTOM_PCI_10DE_20B0: 1 },
    });
    hypervisorsAre(enabled('a'), enabled('b'));

    const { gpu_types } = await readGpus();

    assert.deepEqual(gpu_types, [a100(1, 1)]);
  });

  it('counts without a host that is removed meanwhile', async () => {
    cloudHas({ gone: {}, b: { resources: card() } });
    const errors = [{ status: 404, title: 'Not Found', detail: 'No resource provider with uuid gone found' }];
    placementAnswers('/resource_providers/gone/usages', { errors }, { status: 404 });
    hypervisorsAre(enabled('b'));

    const { gpu_types } = await readGpus();

    assert.deepEqual(gpu_types, [a100(0, 1)]);
  });

  it('counts a type once that classes name in several ways', async () => {
    cloudHas({
      a: { resources: { CUSTOM_PCI_10DE_2230: { capacity: 2, used: 3 } } },
      b: { resources: { CUSTOM_RTX_A6000: { capacity: 4, used: 1 } } },
    });
    hypervisorsAre(enabled('a'), enabled('b'));

    const { gpu_types, summary } = await readGpus();

    const row = { device_name: 'RTX A6000', vendor: 'NVIDIA', total: 7, used: 4, available: 3 };
    assert.deepEqual(gpu_types, [row]);
    assert.deepEqual(summary, { total_gpus: 7, used_gpus: 4, available_gpus: 3 });
  });

  it("has totals of what the project's quota leaves it, which add up", async () => {
    const api = await suite.start({ settings: withServiceUser });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const limits = { as: admin, body: { 'rtx-a6000': 2 } };
    assert.equal((await api.request('PUT', '/api/admin/gpu-quotas/defaults', limits)).status, 200);
    const caller = suite.cloud.validCaller(newCaller());
    const mine = { ...serverOf().flavor, extra_specs: { 'resources:CUSTOM_RTX_A6000': '1' } };
    computeAnswers(suite.cloud, 'GET /servers/detail', { servers: [serverOf({ flavor: mine })] });
    cloudHas({
      a: { resources: { CUSTOM_PCI_10DE_2230: { capacity: 8, used: 3 } } },
      b: { resources: { CUSTOM_RTX_A6000: { capacity: 8, used: 1 } } },
      c: { resources: card() },
    });
    hypervisorsAre(...['a', 'b', 'c'].map(enabled));

    const { body } = await api.get<GpuAvailability>(PATH, { as: caller });

    const row = { device_name: 'RTX A6000', vendor: 'NVIDIA', total: 5, used: 4, available: 1 };
    assert.deepEqual(body.gpu_types, [row, a100(0, 1)]);
    assert.deepEqual(body.summary, { total_gpus: 6, used_gpus: 4, available_gpus: 2 });
  });

  it('still counts if the compute service refuses the list of hosts', async () => {
    cloudHas({ a: { resources: card() } });
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', {}, { ...asService, status: 403 });

    assert.deepEqual((await readGpus()).gpu_types, [a100(0, 1)]);
  });

  it('is empty for a cloud without GPUs', async () => {
    const resources = { VCPU: { capacity: 8, used: 0 }, CUSTOM_PCI_15B3_101E: { capacity: 8, used: 0 } };
    cloudHas({ host: { resources: { ...resources, CUSTOM_PCI_10DE_1AEF: { capacity: 1, used: 0 } } } });

    assert.deepEqual(await readGpus(), {});
  });

  it('is empty if the gateway has no user of its own', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const { status, body } = await api.get(PATH, { as: caller });

    assert.deepEqual([status, body], [200, {}]);
  });

  it("is empty if the gateway's user may not read the hosts", async () => {
    suite.cloud.acceptsLogIn(service);
    const refusal = { errors: [{ status: 403, detail: 'Policy does not allow it.' }] };
    placementAnswers(/^\/(?:allocation_candidates|resource_providers)/, refusal, { status: 403, times: 4 });

    assert.deepEqual(await readGpus(), {});
  });

  it('is empty if the catalog has no placement service', async () => {
    suite.cloud.acceptsLogIn(service, { body: tokenBodyWithout(service, 'placement') });

    assert.deepEqual(await readGpus(), {});
  });

  it('is a 502 if placement fails', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.acceptsLogIn(service);
    placementAnswers(/^\/(?:allocation_candidates|resource_providers)/, {}, { status: 500, times: 4 });

    assert.equal((await api.get(PATH, { as: caller })).status, 502);
  });
});
