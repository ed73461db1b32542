import assert from 'node:assert/strict';
import { JOB_METADATA_KEY, notFound } from '@gateway/core';
import { type OwnUse, releaseFloatingIp, releasePort } from '@gateway/inventory';
import {
  floatingIpRecord,
  type ProjectClient,
  portRecord,
  type ServerRecord,
  UpstreamError,
} from '@gateway/openstack';
import { asRecord } from '../../../support/doubles/as-record.ts';

interface Row {
  id?: string;
  port_id?: string | null;
  [field: string]: unknown;
}

interface Cloud {
  /** What each read of the floating IP shows; the last one remains. */
  floatingIps?: Row[];
  /** The same of the port. */
  ports?: Row[];
  /** Servers by id, with the job in their mark. */
  servers?: Record<string, string>;
}

/** The revisions with which the floating IP or port was deleted. A deletion of an older revision is a 412. */
function cloudWith({ floatingIps = [], ports = [], servers = {} }: Cloud) {
  const deletedAt: unknown[] = [];
  const collection = (declared: typeof floatingIpRecord | typeof portRecord, rows: Row[]) => {
    const left = [...rows];
    return {
      async get() {
        const row = left.length > 1 ? left.shift() : left[0];
        if (row === undefined) throw notFound('It is gone.');
        return asRecord<unknown>(declared, { id: 'it', ...row });
      },
      async remove(_id: string, ifRevision?: number | null) {
        if (left[0]?.revision_number !== (ifRevision ?? undefined)) throw stale();
        deletedAt.push(ifRevision);
      },
    };
  };
  const client = {
    network: {
      floatingIps: collection(floatingIpRecord, floatingIps),
      ports: collection(portRecord, ports),
    },
    compute: {
      servers: {
        async get(id: string) {
          const jobId = servers[id];
          if (jobId === undefined) throw notFound('There is no such server.');
          return { id, metadata: { [JOB_METADATA_KEY]: jobId } } as unknown as ServerRecord;
        },
      },
    },
  } as unknown as ProjectClient;
  return { client, deletedAt };
}

function stale(): UpstreamError {
  return new UpstreamError(502, 'upstream_error', 'Stale.', {
    service: 'network',
    operation: 'remove',
    upstreamStatus: 412,
    upstreamMessage: null,
    upstreamRequestId: null,
  });
}

/** As the network service shows a floating IP on a port. */
function onPort(deviceId: string, deviceOwner = 'compute:nova'): Row {
  const port_details = { name: '', device_id: deviceId, device_owner: deviceOwner };
  return { port_id: 'port', port_details, revision_number: 3 };
}

const FREE = { port_id: null, port_details: null, revision_number: 3 };
const OWN: OwnUse = { deviceIds: ['own'], portIds: [] };

async function releasesOf(cloud: Cloud, own = OWN): Promise<unknown[]> {
  const { client, deletedAt } = cloudWith(cloud);
  await releaseFloatingIp(client, 'it', own);
  return deletedAt;
}

describe('the release of a floating IP', () => {
  it('deletes the revision that was read', async () => {
    assert.deepEqual(await releasesOf({ floatingIps: [FREE] }), [3]);
    assert.deepEqual(await releasesOf({ floatingIps: [onPort('own')] }), [3]);
    assert.deepEqual(await releasesOf({ floatingIps: [onPort('lb-own', 'Octavia')] }), [3]);
    assert.deepEqual(await releasesOf({ floatingIps: [{ port_id: null }] }), [null]);
  });

  it('does nothing if it is gone', async () => {
    assert.deepEqual(await releasesOf({}), []);
  });

  it('leaves one that others use', async () => {
    for (const row of [
      onPort('another'),
      onPort('lb-another', 'Octavia'),
      { ...FREE, port_forwardings: [{ internal_ip_address: '10.0.0.5', external_port: 22 }] },
    ]) {
      assert.deepEqual(await releasesOf({ floatingIps: [row] }), [], JSON.stringify(row));
    }
  });

  it('reads again what changes before its deletion', async () => {
    const changed = { ...FREE, revision_number: 4 };
    assert.deepEqual(await releasesOf({ floatingIps: [FREE, changed] }), [4]);
    assert.deepEqual(
      await releasesOf({ floatingIps: [FREE, { ...onPort('another'), revision_number: 4 }] }),
      [],
    );
  });

  it('ends with the error of a record that changes every time', async () => {
    const rows = Array.from({ length: 9 }, (_, revision_number) => ({ ...FREE, revision_number }));

    await assert.rejects(releasesOf({ floatingIps: rows }), { upstreamStatus: 412 });
  });

  it('asks for the port of a floating IP without its device', async () => {
    const floatingIps = [{ port_id: 'port', revision_number: 3 }];
    const using = (device_id: string) => [{ id: 'port', device_id, device_owner: 'compute:nova' }];

    assert.deepEqual(await releasesOf({ floatingIps, ports: using('own') }), [3]);
    assert.deepEqual(await releasesOf({ floatingIps, ports: using('another') }), []);
  });

  it("takes one on the job's own port without a device", async () => {
    const cloud = { floatingIps: [onPort('', '')], ports: [{ id: 'port', device_id: '', device_owner: '' }] };

    assert.deepEqual(await releasesOf(cloud, { deviceIds: [], portIds: ['port'] }), [3]);
    assert.deepEqual(await releasesOf(cloud, { deviceIds: [], portIds: ['another'] }), []);
  });

  it("takes one of a server with the job's mark", async () => {
    const own = { deviceIds: [], portIds: [], creationJobId: 'the-job' };
    const floatingIps = [onPort('vm')];

    assert.deepEqual(await releasesOf({ floatingIps, servers: { vm: 'the-job' } }, own), [3]);
    assert.deepEqual(await releasesOf({ floatingIps, servers: { vm: 'another' } }, own), []);
  });

  it('waits while it is not known who uses it', async () => {
    const own = { deviceIds: [], portIds: [], creationJobId: 'the-job' };
    const unsaid = { id: 'port', device_owner: '' };
    for (const cloud of [
      { floatingIps: [{ port_id: 'port' }], ports: [unsaid] },
      { floatingIps: [{ port_id: 'port' }] },
      // The server has gone.
      { floatingIps: [onPort('vm')] },
    ]) {
      await assert.rejects(releasesOf(cloud, own), { status: 409, message: /who uses port/ });
    }
  });
});

describe('the release of a port', () => {
  async function releases(ports: Row[]): Promise<unknown[]> {
    const { client, deletedAt } = cloudWith({ ports });
    await releasePort(client, 'it', { deviceIds: ['own'] });
    return deletedAt;
  }
  const port = { device_id: '', device_owner: '', revision_number: 5 };
  const of = (device_id: string) => ({ ...port, device_id, device_owner: 'compute:nova' });

  it('deletes the revision that was read', async () => {
    assert.deepEqual(await releases([port]), [5]);
    assert.deepEqual(await releases([of('own')]), [5]);
    assert.deepEqual(await releases([]), []);
  });

  it('leaves one that another server has, also since the read', async () => {
    assert.deepEqual(await releases([of('another')]), []);
    assert.deepEqual(await releases([port, { ...of('another'), revision_number: 6 }]), []);
  });
});
