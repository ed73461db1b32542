import assert from 'node:assert/strict';
import type { CloudOverview, Hypervisor, HypervisorDetail, ServiceStatus } from '@gateway/resources';
import { AdminStack } from '../support/stacks/admin-stack.ts';

const LIST = '/api/admin/hypervisors';

describe('hosts of instances', function () {
  this.timeout(60_000);
  let suite: AdminStack;

  before(async () => {
    suite = await AdminStack.start();
  });

  after(() => suite?.stop());

  it('are disabled and enabled, as the next lists show', async () => {
    const elsewhere = suite.admin.at(suite.otherUrl);
    const hosts = () => suite.read<Hypervisor[]>(LIST, elsewhere);
    const processOf = async (name: string) =>
      (await suite.read<ServiceStatus>('/api/admin/services', elsewhere)).compute.find(
        ({ binary, host }) => binary === 'nova-compute' && host === name,
      );
    const [{ id, name, status } = assert.fail()] = await hosts();
    await processOf(name);
    const allowedVcpus = async () =>
      (await suite.read<CloudOverview>('/api/admin/overview', elsewhere)).vcpus?.allowed ?? 0;
    const allowed = await allowedVcpus();
    assert.equal(status, 'enabled');
    const change = (body: object) => suite.change<HypervisorDetail>(200, 'PUT', `${LIST}/${id}`, body);
    suite.atEnd(() => suite.admin.request('PUT', `${LIST}/${id}`, { status: 'enabled' }));
    const statusOf = async () => (await hosts()).find((host) => host.id === id)?.status;

    const disabled = await change({ status: 'disabled', disabled_reason: 'New memory' });

    assert.deepEqual([disabled.status, disabled.disabled_reason], ['disabled', 'New memory']);
    assert.equal(await statusOf(), 'disabled');
    const stopped = await processOf(name);
    assert.deepEqual([stopped?.status, stopped?.disabled_reason], ['disabled', 'New memory']);
    assert.ok((await allowedVcpus()) < allowed, 'the overview has the capacity without the host');
    const enabled = await change({ status: 'enabled' });
    assert.deepEqual(
      [enabled.status, enabled.disabled_reason, await statusOf()],
      ['enabled', null, 'enabled'],
    );
    await suite.refused(404, /./, ['PUT', `${LIST}/${crypto.randomUUID()}`, { status: 'enabled' }]);
  });
});
