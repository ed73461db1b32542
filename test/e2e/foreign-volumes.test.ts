import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface Volume {
  id: string;
  name: string;
  status: string;
  metadata: Record<string, string>;
}

interface Job {
  status: string;
  leftovers: { type: string; id: string }[];
}

const TIMEOUT_MS = 60_000;

describe("a volume that moves to another project during its creation's rollback", function () {
  this.timeout(300_000);
  let stack: Stack;
  let administrator: CloudClient;
  let alice: CloudClient;
  let revokeRole: (() => Promise<void>) | undefined;
  /** Null with a real cloud. */
  let control: CloudsimControl | null;

  before(async () => {
    stack = await startTestStack({
      workers: 1,
      config: { jobs: { sweep_seconds: 1 }, time_limits: { undo_seconds: 240 } },
    });
    control = stack.cloudsim && new CloudsimControl(stack.cloudsim.url);
    administrator = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    alice = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('alice'));
    const { projectId } = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    const { roles } = await administrator.call<{ roles: { id: string }[] }>(
      'identity',
      'GET',
      '/roles?name=admin',
    );
    const role = `/projects/${projectId}/users/${administrator.userId}/roles/${roles[0]?.id}`;
    await administrator.call('identity', 'PUT', role);
    revokeRole = () => administrator.call('identity', 'DELETE', role);
  });

  afterEach(() => control?.clear());

  after(async () => {
    await revokeRole?.();
    await stack?.stop();
  });

  for (const [who, rights, losesAccess] of [
    ['demo', 'of the service user', true],
    ['admin', 'of an administrator', false],
  ] as const) {
    it(`stays there, whatever the rights ${rights} reach`, async () => {
      const login = { ...testLogin(who), projectName: testLogin('demo').projectName };
      const cloud = await CloudClient.logIn(stack.identityUrl ?? '', login);
      const gateway = await GatewayClient.logIn(stack.url, login);
      // Another log-in, because that of the job may lose its access.
      const other = await GatewayClient.logIn(stack.url, login);
      await control?.clearCalls();
      await control?.addFault({ operation: 'servers.create', status: 403 });
      await control?.addFault({ operation: 'volumes.delete', status: 500, times: 0 });
      const stream = await gateway.createInstance({
        ...(await gateway.smallInstanceRequest('e2e-foreign')),
        // Otherwise the compute service itself deletes the volume with an administrator's token,
        // even after its transfer.
        delete_boot_volume_on_termination: false,
      });
      const jobId = stream.headers.get('x-job-id') ?? '';
      const events = messagesOf(stream).catch(() => []);
      const release =
        control === null ? await blockWithSnapshot(cloud, other, jobId) : await blockWithFault(control);
      const volume = await eventually(() => volumeOf(cloud, jobId, ['available']), TIMEOUT_MS);

      if (losesAccess) await loseAccessOf(gateway, cloud);
      await transfer(cloud, volume.id);
      await release();

      const ended = await eventually(async () => {
        const job = await other.read<Job>(`/api/jobs/${jobId}`);
        return ['queued', 'running'].includes(job.status) ? undefined : job;
      }, TIMEOUT_MS);
      await events;
      assert.deepEqual([ended.status, ended.leftovers], [control === null ? 'cancelled' : 'failed', []]);
      const { volume: kept } = await alice.call<{ volume: Volume }>(
        'volumev3',
        'GET',
        `/volumes/${volume.id}`,
      );
      assert.equal(kept.status, 'available');
      await eventually(async () => {
        await alice.call('volumev3', 'DELETE', `/volumes/${volume.id}`);
        return true;
      }, TIMEOUT_MS);
    });
  }

  async function blockWithFault(faults: CloudsimControl) {
    await eventually(async () => {
      const calls = await faults.calls();
      return calls.some(({ operation }) => operation === 'volumes.delete');
    }, TIMEOUT_MS);
    return () => faults.clear();
  }

  /** The service does not delete a volume that has a snapshot. */
  async function blockWithSnapshot(cloud: CloudClient, gateway: GatewayClient, jobId: string) {
    const volume = await eventually(() => volumeOf(cloud, jobId, ['in-use']), TIMEOUT_MS);
    const made = await cloud.call<{ snapshot: { id: string } }>('volumev3', 'POST', '/snapshots', {
      snapshot: { volume_id: volume.id, name: 'e2e-foreign', force: true },
    });
    const path = `/snapshots/${made.snapshot.id}`;
    const cancelled = await gateway.request('POST', `/api/jobs/${jobId}/cancel`);
    assert.equal(cancelled.status, 202, cancelled.text);
    await eventually(async () => {
      const { snapshot } = await cloud.call<{ snapshot: { status: string } }>('volumev3', 'GET', path);
      const { servers } = await cloud.call<{ servers: { metadata: Record<string, string> }[] }>(
        'compute',
        'GET',
        '/servers/detail',
      );
      const isServerGone = servers.every(({ metadata }) => metadata.gateway_job_id !== jobId);
      return isServerGone && snapshot.status === 'available';
    }, TIMEOUT_MS);
    return () => alice.call<void>('volumev3', 'DELETE', path);
  }

  async function volumeOf(cloud: CloudClient, jobId: string, states: string[]): Promise<Volume | undefined> {
    const { volumes } = await cloud.call<{ volumes: Volume[] }>('volumev3', 'GET', '/volumes/detail');
    return volumes.find(
      ({ metadata, status }) => metadata.gateway_job_id === jobId && states.includes(status),
    );
  }

  /** The job has no rights of its owner any more. */
  async function loseAccessOf(gateway: GatewayClient, cloud: CloudClient): Promise<void> {
    for (const id of await cloud.trusts()) await cloud.call('identity', 'DELETE', `/OS-TRUST/trusts/${id}`);
    await administrator.revokeToken(gateway.token);
  }

  async function transfer(cloud: CloudClient, volumeId: string): Promise<void> {
    interface Offer {
      transfer: { id: string; auth_key: string };
    }
    const offer = await cloud.call<Offer>('volumev3', 'POST', '/volume-transfers', {
      transfer: { volume_id: volumeId, name: 'e2e-foreign' },
    });
    const { auth_key, id } = offer.transfer;
    await alice.call('volumev3', 'POST', `/volume-transfers/${id}/accept`, { accept: { auth_key } });
  }
});
