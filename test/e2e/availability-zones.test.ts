import assert from 'node:assert/strict';
import type { InstanceDetail, Volume } from '@gateway/resources';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const ZONES = { serverZones: ['nova', 'rack-1'], volumeZones: ['storage', 'rack-1', 'ssd'] };

describe('the volumes of an instance in an availability zone', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;

  after(async () => {
    await simulated?.restore();
    await simulated?.control.set({ serverZones: ['nova'], volumeZones: ['nova'] });
    await simulated?.stop();
  });

  it('are in the zone of its name, where block storage has one', async () => {
    const zone = 'rack-1';
    simulated = await SimulatedStack.start();
    const { control, gateway, request } = simulated;
    await control.set(ZONES);

    const made = await gateway.request<InstanceDetail>('POST', '/api/instances', {
      ...request,
      availability_zone: zone,
      new_volumes: [{ name: 'new', size_gb: 1 }],
    });

    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.availability_zone, zone);
    const volumes = await gateway.read<Volume[]>('/api/volumes');
    const own = volumes.filter(({ id }) => made.body.volume_ids.includes(id));
    assert.deepEqual(
      own.map((volume) => volume.availability_zone),
      [zone, zone],
    );
    const kept = own.find(({ name }) => name.startsWith('new'));
    await gateway.request('DELETE', `/api/instances/${made.body.id}`);
    await eventually(async () => {
      const { status } = await gateway.request('DELETE', `/api/volumes/${kept?.id}`);
      return status === 204;
    });
  });
});
