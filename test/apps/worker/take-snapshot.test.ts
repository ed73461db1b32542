import assert from 'node:assert/strict';
import { type BoundClient, floatingIpRecord } from '@gateway/openstack';
import type { OptionalServices } from '@gateway/platform';
import { takeSnapshot } from '../../../apps/worker/src/sagas/take-snapshots/take-snapshot.ts';
import { asRecord } from '../../support/doubles/as-record.ts';

type Present = (row: unknown) => unknown;

const services = { sharedFs: false, container: false, containerInfra: false } as OptionalServices;

describe('the hourly snapshot of networks', () => {
  it('counts floating IPs that are associated or forward ports as used', async () => {
    const forwarding = { port_id: null, port_forwardings: [{ internal_ip_address: '10.0.0.5' }] };
    const rows = [{ port_id: 'p' }, forwarding, { port_id: null, port_forwardings: [] }, { port_id: null }];
    const floatingIps = rows.map((row, index) => asRecord(floatingIpRecord, { id: `${index}`, ...row }));
    const network = {
      networks: { listFields: async () => [] },
      routers: { listFields: async () => [] },
      floatingIps: {
        listFields: async (_fields: string[], present: Present) => floatingIps.map((row) => present(row)),
      },
    };
    const openstack = { network } as unknown as BoundClient;

    assert.deepEqual(await takeSnapshot('networks', { openstack, services }), {
      networks: 0,
      routers: 0,
      floating_ips_total: 4,
      floating_ips_used: 2,
    });
  });
});
