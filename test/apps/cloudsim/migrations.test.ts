import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import { LATEST_COMPUTE } from './client.ts';
import { COMPUTE, computeSuite } from './compute-suite.ts';

const LIVE = { 'os-migrateLive': { host: null, block_migration: 'auto' } };

describe('moves of servers between simulated hosts', () => {
  const compute = computeSuite();
  let admin: Client;

  beforeEach(async () => {
    admin = await compute.cloud.as('admin');
  });

  const act = (id: string, body: object, as = admin) =>
    as.call('POST', `${COMPUTE}/servers/${id}/action`, body, LATEST_COMPUTE);
  const show = async (id: string) =>
    (await admin.call('GET', `${COMPUTE}/servers/${id}`, undefined, LATEST_COMPUTE)).body.server;
  const hostOf = async (id: string) => (await show(id))['OS-EXT-SRV-ATTR:host'];
  const moves = async (id: string) =>
    (
      await admin.call(
        'GET',
        `${COMPUTE}/os-migrations?instance_uuid=${id}&limit=1`,
        undefined,
        LATEST_COMPUTE,
      )
    ).body.migrations;

  async function setService(host: string, body: object, expected = 200): Promise<void> {
    const { services } = (
      await admin.call('GET', `${COMPUTE}/os-services?binary=nova-compute`, undefined, LATEST_COMPUTE)
    ).body;
    const { id } = services.find((service: { host: string }) => service.host === host);
    const { status } = await admin.call('PUT', `${COMPUTE}/os-services/${id}`, body, LATEST_COMPUTE);
    assert.equal(status, expected);
  }

  it('keep a running server running, and are for administrators', async () => {
    const id = await compute.running();
    const from = await hostOf(id);
    assert.equal((await act(id, LIVE, compute.demo)).status, 403);

    const answer = await act(id, LIVE);

    assert.equal(answer.status, 202);
    assert.deepEqual([(await show(id)).status, (await moves(id))[0].status], ['MIGRATING', 'accepted']);
    assert.match((await act(id, LIVE)).body.conflictingRequest.message, /task_state migrating/);
    compute.cloud.clock.advance(5000);
    const [{ dest_compute, migration_type, source_compute, status }] = await moves(id);
    assert.deepEqual([migration_type, source_compute, status], ['live-migration', from, 'completed']);
    const server = await show(id);
    assert.deepEqual([server.status, server['OS-EXT-SRV-ATTR:host']], ['ACTIVE', dest_compute]);
    assert.notEqual(dest_compute, from);
  });

  it('leave a server where it is if no other host is enabled', async () => {
    const id = await compute.running();
    const from = await hostOf(id);
    await setService(from === 'compute-1' ? 'gpu-1' : 'compute-1', { status: 'disabled' });

    await act(id, LIVE);
    compute.cloud.clock.advance(5000);

    assert.deepEqual([await hostOf(id), (await show(id)).status], [from, 'ACTIVE']);
    assert.equal((await moves(id))[0].status, 'error');
  });

  it('of a stopped server wait for a confirmation', async () => {
    const id = await compute.running();
    await act(id, { 'os-stop': null });
    compute.cloud.clock.advance(5000);
    assert.match((await act(id, LIVE)).body.conflictingRequest.message, /vm_state stopped/);

    assert.equal((await act(id, { migrate: null })).status, 202);
    compute.cloud.clock.advance(5000);

    assert.deepEqual([(await show(id)).status, (await moves(id))[0].status], ['VERIFY_RESIZE', 'finished']);
    await act(id, { confirmResize: null });
    assert.deepEqual([(await show(id)).status, (await moves(id))[0].status], ['VERIFY_RESIZE', 'confirming']);
    assert.match((await act(id, { revertResize: null })).body.badRequest.message, /has not been resized/);
    compute.cloud.clock.advance(5000);
    assert.deepEqual([(await show(id)).status, (await moves(id))[0].status], ['SHUTOFF', 'confirmed']);
  });

  it('evacuate servers only from a host that is down', async () => {
    const id = await compute.running();
    const from = await hostOf(id);
    assert.match((await act(id, { evacuate: {} })).body.badRequest.message, /still in use/);
    await setService(from, { forced_down: true });

    assert.equal((await act(id, { evacuate: {} })).status, 200);
    assert.equal((await show(id)).status, 'REBUILD');
    compute.cloud.clock.advance(5000);

    assert.notEqual(await hostOf(id), from);
    assert.deepEqual([(await show(id)).status, (await moves(id))[0].status], ['ACTIVE', 'done']);
    await setService(from, { forced_down: false }, 400);
    await admin.call('DELETE', `${COMPUTE}/servers/${id}`, undefined, LATEST_COMPUTE);
    compute.cloud.clock.advance(5000);
    await setService(from, { forced_down: false });
  });

  it('refuse fields of older microversions', async () => {
    const id = await compute.running();
    const older = { ...LIVE['os-migrateLive'], disk_over_commit: false };

    assert.equal((await act(id, { 'os-migrateLive': older })).status, 400);
    assert.equal((await act(id, { 'os-migrateLive': { block_migration: 'auto' } })).status, 400);
    assert.equal((await act(id, { evacuate: { onSharedStorage: true } })).status, 400);
  });
});
