import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import type { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

interface Job {
  id: string;
  status: string;
  leftovers: { type: string; id: string }[];
}

interface FloatingIp {
  id: string;
  port_id: string | null;
  port_details: { device_id: string } | null;
}

/** What a deletion could not remove, and what a user takes for another instance before the next attempt. */
describe('a leftover of a deletion that another instance has got', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  let control: CloudsimControl;
  let gateway: GatewayClient;
  let cloud: CloudClient;
  let deleted: string;
  let other: string;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        jobs: { lock_seconds: 2, poll_interval_ms: 50, sweep_seconds: 1 },
        time_limits: { undo_seconds: 1 },
      },
    });
    ({ control, gateway } = simulated);
    cloud = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('demo'));
  });

  after(() => simulated?.stop());

  beforeEach(async () => {
    [deleted = '', other = ''] = await Promise.all([create(), create()]);
    await eventually(async () => {
      const answer = await gateway.request('DELETE', `/api/instances/${other}/floating-ip`);
      assert.equal(answer.status, 204, answer.text);
      return true;
    });
  });

  afterEach(() => simulated.restore());

  it('stays there if it is a floating IP', async () => {
    const before = await floatingIps();
    await control.addFault({ operation: 'floating_ips.delete', status: 500, times: 0 });
    const jobId = await deleteInstance();
    const { id } = await leftoverOf(jobId, 'floating_ip');
    assert.equal(before.find((one) => one.id === id)?.port_details?.device_id, deleted);
    const free = (await floatingIps()).find((one) => one.id === id);
    assert.equal(free?.port_id, null);
    const associated = await gateway.request('POST', `/api/networks/floating-ips/${id}/associate`, {
      instance_id: other,
    });
    assert.equal(associated.status, 200, associated.text);

    await control.clear();
    await untilSwept(jobId);

    const kept = (await floatingIps()).find((one) => one.id === id);
    assert.equal(kept?.port_details?.device_id, other);
  });

  it('stays there if it is a port', async () => {
    const portId = await makePortOf(deleted);
    await control.addFault({ operation: 'ports.delete', status: 500, times: 0 });
    const jobId = await deleteInstance();
    assert.equal((await leftoverOf(jobId, 'port')).id, portId);
    await cloud.call('compute', 'POST', `/servers/${other}/os-interface`, {
      interfaceAttachment: { port_id: portId },
    });
    assert.equal((await readPort(portId)).device_id, other);

    await control.clear();
    await untilSwept(jobId);

    assert.equal((await readPort(portId)).device_id, other);
    await cloud.call('network', 'DELETE', `/v2.0/ports/${portId}`);
  });

  async function create(): Promise<string> {
    const last = (await gateway.messagesOfCreation(simulated.request)).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    return last.instance_id ?? '';
  }

  async function deleteInstance(): Promise<string> {
    const answer = await gateway.request('DELETE', `/api/instances/${deleted}`);
    assert.equal(answer.status, 204, answer.text);
    const { items } = await gateway.read<{ items: Job[] }>('/api/jobs?type=instance.delete&limit=1');
    return items[0]?.id ?? '';
  }

  const readJob = (id: string) => gateway.read<Job>(`/api/jobs/${id}`);

  /** The only leftover of the completed job. */
  function leftoverOf(jobId: string, type: string): Promise<Job['leftovers'][number]> {
    return eventually(async () => {
      const { leftovers, status } = await readJob(jobId);
      assert.deepEqual([status, leftovers.map((left) => left.type)], ['completed', [type]]);
      return leftovers[0];
    }, 60_000);
  }

  function untilSwept(jobId: string): Promise<boolean> {
    return eventually(async () => {
      assert.deepEqual((await readJob(jobId)).leftovers, []);
      return true;
    }, 60_000);
  }

  async function floatingIps(): Promise<FloatingIp[]> {
    const path = `/v2.0/floatingips?project_id=${cloud.projectId}`;
    return (await cloud.call<{ floatingips: FloatingIp[] }>('network', 'GET', path)).floatingips;
  }

  /** A port as the creation of the instance makes it for libraries on NFS shares. */
  async function makePortOf(instanceId: string): Promise<string> {
    const { job_id: jobId } = await gateway.read<{ job_id: string }>(`/api/instances/${instanceId}`);
    const [used] = await gateway.read<{ net_id: string }[]>(`/api/instances/${instanceId}/interfaces`);
    const { port } = await cloud.call<{ port: { id: string } }>('network', 'POST', '/v2.0/ports', {
      port: { network_id: used?.net_id, name: 'e2e-leftover', description: `gateway job ${jobId}` },
    });
    return port.id;
  }

  async function readPort(id: string): Promise<{ device_id: string }> {
    return (await cloud.call<{ port: { device_id: string } }>('network', 'GET', `/v2.0/ports/${id}`)).port;
  }
});
