import assert from 'node:assert/strict';
import type { EvacuationMessage } from '@gateway/jobs';
import type { EvacuationPreview, Hypervisor, HypervisorDetail, Instance } from '@gateway/resources';
import type { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudClient as Cloud } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const HOSTS = '/api/admin/hypervisors';
const FROM = 'compute-1';
const TO = 'gpu-1';

interface Server {
  id: string;
  status: string;
  'OS-EXT-SRV-ATTR:host': string | null;
}

describe('the evacuation of a host', function () {
  this.timeout(300_000);
  let suite: AdminStack;
  let demo: GatewayClient;
  let cloud: CloudClient;
  /** Null on a real cloud. */
  let control: CloudsimControl | null;
  let flavorRef: string;
  let imageRef: string;
  let path: string;
  let otherPath: string;
  let made: string[] = [];

  before(async () => {
    suite = await AdminStack.start({
      workers: 1,
      config: {
        jobs: { lock_seconds: 2 },
        cache: { instances_seconds: 600 },
      },
    });
    demo = (await suite.logIn(testLogin('demo'))).at(suite.otherUrl);
    cloud = await Cloud.logIn(suite.stack.identityUrl ?? '', testLogin('demo'));
    const { cloudsim } = suite.stack;
    control = cloudsim && new CloudsimControl(cloudsim.url);
    const found = await suite.read<Hypervisor[]>(HOSTS);
    const pathOf = (host: string) => `${HOSTS}/${found.find(({ name }) => name === host)?.id}`;
    [path, otherPath] = [pathOf(FROM), pathOf(TO)];
    const { flavors } = await cloud.call<{ flavors: { id: string; name: string }[] }>(
      'compute',
      'GET',
      '/flavors',
    );
    flavorRef = flavors.find(({ name }) => name === 'm1.tiny')?.id ?? '';
    const { images } = await cloud.call<{ images: { id: string; name: string }[] }>(
      'image',
      'GET',
      '/v2/images',
    );
    imageRef = images.find(({ name }) => name === 'debian-12')?.id ?? '';
  });

  afterEach(async () => {
    await control?.clear();
    for (const id of made) await demo.request('DELETE', `/api/instances/${id}`);
    // A host is not up again while servers that were evacuated from it exist, unless its process restarts.
    for (const id of made) {
      await eventually(async () => {
        const { server: left } = await suite.cloud.call<{ server?: Server }>(
          'compute',
          'GET',
          `/servers/${id}`,
          undefined,
          [404],
        );
        return left === undefined;
      });
    }
    made = [];
    await setService({ forced_down: false });
    await setStatus('enabled');
    await setStatus('enabled', otherPath);
  });

  after(() => suite?.stop());

  const setStatus = (status: string, host = path) => suite.change(200, 'PUT', host, { status });
  const preview = () => suite.read<EvacuationPreview>(`${path}/evacuation`);
  const server = async (id: string) =>
    (await suite.cloud.call<{ server: Server }>('compute', 'GET', `/servers/${id}`)).server;
  const stateOf = async (id: string) => {
    const { 'OS-EXT-SRV-ATTR:host': host, status } = await server(id);
    return [status, host];
  };

  async function setService(body: object): Promise<void> {
    const { services } = await suite.cloud.call<{ services: { id: string; host: string; binary: string }[] }>(
      'compute',
      'GET',
      '/os-services',
    );
    const found = services.find(({ binary, host }) => binary === 'nova-compute' && host === FROM);
    await suite.cloud.call('compute', 'PUT', `/os-services/${found?.id}`, body);
  }

  /** Places what is made on the host that is to be emptied. */
  async function placed(make: () => Promise<string>): Promise<string> {
    await setStatus('disabled', otherPath);
    const id = await make();
    made.push(id);
    await hasStatus(id, 'ACTIVE');
    await setStatus('enabled', otherPath);
    return id;
  }

  const hasStatus = (id: string, status: string) =>
    eventually(async () => (await server(id)).status === status);

  async function makeServer(name: string, action?: object, status = 'ACTIVE'): Promise<string> {
    const body = { server: { name, flavorRef, imageRef, networks: 'none' } };
    const id = await placed(
      async () =>
        (await cloud.call<{ server: { id: string } }>('compute', 'POST', '/servers', body)).server.id,
    );
    if (action === undefined) return id;
    await suite.cloud.call('compute', 'POST', `/servers/${id}/action`, action);
    await hasStatus(id, status);
    return id;
  }

  /** With a volume, a port and a floating IP. */
  const makeInstance = (name: string) =>
    placed(async () => {
      const last = (await demo.messagesOfCreation(await demo.smallInstanceRequest(name))).at(-1);
      return last?.instance_id ?? assert.fail(last?.error ?? '');
    });

  async function start(body: object = {}): Promise<() => Promise<EvacuationMessage[]>> {
    const answer = await suite.ask<{ job_id: string }>('POST', `${path}/evacuation`, body);
    assert.equal(answer.status, 202, answer.text);
    const stream = await suite.admin.at(suite.otherUrl).followJob(answer.body.job_id);
    return async () => (await stream.rest()).map(({ data }) => JSON.parse(data) as EvacuationMessage);
  }

  it('shows what it moves, and moves running and stopped instances', async () => {
    const running = await makeInstance('running');
    const stopped = await makeServer('stopped', { 'os-stop': null }, 'SHUTOFF');
    const listed = async () =>
      (await demo.read<{ items: Instance[] } | Instance[]>('/api/instances')) as Instance[];
    await listed();
    const shown = await preview();
    assert.deepEqual([shown.hypervisor_name, shown.state, shown.status], [FROM, 'up', 'enabled']);
    assert.deepEqual(
      Object.fromEntries(
        shown.instances.map(({ id, move, project_name, reason }) => [id, [move, project_name, reason]]),
      ),
      {
        [running]: ['live_migrate', testLogin('demo').projectName, null],
        [stopped]: ['migrate', testLogin('demo').projectName, null],
      },
    );

    const messages = await (await start({ disabled_reason: 'New memory' }))();

    const last = messages.at(-1);
    assert.deepEqual(
      [last?.step, last?.total, last?.moved, last?.stayed],
      ['COMPLETED', 2, 2, []],
      JSON.stringify(last),
    );
    assert.deepEqual(
      [...new Set(messages.map(({ step }) => step))],
      ['HOST_DISABLING', 'INSTANCES_LISTING', 'INSTANCES_MOVING', 'EMPTINESS_CHECKING', 'COMPLETED'],
    );
    const moving = messages.filter(({ step }) => step === 'INSTANCES_MOVING');
    assert.equal(moving.length, 4);
    assert.deepEqual(await stateOf(running), ['ACTIVE', TO]);
    assert.deepEqual(await stateOf(stopped), ['SHUTOFF', TO]);
    assert.deepEqual((await preview()).instances, []);
    const host = await suite.read<HypervisorDetail>(path);
    assert.deepEqual([host.status, host.disabled_reason, host.servers], ['disabled', 'New memory', []]);
  });

  it('names what has stayed, and leaves the host disabled', async () => {
    const running = await makeServer('running');
    const broken = await makeServer('broken', { 'os-resetState': { state: 'error' } }, 'ERROR');
    assert.deepEqual(
      (await preview()).instances.find(({ id }) => id === broken)?.reason,
      'It cannot be moved in the state ERROR. Repair it, or reset its state.',
    );

    const last = (await (await start())()).at(-1);

    assert.deepEqual([last?.step, last?.code, last?.moved], ['FAILED', 'conflict', 1]);
    assert.match(last?.error ?? '', /^1 instance has not left .* broken: It cannot be moved/);
    assert.deepEqual(
      last?.stayed.map(({ id }) => id),
      [broken],
    );
    assert.deepEqual(
      [await stateOf(running), await stateOf(broken)],
      [
        ['ACTIVE', TO],
        ['ERROR', FROM],
      ],
    );
    assert.equal((await suite.read<HypervisorDetail>(path)).status, 'disabled');
  });

  it('says that the compute service has no host for an instance', async () => {
    const id = await makeServer('running');
    await setStatus('disabled', otherPath);

    const last = (await (await start())()).at(-1);

    await setStatus('enabled', otherPath);
    assert.equal(last?.step, 'FAILED');
    assert.match(last?.stayed[0]?.reason ?? '', /given up its move/);
    assert.deepEqual(await stateOf(id), ['ACTIVE', FROM]);
  });

  it('builds instances anew whose host is said to be off', async () => {
    const running = await makeInstance('running');
    const broken = await makeServer('broken', { 'os-resetState': { state: 'error' } }, 'ERROR');
    await suite.refused(409, /is up/, ['POST', `${path}/evacuation`, { host_is_off: true }]);
    await setService({ forced_down: true });
    await suite.refused(409, /host_is_off/, ['POST', `${path}/evacuation`, {}]);
    assert.deepEqual(
      (await preview()).instances.map(({ move }) => move),
      ['evacuate', 'evacuate'],
    );

    const last = (await (await start({ host_is_off: true }))()).at(-1);

    assert.deepEqual([last?.step, last?.moved], ['COMPLETED', 2], JSON.stringify(last));
    assert.deepEqual(
      [await stateOf(running), await stateOf(broken)],
      [
        ['ACTIVE', TO],
        ['ACTIVE', TO],
      ],
    );
  });

  it('moves no instance twice after the death of the worker', async function () {
    if (control === null) return this.skip();
    const id = await makeServer('running');
    const hold = await control.hold('after', { service: 'compute', operation: 'servers.os-migrateLive' });
    const ended = await start();
    assert.equal(await hold.waitUntilReached(60_000), 'held');

    await suite.stack.workers[0]?.kill('SIGKILL');
    await suite.stack.workers[0]?.restart();
    await control.clear();

    assert.equal((await ended()).at(-1)?.step, 'COMPLETED');
    assert.deepEqual(await stateOf(id), ['ACTIVE', TO]);
    const { migrations } = await suite.cloud.call<{ migrations: object[] }>(
      'compute',
      'GET',
      `/os-migrations?instance_uuid=${id}`,
    );
    assert.equal(migrations.length, 1);
  });

  it('is for administrators, and for known hosts', async () => {
    for (const call of [
      ['GET', `${path}/evacuation`],
      ['POST', `${path}/evacuation`, {}],
    ] as const) {
      await suite.refused(403, /./, [...call], demo);
    }
    const unknown = `${HOSTS}/${crypto.randomUUID()}/evacuation`;
    await suite.refused(404, /./, ['GET', unknown]);
    await suite.refused(404, /./, ['POST', unknown, {}]);
  });

  it('is made one at a time', async function () {
    if (control === null) return this.skip();
    await makeServer('running');
    const hold = await control.hold('before', { service: 'compute', operation: 'servers.os-migrateLive' });
    const ended = await start();
    assert.equal(await hold.waitUntilReached(60_000), 'held');
    await suite.refused(409, /being evacuated already/, ['POST', `${path}/evacuation`, {}]);
    await control.clear();
    assert.equal((await ended()).at(-1)?.step, 'COMPLETED');
  });
});
