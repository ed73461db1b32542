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
      return made.status === 'available' ? true : undefined;
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
});

/** The number of delete requests for the server in the simulated cloud. */
async function deletesOfServer(stack: Stack, instanceId: string | null): Promise<number> {
  const answer = await fetch(`${stack.cloudsim?.url}/_control/calls?operation=servers.delete`);
  const { calls } = (await answer.json()) as { calls: { path: string }[] };
  return calls.filter(({ path }) => path.endsWith(`/servers/${instanceId}`)).length;
}
