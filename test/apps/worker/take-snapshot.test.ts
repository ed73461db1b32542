import assert from 'node:assert/strict';
import { HOUR_MS } from '@gateway/inventory';
import { type BoundClient, floatingIpRecord } from '@gateway/openstack';
import type { OptionalServices } from '@gateway/platform';
import type { StepContext } from '../../../apps/worker/src/saga/index.ts';
import {
  type SnapshotContext,
  type SnapshotState,
  takeSnapshotsSteps,
} from '../../../apps/worker/src/sagas/take-snapshots/index.ts';
import { takeSnapshot } from '../../../apps/worker/src/sagas/take-snapshots/take-snapshot.ts';
import { asRecord } from '../../support/doubles/as-record.ts';

const MINUTE_MS = 60_000;

describe('the job that takes the snapshots of an hour', () => {
  const hour = Date.now() - (Date.now() % HOUR_MS);

  /** Whether a job for this hour, which was requested so long ago, takes the snapshots. */
  async function isTaken(ofHour: number, ageMs: number): Promise<boolean> {
    const asked: number[] = [];
    const has = async (_type: string, hourOf: number) => asked.push(hourOf) > 0;
    const context = {
      hour: ofHour,
      config: { services },
      timeSeries: { has },
      requestedAt: async () => Date.now() - ageMs,
      service: async () => ({}),
      signal: new AbortController().signal,
    };
    await takeSnapshotsSteps[0]?.run(context as unknown as StepContext<SnapshotContext, SnapshotState>);
    return asked.length > 0;
  }

  it('takes them if it runs within an hour', async () => {
    assert.equal(await isTaken(hour, 0), true);
    assert.equal(await isTaken(hour - HOUR_MS, 50 * MINUTE_MS), true);
  });

  it('leaves the hour out if it runs later', async () => {
    assert.equal(await isTaken(hour - HOUR_MS, 2 * HOUR_MS), false);
    assert.equal(await isTaken(hour - 24 * HOUR_MS, 24 * HOUR_MS), false);
  });

  it('leaves an hour out that is yet to come', async () => {
    assert.equal(await isTaken(hour + 9 * HOUR_MS, 0), false);
  });
});

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
