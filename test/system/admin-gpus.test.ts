import assert from 'node:assert/strict';
import type { GpuAlias, GpuAvailability, GpuHosts, Hypervisor } from '@gateway/resources';
import { eventually } from '../support/eventually.ts';
import { type KnownGpuHost, prepareGpuHost } from '../support/projects/gpu-host.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

describe('the GPUs of the cloud', function () {
  this.timeout(120_000);
  let suite: AdminStack;
  let host: KnownGpuHost;

  before(async () => {
    suite = await AdminStack.start({
      apis: 1,
      config: {
        gpu: { devices: [{ vendor_id: '10DE', device_id: '2331', name: 'H100', aliases: ['h100', 'big'] }] },
      },
    });
    host = await prepareGpuHost(suite.cloud);
  });

  after(async () => {
    await host?.remove();
    await suite?.stop();
  });

  it('are listed by host and by type, with the same totals', async () => {
    const { hosts, aggregated_hosts, summary, gpu_types } = await suite.read<GpuHosts>(
      '/api/admin/gpu-hosts?refresh=true',
    );

    const found = hosts.find(({ name }) => name === host.name);
    const cards = found?.gpus.filter(({ pci_address }) => /^0000:8\d:00\.0$/.test(pci_address)) ?? [];
    assert.equal(cards.length, host.cards);
    for (const card of cards) {
      assert.deepEqual(
        [card.device_name, card.vendor_name, card.resource_class, card.total, card.used],
        [host.deviceName, 'NVIDIA', host.resourceClass, 1, 0],
      );
      assert.equal(card.provider_name, `${host.name}_${card.pci_address}`);
      assert.deepEqual([card.allocation_ratio, card.reserved], [1, 0]);
    }
    const gpus = hosts.flatMap((one) => one.gpus);
    for (const total of [summary.total_gpus, sum(hosts.map((one) => one.gpu_total))]) {
      assert.equal(total, sum(gpus.map((gpu) => gpu.total)));
    }
    assert.equal(sum(gpu_types.map((type) => type.total)), summary.total_gpus);
    assert.equal(sum(gpu_types.map((type) => type.used)), summary.used_gpus);
    assert.equal(summary.total_hosts, aggregated_hosts.length);
    assert.ok(gpu_types.every(({ total }, index) => total <= (gpu_types[index - 1]?.total ?? total)));
    const groups = aggregated_hosts.find(({ name }) => name === host.name)?.gpu_groups ?? [];
    assert.equal(sum(groups.map((group) => group.total)), found?.gpu_total);
    const known =
      cards.length + (found?.gpus.filter(({ device_name }) => device_name === 'VGPU').length ?? 0);
    const ofHost = found?.gpus.filter(({ pci_address }) => pci_address !== 'host-level').length;
    assert.equal(ofHost, known, 'other functions of cards are no GPUs');
  });

  it('are not available on a host that is disabled', async () => {
    const member = await suite.logIn(testLogin('demo'));
    const [{ id, name } = assert.fail()] = (await suite.read<Hypervisor[]>('/api/admin/hypervisors')).filter(
      (one) => one.name === 'gpu-1',
    );
    const path = `/api/admin/hypervisors/${id}`;
    const figures = async () => {
      const { hosts, summary } = await suite.read<GpuHosts>('/api/admin/gpu-hosts?refresh=true');
      const { summary: own } = await member.read<GpuAvailability>(
        '/api/dashboard/gpu-available?refresh=true',
      );
      assert.equal(own.total_gpus, own.used_gpus + own.available_gpus);
      const host = hosts.find((one) => one.name === name) ?? assert.fail();
      const free = host.gpu_total - host.gpu_used;
      return { takes: host.takes_instances, free, all: summary.available_gpus, own: own.available_gpus };
    };
    const becomes = (takes: boolean, of: (now: Awaited<ReturnType<typeof figures>>) => boolean) =>
      eventually(async () => {
        const now = await figures();
        return now.takes === takes && of(now);
      });
    const before = await figures();
    assert.ok(before.takes && before.free > 0, JSON.stringify(before));
    suite.atEnd(() => suite.admin.request('PUT', path, { status: 'enabled' }));

    await suite.change(200, 'PUT', path, { status: 'disabled', disabled_reason: 'New cards' });

    await becomes(false, ({ all, own }) => all < before.all && own < before.own);
    await suite.change(200, 'PUT', path, { status: 'enabled' });
    await becomes(true, ({ all, own, free }) => all >= free && own >= free);
  });

  it('have the configured aliases', async () => {
    const device = { device_name: 'H100', vendor_id: '10de', device_id: '2331' };
    assert.deepEqual(await suite.read<GpuAlias[]>('/api/admin/gpu-aliases'), [
      { alias: 'big', ...device },
      { alias: 'h100', ...device },
    ]);
  });
});
