import assert from 'node:assert/strict';
import type { GatewayError } from '@gateway/core';
import { planZones } from '@gateway/resources';

/** The services name their zones independently of each other. */
const SERVER_ZONES = ['nova', 'rack-1'];
const VOLUME_ZONES = ['storage', 'rack-1', 'ssd'];

describe('the volumes of an instance in an availability zone', () => {
  async function zoneOfVolumes(availabilityZone: string | null, volumeZone: string): Promise<string | null> {
    const owner = () => ({
      compute: { availabilityZones: { has: async (name: string) => SERVER_ZONES.includes(name) } },
      blockStorage: { availabilityZones: { has: async (name: string) => VOLUME_ZONES.includes(name) } },
    });
    const context = { config: { instances: { volumeZone } }, input: { availabilityZone }, owner };
    return (await planZones(context as unknown as Parameters<typeof planZones>[0])).volumeZone;
  }

  for (const [zone, setting, expected, of] of [
    ['nova', 'same', null, "block storage's default"],
    ['rack-1', 'same', 'rack-1', 'the same name'],
    ['rack-1', 'none', null, "block storage's default"],
    ['nova', 'ssd', 'ssd', 'the configuration'],
    [null, 'ssd', null, "block storage's default"],
  ] as const) {
    it(`are in zone ${of} for ${zone} with setting ${setting}`, async () => {
      assert.equal(await zoneOfVolumes(zone, setting), expected);
    });
  }

  it('are not planned for a zone that the compute service lacks', async () => {
    await assert.rejects(zoneOfVolumes('ssd', 'same'), (error: GatewayError) => {
      assert.deepEqual([error.status, error.errors?.[0]?.field], [400, 'body.availability_zone']);
      return true;
    });
  });
});
