import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type SavedState, saveState, shapeOfState } from '../../../apps/cloudsim/src/cloud/saved-state.ts';
import { lockFolder } from '../../../apps/cloudsim/src/persistence/folder-lock.ts';
import { decodeState } from '../../../apps/cloudsim/src/persistence/state-file.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type ApiResponse,
  type Client,
  idOf,
  LATEST_COMPUTE,
  LATEST_SHARE,
  startTestCloud,
  type TestCloud,
} from './client.ts';
import { builderFiles, userData } from './guest-data.ts';
import { type Receiver, startReceiver } from './report-receiver.ts';

const COMPUTE = '/compute/v2.1';
const NETWORK = '/network/v2.0';
const START_MS = Date.UTC(2026, 0, 1);
const A_DAY_MS = 24 * 3600 * 1000;

describe('the stored state of the simulated cloud', function () {
  this.timeout(120_000);
  let dataDir: string;
  let clouds: TestCloud[];
  let receiver: Receiver;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'cloudsim-test-'));
    clouds = [];
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const cloud of clouds) await cloud.close();
    await receiver.close();
    rmSync(dataDir, { recursive: true });
  });

  async function start(afterMs = 0, port?: number): Promise<TestCloud> {
    const cloud = await startTestCloud({ dataDir, port }, START_MS + afterMs);
    clouds.push(cloud);
    return cloud;
  }

  async function stop(cloud: TestCloud): Promise<void> {
    clouds.splice(clouds.indexOf(cloud), 1);
    await cloud.close();
  }

  /** As if the process were killed: the state is what has been saved so far. */
  async function startFromCopy(cloud: TestCloud): Promise<TestCloud> {
    const copy = readFileSync(stateFile());
    await stop(cloud);
    writeFileSync(stateFile(), copy);
    return start();
  }

  const stateFile = () => join(dataDir, 'state');

  function storedStatus(volumeId: string): string | undefined {
    if (!existsSync(stateFile())) return undefined;
    const { services } = decodeState(readFileSync(stateFile()), shapeOfState()) as SavedState;
    return services.blockStorage.volumes.get(volumeId)?.status;
  }

  const volumesOf = (client: Client) => `/volume/v3/${client.projectId}/volumes`;

  async function createVolume(client: Client, more: object = {}): Promise<string> {
    return (await client.call('POST', volumesOf(client), { volume: { size: 1, ...more } })).body.volume.id;
  }

  async function statusOf(client: Client, volumeId: string): Promise<string | number> {
    const answer = await client.call('GET', `${volumesOf(client)}/${volumeId}`);
    return answer.body.volume?.status ?? answer.status;
  }

  it('contains every record and every pending transition', async () => {
    const before = await start();
    await createEverything(before, receiver.url);
    const expected = saveState(before.cloud);
    await stop(before);

    const after = await start();

    const found = saveState(after.cloud);
    const namesOf = ({ tasks }: SavedState) => tasks.map(({ name }) => name);
    assert.ok(namesOf(expected).length >= 10, `only ${namesOf(expected)} were pending`);
    assert.deepEqual(namesOf(found), namesOf(expected));
    for (const part of ['services', 'tasks', 'machines'] as const)
      assert.ok(isDeepStrictEqual(found[part], expected[part]), `${part} differ`);
  });

  it('finishes transitions that were pending, however long the cloud was stopped', async () => {
    const before = await start();
    await createEverything(before, receiver.url);
    assert.notDeepEqual(transitional(before), []);
    await stop(before);

    const after = await start(A_DAY_MS);
    after.clock.advance(20_000);
    await eventually(async () => {
      after.clock.advance(1_000);
      assert.deepEqual(transitional(after), []);
      return true;
    });

    const { compute, blockStorage, loadBalancer, containerInfra, container } = after.cloud;
    const others = [loadBalancer.loadBalancers, containerInfra.clusters, container.containers];
    assert.deepEqual(
      others.flatMap((records) => [...records.values()].map(({ status }) => status)),
      ['ACTIVE', 'CREATE_COMPLETE', 'Created'],
    );
    const byName = new Map([...compute.servers.values()].map((server) => [server.name, server]));
    assert.equal(byName.get('building')?.status, 'ACTIVE');
    assert.equal(byName.get('rebooting')?.status, 'ACTIVE');
    assert.equal(byName.get('impossible')?.status, 'ERROR');
    assert.match(byName.get('impossible')?.fault?.message ?? '', /No valid host/);
    assert.equal(byName.has('deleted'), false);
    const server = byName.get('attaching');
    const [attached] = server?.volumes ?? [];
    assert.equal(blockStorage.volumes.get(attached?.volumeId ?? '')?.status, 'in-use');
    assert.ok(attached?.attachmentId);
  });

  it('boots the guests of running servers again, which finish their work', async () => {
    const before = await start();
    const gateway = await before.as('gateway', 'service');
    await createServer(gateway, { name: 'builder', user_data: userData(builderFiles(receiver.url)) });
    before.clock.advance(3_000);
    assert.equal(receiver.reports.length, 0);
    await stop(before);

    const after = await start(A_DAY_MS);
    const again = await after.as('gateway', 'service');
    await eventually(async () => {
      after.clock.advance(100);
      const [server] = (await again.call('GET', `${COMPUTE}/servers/detail`)).body.servers;
      assert.equal(server.status, 'SHUTOFF');
      return true;
    });

    assert.equal(receiver.reports.at(-1)?.body.success, true);
  });

  it('keeps tokens valid, and the catalog names the new port', async () => {
    const before = await start();
    const { token, projectId } = await before.as('demo');
    await stop(before);

    const after = await start();
    const answer = await after.call('GET', '/identity/v3/auth/tokens', undefined, {
      'X-Auth-Token': token,
      'X-Subject-Token': token,
    });

    assert.equal(answer.status, 200);
    assert.equal(answer.body.token.project.id, projectId);
    const urls = JSON.stringify(answer.body.token.catalog).match(/http:\/\/[^/"]+/g) ?? [];
    assert.deepEqual([...new Set(urls)], [after.url]);
  });

  it('is saved soon after a change, without a stop', async () => {
    const cloud = await start();
    const demo = await cloud.as('demo');
    const volumeId = await createVolume(demo);
    cloud.clock.advance(1_000);
    await eventually(async () => storedStatus(volumeId) === 'available');

    const killed = await startFromCopy(cloud);

    assert.equal(await statusOf(await killed.as('demo'), volumeId), 'available');
  });

  it('is not written while nothing changes', async () => {
    const cloud = await start();
    const demo = await cloud.as('demo');
    const { ino, mode } = await eventually(async () =>
      existsSync(stateFile()) ? statSync(stateFile()) : undefined,
    );
    await demo.call('GET', volumesOf(demo));
    await stop(cloud);

    assert.equal(statSync(stateFile()).ino, ino, 'a save would have replaced the file');
    assert.equal(mode & 0o077, 0, 'only the owner can read the passwords in it');
  });

  for (const [what, spoil] of [
    ['is damaged', (file: Buffer) => Buffer.concat([file.subarray(0, file.length - 1), Buffer.from('x')])],
    ['is truncated', (file: Buffer) => file.subarray(0, file.length / 2)],
    ['is empty', () => Buffer.alloc(0)],
    ['has another version', (file: Buffer) => replaced(file, '"version":', '"version":9')],
    ['lacks a collection of records', (file: Buffer) => replaced(file, 'volumes', 'volumez')],
  ] as [string, (file: Buffer) => Buffer][]) {
    it(`is renamed if it ${what}, and the cloud starts with the seed`, async () => {
      const before = await start();
      const volumeId = await createVolume(await before.as('demo'));
      await stop(before);
      writeFileSync(stateFile(), spoil(readFileSync(stateFile())));
      const lines = captured();

      const after = await start();

      lines.restore();
      assert.equal(await statusOf(await after.as('demo'), volumeId), 404);
      assert.ok(existsSync(`${stateFile()}.unusable`));
      const [warning] = lines.parsed();
      assert.equal(warning?.level, 'warn');
      assert.match(String(warning?.message), /cannot be used; it starts with the seeded state/);
    });
  }

  it('is deleted by a reset', async () => {
    const cloud = await start();
    const volumeId = await createVolume(await cloud.as('demo'));
    await eventually(async () => existsSync(stateFile()));

    const { status } = await cloud.call('POST', '/_control/reset');

    assert.equal(status, 204);
    assert.equal(existsSync(stateFile()), false);
    await stop(cloud);
    assert.equal(await statusOf(await (await start()).as('demo'), volumeId), 404);
  });

  it('is used by one process at a time', async () => {
    const cloud = await start();

    await assert.rejects(lockFolder(dataDir, 0), {
      message: new RegExp(`in use by process ${process.pid}: is the gateway`),
    });

    await stop(cloud);
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.endsWith('.pid')),
      [],
    );
  });

  it('is taken over from a process that has died', async () => {
    const lock = join(dataDir, 'cloudsim.pid');
    writeFileSync(lock, `${process.pid} another-start`);

    await start();

    assert.match(readFileSync(lock, 'utf8'), new RegExp(`^${process.pid} (?!another-start)`));
    await assert.rejects(lockFolder(dataDir, 0), /in use by process/);
  });

  it('leaves the folder to others if the port is in use', async () => {
    const other = await startTestCloud();
    clouds.push(other);

    await assert.rejects(start(0, Number(new URL(other.url).port)), { code: 'EADDRINUSE' });

    const release = await lockFolder(dataDir, 0);
    assert.deepEqual(readdirSync(dataDir), ['cloudsim.pid']);
    release();
  });
});

/** Statuses and task states of all records that a transition will change. */
function transitional(cloud: TestCloud): string[] {
  const found: string[] = [];
  for (const [service, state] of Object.entries(saveState(cloud.cloud).services))
    for (const [kind, records] of Object.entries(state)) {
      if (!(records instanceof Map)) continue;
      for (const record of records.values() as Iterable<Record<string, unknown>>)
        for (const field of ['status', 'taskState', 'state'])
          if (/ing(-backup)?$|^BUILD$|^queued|^reserved$/i.test(String(record[field] ?? '')))
            found.push(`${service}.${kind}: ${record[field]}`);
    }
  return found;
}

async function createServer(client: Client, more: object): Promise<string> {
  const networks = await client.call('GET', `${NETWORK}/networks`);
  const net = networks.body.networks.find((one: { name: string }) => /demo-net|builders/.test(one.name));
  const server = {
    imageRef: idOf(await client.call('GET', '/image/v2/images'), 'ubuntu-22.04'),
    flavorRef: idOf(await client.call('GET', `${COMPUTE}/flavors`), 'm1.tiny'),
    networks: [{ uuid: net.id }],
    ...more,
  };
  const made = await client.call('POST', `${COMPUTE}/servers`, { server }, LATEST_COMPUTE);
  assert.equal(made.status, 202, JSON.stringify(made.body));
  return made.body.server.id;
}

/** Resources of every kind, many of them in a transition. */
async function createEverything(cloud: TestCloud, reportUrl: string): Promise<void> {
  const demo = await cloud.as('demo');
  const admin = await cloud.as('admin');
  const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const answer: ApiResponse = await demo.call(method, path, body, headers);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const volumes = `/volume/v3/${demo.projectId}`;
  const volume = async (more: object = {}): Promise<string> =>
    (await call('POST', `${volumes}/volumes`, { volume: { size: 1, ...more } })).volume.id;
  const act = (id: string, action: object) => call('POST', `${COMPUTE}/servers/${id}/action`, action);

  const [kept, attachable, extended, removed, saved] = await Promise.all(
    Array.from({ length: 5 }, () => volume()),
  );
  const rebooting = await createServer(demo, {
    name: 'rebooting',
    user_data: userData(builderFiles(reportUrl)),
  });
  const attaching = await createServer(demo, { name: 'attaching' });
  const deleted = await createServer(demo, { name: 'deleted' });
  const share = (
    await call('POST', '/share/v2/shares', { share: { size: 1, share_proto: 'NFS' } }, LATEST_SHARE)
  ).share.id;
  cloud.clock.advance(5_000);

  await call('POST', `${COMPUTE}/os-keypairs`, { keypair: { name: 'k' } });
  await call('POST', `${NETWORK}/security-groups`, { security_group: { name: 'g' } });
  await admin.call('POST', `${COMPUTE}/flavors`, {
    flavor: { name: 'huge', vcpus: 1, ram: 4 * 2 ** 20, disk: 1 },
  });
  const publicId = idOf(await demo.call('GET', `${NETWORK}/networks`), 'public');
  const { ports } = await call('GET', `${NETWORK}/ports?device_id=${attaching}`);
  const floatingip = { floating_network_id: publicId, port_id: ports[0].id };
  await call('POST', `${NETWORK}/floatingips`, { floatingip });
  await call(
    'POST',
    `/share/v2/shares/${share}/action`,
    { allow_access: { access_type: 'ip', access_to: '10.10.0.9' } },
    LATEST_SHARE,
  );
  await call('POST', '/share/v2/shares', { share: { size: 1, share_proto: 'CEPHFS' } }, LATEST_SHARE);
  await call('POST', `${volumes}/snapshots`, { snapshot: { volume_id: kept } });
  await call('POST', `${volumes}/backups`, { backup: { volume_id: saved } });
  await volume({ imageRef: idOf(await demo.call('GET', '/image/v2/images'), 'debian-12') });
  await call('POST', `${volumes}/volumes/${extended}/action`, { 'os-extend': { new_size: 2 } });
  await call('DELETE', `${volumes}/volumes/${removed}`);
  await call('POST', `${COMPUTE}/servers/${attaching}/os-volume_attachments`, {
    volumeAttachment: { volumeId: attachable },
  });
  const LBAAS = '/load-balancer/v2.0/lbaas';
  const { subnets } = await call('GET', `${NETWORK}/subnets?name=demo-subnet`);
  const balancer = { name: 'pending', vip_subnet_id: subnets[0].id };
  await call('POST', `${LBAAS}/loadbalancers`, { loadbalancer: balancer });
  const cluster = { name: 'pending', cluster_template_id: 'k8s-template' };
  await call('POST', '/container-infra/v1/clusters', cluster);
  await call('POST', '/container/v1/containers', { name: 'pending', image: 'nginx' });
  await act(rebooting, { reboot: { type: 'HARD' } });
  await call('DELETE', `${COMPUTE}/servers/${deleted}`);
  await createServer(demo, { name: 'building' });
  const flavors = await demo.call('GET', `${COMPUTE}/flavors`);
  await createServer(demo, { name: 'impossible', flavorRef: idOf(flavors, 'huge') });
}

function replaced(file: Buffer, text: string, by: string): Buffer {
  return Buffer.from(file.toString('latin1').replace(text, by), 'latin1');
}

/** Captures the lines that this process logs. */
function captured(): { parsed(): Record<string, unknown>[]; restore(): void } {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => lines.push(line);
  return {
    parsed: () => lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)),
    restore: () => {
      console.log = log;
    },
  };
}
