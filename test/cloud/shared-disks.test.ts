import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CloudOverview, Hypervisor } from '@gateway/resources';
import { AdminStack } from '../support/stacks/admin-stack.ts';

const SIZE_GB = 123_456;

interface Provider {
  resource_provider_generation: number;
  aggregates: string[];
}

describe('a storage that placement says all hosts share', function () {
  this.timeout(120_000);
  let suite: AdminStack;

  before(async () => {
    suite = await AdminStack.start({ apis: 1 });
  });

  after(() => suite?.stop());

  const call = <T>(method: string, path: string, body?: object) =>
    suite.cloud.call<T>('placement', method, `/resource_providers${path}`, body);

  /** Changes the aggregates that a provider is in. */
  async function setAggregates(id: string, change: (before: string[]) => string[]): Promise<void> {
    const { resource_provider_generation, aggregates } = await call<Provider>('GET', `/${id}/aggregates`);
    await call('PUT', `/${id}/aggregates`, { resource_provider_generation, aggregates: change(aggregates) });
  }

  async function diskGb(): Promise<number | undefined> {
    return (await suite.read<CloudOverview>('/api/admin/overview?refresh=true')).disk_gb?.total;
  }

  it('counts once among the disks of the hosts', async () => {
    const hosts = await suite.read<Hypervisor[]>('/api/admin/hypervisors');
    const before = hosts.reduce((total, { local_disk_gb }) => total + local_disk_gb, 0);
    assert.equal(await diskGb(), before);
    const [uuid, aggregate] = [randomUUID(), randomUUID()];
    await call('POST', '', { uuid, name: `test-shared-${uuid}` });
    suite.atEnd(() => call('DELETE', `/${uuid}`));
    // All of it is reserved, so that no server is given a part of it.
    await call('PUT', `/${uuid}/inventories`, {
      resource_provider_generation: 0,
      inventories: { DISK_GB: { total: SIZE_GB, reserved: SIZE_GB } },
    });
    await call('PUT', `/${uuid}/traits`, {
      resource_provider_generation: 1,
      traits: ['MISC_SHARES_VIA_AGGREGATE'],
    });
    assert.equal(await diskGb(), before, 'it is in no aggregate yet');

    for (const id of [uuid, ...hosts.map((host) => host.id)]) {
      await setAggregates(id, (all) => [...all, aggregate]);
      suite.atEnd(() => setAggregates(id, (all) => all.filter((one) => one !== aggregate)));
    }

    assert.equal(await diskGb(), SIZE_GB);
  });
});
