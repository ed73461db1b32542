import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { isRealCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface Volume {
  id: string;
  status: string;
}

interface Restored {
  managed_by: object | null;
  metadata: Record<string, string>;
  allowed_actions: string[];
}

/** Resources that a late call creates a second time, without a reference in the server's metadata. */
describe('the deletion of an instance', function () {
  this.timeout(300_000);
  let stack: Stack;
  let gateway: GatewayClient;
  let cloud: CloudClient;
  let baseline: ResourceIds;

  before(async () => {
    // The test itself creates, after the instance, what a late call would create.
    stack = await startTestStack({ config: { jobs: { late_call_seconds: 120 } } });
    cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    baseline = await cloud.resourceIds();
  });

  after(() => stack?.stop());

  async function makeVolume(metadata: Record<string, string>): Promise<string> {
    const { volume } = await cloud.call<{ volume: Volume }>('volumev3', 'POST', '/volumes', {
      volume: { name: 'e2e-marked', size: 1, metadata },
    });
    await eventually(async () => {
      const { volume: made } = await cloud.call<{ volume: Volume }>(
        'volumev3',
        'GET',
        `/volumes/${volume.id}`,
      );
      return made.status === 'available';
    });
    return volume.id;
  }

  it("removes everything with its job's mark, except volumes to keep", async () => {
    const messages = await gateway.messagesOfCreation(await gateway.smallInstanceRequest('e2e-marked'));
    const last = messages.at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    const path = `/api/instances/${last.instance_id}`;
    const { job_id: jobId } = await gateway.read<{ job_id: string }>(path);
    const networks = await cloud.call<{ networks: { id: string; 'router:external': boolean }[] }>(
      'network',
      'GET',
      '/v2.0/networks',
    );
    const idOf = (isExternal: boolean) =>
      networks.networks.find((network) => network['router:external'] === isExternal)?.id;
    const description = `gateway job ${jobId}`;
    await makeVolume({ gateway_job_id: jobId });
    const kept = await makeVolume({ gateway_job_id: jobId, gateway_keep_volume: 'true' });
    const others = await makeVolume({ gateway_job_id: 'another' });
    await cloud.call('network', 'POST', '/v2.0/ports', {
      port: { network_id: idOf(false), name: 'e2e-marked', description },
    });
    await cloud.call('network', 'POST', '/v2.0/floatingips', {
      floatingip: { floating_network_id: idOf(true), description },
    });

    const { status, text } = await gateway.request('DELETE', path);

    assert.equal(status, 204, text);
    const expected = { ...baseline, volumes: [...baseline.volumes, kept, others].sort() };
    await eventually(async () => {
      assert.deepEqual(await cloud.resourceIds(), expected);
      return true;
    }, 60_000);
    for (const id of [kept, others]) await cloud.call('volumev3', 'DELETE', `/volumes/${id}`);
    await eventually(async () => {
      assert.deepEqual(await cloud.resourceIds(), baseline);
      return true;
    });
    if (!isRealCloud()) assert.deepEqual(await deletesOfServer(stack, last.instance_id), 1);
  });

  async function becomes(path: string, expected: string): Promise<void> {
    await eventually(async () => {
      const { status } = await gateway.read<{ status: string }>(path);
      return status === expected;
    }, 240_000);
  }

  it('leaves what its user has restored from a backup of it', async () => {
    const overwritten = await makeVolume({ purpose: 'data' });
    const last = (await gateway.messagesOfCreation(await gateway.smallInstanceRequest('e2e-restored'))).at(
      -1,
    );
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    const path = `/api/instances/${last.instance_id}`;
    const [boot] = await gateway.read<{ volume_id: string }[]>(`${path}/volumes`);
    const { body: backup } = await gateway.request<{ id: string }>('POST', '/api/volumes/backups', {
      name: 'e2e-restored',
      volume_id: boot?.volume_id,
      force: true,
    });
    const backupPath = `/api/volumes/backups/${backup.id}`;
    await becomes(backupPath, 'available');
    await gateway.request('POST', `${backupPath}/restore`, { volume_id: overwritten });
    await becomes(backupPath, 'available');
    // Without a name the service gives the new volume that of the boot volume.
    const { restore } = await cloud.call<{ restore: { volume_id: string } }>(
      'volumev3',
      'POST',
      `/backups/${backup.id}/restore`,
      { restore: {} },
    );
    const attached = restore.volume_id;
    for (const id of [overwritten, attached]) await becomes(`/api/volumes/${id}`, 'available');
    const added = await gateway.request('POST', `${path}/volumes`, { volume_id: attached });
    assert.equal(added.status, 201, added.text);
    await becomes(`/api/volumes/${attached}`, 'in-use');

    const shown = await gateway.read<Restored>(`/api/volumes/${attached}`);
    const { status, text } = await gateway.request('DELETE', path);

    assert.deepEqual([shown.managed_by, shown.metadata], [null, { src_backup_id: backup.id }]);
    assert.ok(shown.allowed_actions.includes('detach'));
    assert.equal(status, 204, text);
    await becomes(`/api/volumes/${attached}`, 'available');
    await eventually(async () => {
      const jobs = await gateway.read<{ items: { status: string }[] }>(
        '/api/jobs?type=instance.delete&limit=1',
      );
      return jobs.items[0]?.status === 'completed';
    }, 60_000);
    const volumes = [...baseline.volumes, overwritten, attached].sort();
    assert.deepEqual(await cloud.resourceIds(), { ...baseline, volumes });
    for (const id of [overwritten, attached]) await gateway.request('DELETE', `/api/volumes/${id}`);
    await gateway.request('DELETE', backupPath);
    await eventually(async () => {
      assert.deepEqual(await cloud.resourceIds(), baseline);
      return true;
    });
  });
});

/** The number of delete requests for the server in the simulated cloud. */
async function deletesOfServer(stack: Stack, instanceId: string | null): Promise<number> {
  const answer = await fetch(`${stack.cloudsim?.url}/_control/calls?operation=servers.delete`);
  const { calls } = (await answer.json()) as { calls: { path: string }[] };
  return calls.filter(({ path }) => path.endsWith(`/servers/${instanceId}`)).length;
}
