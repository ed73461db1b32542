import assert from 'node:assert/strict';
import type { GpuHosts } from '@gateway/resources';
import { computeAnswers } from '../../support/api/compute.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

interface FakeProvider {
  id: string;
  host: string;
  /** The resource class of its one device. */
  device?: string;
}

describe('GET /api/admin/gpu-hosts', () => {
  const suite = apiSuite();

  const placementAnswers = (path: string | RegExp, body: object, times = 1) =>
    suite.cloud.reply('placement/candidates-1', { path, body, times });

  async function readHosts(
    providers: Record<string, FakeProvider>,
    {
      hypervisors = Object.values(providers).map(({ host }) => ({
        id: host,
        state: 'up',
        status: 'enabled',
      })),
      disabled = [],
    }: { hypervisors?: object[]; disabled?: string[] } = {},
  ): Promise<GpuHosts> {
    const rows = Object.entries(providers).map(([name, row]) => ({ name, ...row }));
    const tree = ({ id, host }: FakeProvider) => ({
      parent_provider_uuid: host === id ? null : host,
      root_provider_uuid: host,
    });
    placementAnswers('/resource_providers', {
      resource_providers: rows.map((row) => ({ uuid: row.id, name: row.name, ...tree(row) })),
    });
    const summaries = rows.map((row) => {
      const resources = row.device === undefined ? {} : { [row.device]: { capacity: 1, used: 0 } };
      const traits = disabled.includes(row.id) ? ['COMPUTE_STATUS_DISABLED'] : [];
      return [row.id, { resources, traits, ...tree(row) }];
    });
    placementAnswers(/\/allocation_candidates/, { provider_summaries: Object.fromEntries(summaries) }, 3);
    for (const { id, device } of rows) {
      if (device === undefined) continue;
      suite.cloud.reply('placement/candidates-1', {
        path: `/resource_providers/${id}/inventories`,
        body: { inventories: { [device]: { total: 1, reserved: 0, allocation_ratio: 1 } } },
        optional: true,
      });
    }
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors });
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    return (await api.get<GpuHosts>('/api/admin/gpu-hosts', { as: admin })).body;
  }

  it('leaves out the other functions of a card', async () => {
    const on = (id: string, device: string) => ({ id, host: 'h', device: `CUSTOM_PCI_10DE_${device}` });

    const { hosts, summary } = await readHosts({
      'gpu-1': { id: 'h', host: 'h' },
      'gpu-1_0000:81:00.0': on('card', '1E04'),
      'gpu-1_0000:81:00.1': on('audio', '10F7'),
      'gpu-1_0000:81:00.2': on('usb', '1AD6'),
      'gpu-1_0000:81:00.3': on('serial', '1AD7'),
      'gpu-1_0000:82:00.0': on('new-card', 'FFF0'),
      'gpu-1_0000:82:00.1': on('its-audio', 'FFF1'),
      'gpu-1_0000:83:00.0': on('old-audio', '1AEB'),
      'gpu-1_0000:84:00.0': on('switch', '22A3'),
    });

    assert.deepEqual(
      hosts.flatMap(({ gpus }) => gpus.map(({ provider_uuid }) => provider_uuid)),
      ['card', 'new-card'],
    );
    assert.deepEqual(summary, { total_hosts: 1, total_gpus: 2, used_gpus: 0, available_gpus: 2 });
  });

  it('reads addresses from names with underscores', async () => {
    const { hosts, aggregated_hosts } = await readHosts({
      gpu_1: { id: 'h', host: 'h', device: 'PGPU' },
      gpu_1_pci_0000_84_00_0: { id: 'a', host: 'h', device: 'VGPU' },
      gpu_1_my_slices: { id: 'b', host: 'h', device: 'VGPU' },
      'gpu_1_0000:85:00.0': { id: 'c', host: 'h', device: 'CUSTOM_PCI_10DE_20B0' },
    });

    const addresses = hosts.flatMap(({ gpus }) => gpus.map(({ pci_address }) => pci_address));
    assert.deepEqual(addresses.sort(), ['0000:84:00.0', '0000:85:00.0', 'host-level', 'my_slices']);
    assert.deepEqual(
      aggregated_hosts.map(({ name }) => name),
      ['gpu_1'],
    );
  });

  it('shows hosts that take no instances, whose unused GPUs are not available', async () => {
    const { hosts, summary } = await readHosts(
      Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, { id, host: id, device: 'PGPU' }])),
      {
        disabled: ['a'],
        hypervisors: [
          { id: 'a', state: 'up', status: 'enabled' },
          { id: 'b', state: 'up', status: 'disabled' },
          { id: 'c', state: 'down', status: 'enabled' },
          { id: 'd', state: 'up', status: 'enabled' },
        ],
      },
    );

    assert.deepEqual(
      hosts.map(({ name, takes_instances }) => [name, takes_instances]),
      [
        ['a', false],
        ['b', false],
        ['c', false],
        ['d', true],
      ],
    );
    assert.deepEqual(summary, { total_hosts: 4, total_gpus: 4, used_gpus: 0, available_gpus: 1 });
  });
});
