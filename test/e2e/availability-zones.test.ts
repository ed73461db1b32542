import assert from 'node:assert/strict';
import type { InstanceDetail, Volume } from '@gateway/resources';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

/** The services name their zones independently of each other. */
const ZONES = { serverZones: ['nova', 'rack-1'], volumeZones: ['storage', 'rack-1', 'ssd'] };

const CASES = [
  { setting: undefined, zone: 'nova', expected: 'storage', of: "block storage's default" },
  { setting: undefined, zone: 'rack-1', expected: 'rack-1', of: 'the same name' },
  { setting: 'none', zone: 'rack-1', expected: 'storage', of: "block storage's default" },
  { setting: 'ssd', zone: 'nova', expected: 'ssd', of: 'the configuration' },
];

describe('the volumes of an instance in an availability zone', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;

  afterEach(async () => {
    await simulated?.restore();
    await simulated?.stop();
  });

  for (const { setting, zone, expected, of } of CASES) {
    it(`are in zone ${of} for ${zone} with setting ${setting ?? 'same'}`, async () => {
      const instances = setting === undefined ? {} : { volume_zone: setting };
      simulated = await SimulatedStack.start({ config: { instances } });
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
        [expected, expected],
      );
      const kept = own.find(({ name }) => name.startsWith('new'));
      await gateway.request('DELETE', `/api/instances/${made.body.id}`);
      await eventually(async () => {
        const { status } = await gateway.request('DELETE', `/api/volumes/${kept?.id}`);
        return status === 204 ? true : undefined;
      });
    });
  }
});
