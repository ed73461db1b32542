import assert from 'node:assert/strict';
import type { GpuAvailability } from '@gateway/views';
import { newCaller } from '../../support/api/factories.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { apiSuite } from '../../support/api/suite.ts';
import type { ReplyOptions } from '../../support/doubles/upstream.ts';

describe('GET /api/dashboard/gpu-available', () => {
  const suite = apiSuite();
  const service = newCaller({ userName: 'gateway', roles: ['admin'], projectId: 'the-service-project' });

  /** Placement answers the service user three times. */
  function placementIs(...options: ReplyOptions[]): void {
    suite.cloud.acceptsLogIn(service);
    [1, 2, 3].forEach((number, index) => {
      suite.cloud.reply(`placement/candidates-${number}`, {
        requestHeaders: { 'x-auth-token': service.token },
        ...(options[index] ?? options[0]),
      });
    });
  }

  function provider(resources: Record<string, { capacity: number; used: number }>): object {
    return { resources, parent_provider_uuid: null, root_provider_uuid: 'host' };
  }

  it('counts the devices of a cloud by type, once for all projects', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const [one, other] = [newCaller(), newCaller({ projectId: 'another-project' })];
    suite.cloud.validCaller(one);
    suite.cloud.validCaller(other);
    placementIs();

    const { status, body } = await api.get<GpuAvailability>('/api/dashboard/gpu-available', { as: one });
    const again = await api.get('/api/dashboard/gpu-available', { as: other });

    assert.equal(status, 200);
    assert.deepEqual(body, {
      gpu_types: [
        { device_name: 'VGPU', vendor: null, total: 16, used: 0, available: 16 },
        { device_name: 'A100', vendor: 'NVIDIA', total: 8, used: 0, available: 8 },
      ],
      summary: { total_gpus: 24, used_gpus: 0, available_gpus: 24 },
    });
    assert.deepEqual(again.body, body);
  });

  it('counts every host that has anything left, and each only once', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    const card = { CUSTOM_PCI_10DE_20B0: { capacity: 1, used: 1 } };
    const summaries = (...ids: string[]) => ({
      body: {
        allocation_requests: [],
        provider_summaries: Object.fromEntries(ids.map((id) => [id, provider(card)])),
      },
    });
    placementIs(summaries('a'), summaries('a', 'b'), summaries('c'));

    const { body } = await api.get<GpuAvailability>('/api/dashboard/gpu-available', { as: caller });

    assert.deepEqual(body.gpu_types, [
      { device_name: 'A100', vendor: 'NVIDIA', total: 3, used: 3, available: 0 },
    ]);
  });

  it('is empty for a cloud without GPUs', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    const host = provider({
      VCPU: { capacity: 8, used: 0 },
      CUSTOM_PCI_10DE_1AEF: { capacity: 1, used: 0 },
      CUSTOM_PCI_15B3_101E: { capacity: 8, used: 0 },
    });
    placementIs({ body: { allocation_requests: [], provider_summaries: { host } } });

    const { status, body } = await api.get('/api/dashboard/gpu-available', { as: caller });

    assert.deepEqual([status, body], [200, {}]);
  });

  it('is empty if the gateway has no user of its own', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const { status, body } = await api.get('/api/dashboard/gpu-available', { as: caller });

    assert.deepEqual([status, body], [200, {}]);
  });

  it("is empty if the gateway's user may not read the hosts", async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    placementIs({ status: 403, body: { errors: [{ status: 403, detail: 'Policy does not allow it.' }] } });

    const { status, body } = await api.get('/api/dashboard/gpu-available', { as: caller });

    assert.deepEqual([status, body], [200, {}]);
  });

  it('is a 502 if placement fails', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    placementIs({ status: 500, body: '' });

    assert.equal((await api.get('/api/dashboard/gpu-available', { as: caller })).status, 502);
  });
});
