import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeUserData, firstBootData } from '@gateway/cloud-init';
import { type Client, idOf, LATEST_COMPUTE, LATEST_SHARE, startTestCloud, type TestCloud } from './client.ts';
import { builderFiles, type Form, mountUnit, userData } from './guest-data.ts';
import { type Receiver, type Report, startReceiver } from './report-receiver.ts';

const SERVERS = '/compute/v2.1/servers';
const SHARES = '/share/v2';
/** Long enough for every pending action to start, and shorter than the delay before a repeated report. */
const A_WHILE_MS = 5_000;
const RETRY_MS = 15_000;

describe('software inside simulated servers', () => {
  let cloud: TestCloud;
  let gateway: Client;
  let receiver: Receiver;
  let imageRef: string;
  let flavorRef: string;
  let networkId: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    receiver = await startReceiver();
    gateway = await cloud.as('gateway', 'service');
    imageRef = idOf(await gateway.call('GET', '/image/v2/images'), 'debian-12');
    flavorRef = idOf(await gateway.call('GET', '/compute/v2.1/flavors'), 'm1.tiny');
    networkId = idOf(await gateway.call('GET', '/network/v2.0/networks'), 'builders');
  });
  afterEach(async () => {
    await cloud.close();
    await receiver.close();
  });

  async function boot(user_data: string, networks: unknown = [{ uuid: networkId }]): Promise<string> {
    const server = { name: 'builder', imageRef, flavorRef, networks, user_data };
    const made = await gateway.call('POST', SERVERS, { server }, LATEST_COMPUTE);
    assert.equal(made.status, 202, JSON.stringify(made.body));
    return made.body.server.id;
  }

  function bootBuilder(form?: Form): Promise<string> {
    return boot(userData(builderFiles(receiver.url), form));
  }

  async function status(id: string): Promise<string> {
    return (await gateway.call('GET', `${SERVERS}/${id}`)).body.server?.status ?? 'gone';
  }

  async function act(id: string, action: object): Promise<void> {
    const answer = await gateway.call('POST', `${SERVERS}/${id}/action`, action);
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
  }

  async function consoleOf(id: string): Promise<string> {
    const action = { 'os-getConsoleOutput': {} };
    return (await gateway.call('POST', `${SERVERS}/${id}/action`, action)).body.output;
  }

  /**
   * Advances the cloud's clock in steps until `check` passes, because the reports of servers take real time.
   */
  async function passing<T>(check: () => Promise<T | undefined> | T | undefined, stepMs = 100): Promise<T> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      cloud.clock.advance(stepMs);
      const result = await check();
      if (result !== undefined) return result;
      assert.ok(Date.now() < deadline, 'it did not come about in time');
      await pause(2);
    }
  }

  const untilReports = (count: number, stepMs?: number) =>
    passing(() => (receiver.reports.length >= count ? true : undefined), stepMs);
  const untilStatus = (id: string, wanted: string) =>
    passing(async () => ((await status(id)) === wanted ? true : undefined));

  function set(guest: object) {
    return cloud.call('POST', '/_control/settings', { guest });
  }

  for (const form of ['bare', 'multipart', 'zipped'] as const) {
    it(`runs the build of ${form} user data, reports, and shuts down`, async () => {
      const id = await bootBuilder(form);

      await untilStatus(id, 'SHUTOFF');

      assert.deepEqual(
        receiver.reports.map(({ body }) => body.stage),
        ['packages', 'done'],
      );
      const [interim, final] = receiver.reports;
      assert.deepEqual(Object.keys(interim?.body ?? {}), ['token', 'stage', 'log_tail']);
      assert.equal(final?.body.token, 'one-time');
      assert.equal(final?.body.success, true);
      const { built_at, files, checksum, ...library } = (final?.body.manifest ?? {}) as Record<
        string,
        unknown
      >;
      assert.deepEqual(library, {
        library: 'numerics',
        version: '1.26',
        packages: ['numpy==1.26.0', 'six==1.0'],
      });
      assert.match(String(built_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.match(String(checksum), /^[0-9a-f]{64}$/);
      assert.ok(Number(files) > 0);
      assert.match(String(final?.body.log_tail), /Successfully installed numpy==1\.26/);
      assert.equal(final?.path, '/report');
      assert.equal(final?.headers['content-type'], 'application/json');
      assert.equal(final?.headers['x-auth-token'], undefined);
    });
  }

  it('boots for as long as configured', async () => {
    await set({ bootMs: 600_000 });
    await bootBuilder();
    cloud.clock.advance(60_000);
    await set({ bootMs: 10 });
    const quick = await bootBuilder();

    await untilStatus(quick, 'SHUTOFF');

    assert.equal(receiver.reports.length, 2, 'only the quick one has reported');
  });

  it('is not configured with invalid settings', async () => {
    assert.equal((await set({ outcome: 'explodes' })).status, 400);
    assert.equal((await set({ bootMs: -1 })).status, 400);
    assert.equal((await cloud.call('GET', '/_control/settings')).body.guest.outcome, 'succeeds');
  });

  it('reports the reason for a failed build, if configured to fail', async () => {
    await set({ outcome: 'fails' });
    const id = await bootBuilder();

    await untilStatus(id, 'SHUTOFF');

    const body: Report['body'] = receiver.reports[1]?.body ?? {};
    assert.equal(body.success, false);
    assert.equal(body.stage, 'packages');
    assert.match(String(body.error), /numpy/);
    assert.equal(body.manifest, undefined);
  });

  it('shuts down without a final report, if configured to do so', async () => {
    await set({ outcome: 'powers-off' });
    const id = await bootBuilder();

    await untilStatus(id, 'SHUTOFF');

    assert.deepEqual(
      receiver.reports.map(({ body }) => body.success),
      [undefined],
    );
  });

  it('keeps running without a report, if configured to do so', async () => {
    await set({ outcome: 'silent', bootMs: 0 });
    const silent = await bootBuilder();
    await untilStatus(silent, 'ACTIVE');
    await set({ outcome: 'succeeds' });
    const other = await bootBuilder();

    await untilStatus(other, 'SHUTOFF');

    assert.equal(await status(silent), 'ACTIVE');
    assert.equal(receiver.reports.length, 2, "the other one's");
  });

  it('repeats the final report until it is accepted, then shuts down', async () => {
    receiver.statuses.push(200, 503, 429, 502);
    const id = await bootBuilder();
    await untilReports(2);
    cloud.clock.advance(A_WHILE_MS);
    assert.equal(await status(id), 'ACTIVE');

    await untilReports(5, RETRY_MS);
    await untilStatus(id, 'SHUTOFF');

    const finals = receiver.reports.slice(1).map(({ body }) => body);
    assert.equal(finals.length, 4);
    for (const body of finals) assert.deepEqual(body, finals[0]);
  });

  it('sends progress reports once, whatever the response', async () => {
    receiver.statuses.push(503);
    const id = await bootBuilder();

    await untilStatus(id, 'SHUTOFF');

    assert.equal(receiver.reports.length, 2);
  });

  it('stops reporting after a 403', async () => {
    receiver.statuses.push(200, 403);
    const id = await bootBuilder();

    await untilStatus(id, 'SHUTOFF');
    cloud.clock.advance(RETRY_MS);

    assert.equal(receiver.reports.length, 2);
  });

  it('stops repeating a report that nobody accepts after the time limit', async () => {
    receiver.statuses.push(...Array.from({ length: 100 }, () => 503));
    const id = await bootBuilder();

    await passing(async () => ((await status(id)) === 'SHUTOFF' ? true : undefined), RETRY_MS);

    assert.ok(receiver.reports.length <= 10, 'not more than 120 s hold');
  });

  it('fails a build that exceeds its time limit', async () => {
    await set({ workMs: 200_000 });
    const id = await bootBuilder();

    await passing(async () => ((await status(id)) === 'SHUTOFF' ? true : undefined), 10_000);

    const final = receiver.reports.at(-1)?.body;
    assert.equal(final?.success, false);
    assert.match(String(final?.error), /120 seconds/);
  });

  it('sends no report once its server is deleted', async () => {
    await set({ workMs: 30_000 });
    const deleted = await bootBuilder();
    await untilReports(1);
    await gateway.call('DELETE', `${SERVERS}/${deleted}`);
    cloud.clock.advance(60_000);
    await set({ workMs: 0 });
    const other = await bootBuilder();

    await untilStatus(other, 'SHUTOFF');

    assert.equal(await status(deleted), 'gone');
    assert.equal(receiver.reports.length, 3);
  });

  it('starts again after a reboot, and pauses while its server is stopped', async () => {
    await set({ workMs: 30_000 });
    const id = await bootBuilder();
    await untilReports(1);
    await act(id, { reboot: { type: 'HARD' } });
    await untilReports(2);
    await act(id, { 'os-stop': null });
    cloud.clock.advance(60_000);
    assert.equal(await status(id), 'SHUTOFF');
    await act(id, { 'os-start': null });
    await untilReports(3);

    assert.deepEqual(
      receiver.reports.map(({ body }) => body.stage),
      ['packages', 'packages', 'packages'],
    );
    cloud.clock.advance(30_000);
    await untilStatus(id, 'SHUTOFF');
    assert.equal(receiver.reports.at(-1)?.body.success, true);
  });

  it('does not build again when its server starts after a finished build', async () => {
    const id = await bootBuilder();
    await untilStatus(id, 'SHUTOFF');

    await act(id, { 'os-start': null });
    await untilStatus(id, 'ACTIVE');
    cloud.clock.advance(60_000);
    const other = await bootBuilder();
    await untilStatus(other, 'SHUTOFF');

    assert.equal(await status(id), 'ACTIVE');
    assert.equal(receiver.reports.length, 4);
  });

  it('sends no report to another host', async () => {
    const id = await boot(userData(builderFiles('http://192.0.2.1:9/report')));

    await passing(async () => ((await status(id)) === 'SHUTOFF' ? true : undefined), RETRY_MS);
    await act(id, { 'os-start': null });
    await untilStatus(id, 'ACTIVE');

    assert.match(await consoleOf(id), /no call to 192\.0\.2\.1:9/);
  });

  it('boots although it cannot parse its user data', async () => {
    const id = await boot(Buffer.from('#cloud-config\nwrite_files: [\n').toString('base64'));

    await untilStatus(id, 'ACTIVE');

    assert.match(await consoleOf(id), /builder login/);
  });

  describe('with a share', () => {
    let shareId: string;
    let exportPath: string;
    let port: { id: string; address: string };

    async function prepare(share_proto: 'NFS' | 'CEPHFS'): Promise<void> {
      const share_type = share_proto === 'NFS' ? 'default' : 'cephfs';
      const made = await gateway.call(
        'POST',
        `${SHARES}/shares`,
        { share: { share_proto, share_type, size: 1 } },
        LATEST_SHARE,
      );
      shareId = made.body.share.id;
      cloud.clock.advance(1_000);
      const path = `${SHARES}/shares/${shareId}/export_locations`;
      exportPath = (await gateway.call('GET', path, undefined, LATEST_SHARE)).body.export_locations[0].path;
      const answer = await gateway.call('POST', '/network/v2.0/ports', { port: { network_id: networkId } });
      port = { id: answer.body.port.id, address: answer.body.port.fixed_ips[0].ip_address };
    }

    /** The key of a cephx rule. */
    async function letIn(access_type: string, access_to: string, access_level: string): Promise<string> {
      const rule = { allow_access: { access_type, access_to, access_level } };
      const action = `${SHARES}/shares/${shareId}/action`;
      const { body } = await gateway.call('POST', action, rule, LATEST_SHARE);
      cloud.clock.advance(1_000);
      const path = `${SHARES}/share-access-rules/${body.access.id}`;
      return (await gateway.call('GET', path, undefined, LATEST_SHARE)).body.access.access_key ?? '';
    }

    /** The result of a build that mounts its share with these options. */
    async function endOf(type: 'nfs' | 'ceph', options: string[], key = ''): Promise<unknown> {
      const files = [
        mountUnit(exportPath, type, ['rw', ...options]),
        { path: '/etc/key', content: `${key}\n` },
      ];
      const id = await boot(userData(builderFiles(receiver.url, files)), [{ port: port.id }]);
      await passing(async () => ((await status(id)) === 'SHUTOFF' ? true : undefined), A_WHILE_MS);
      const { success, stage } = receiver.reports.at(-1)?.body ?? {};
      return success === true ? 'built' : stage;
    }

    it('builds if an access rule allows its address to write', async () => {
      await prepare('NFS');
      await letIn('ip', port.address, 'rw');

      assert.equal(await endOf('nfs', []), 'built');
    });

    it('fails if an access rule only allows its address to read', async () => {
      await prepare('NFS');
      await letIn('ip', port.address, 'ro');

      assert.equal(await endOf('nfs', []), 'share');
    });

    it('fails if an access rule allows only another address', async () => {
      await prepare('NFS');
      await letIn('ip', '10.20.0.250', 'rw');

      assert.equal(await endOf('nfs', []), 'share');
    });

    it('builds with the name and the key of an access rule', async () => {
      await prepare('CEPHFS');
      const key = await letIn('cephx', 'builder', 'rw');

      assert.equal(await endOf('ceph', ['name=builder', 'secretfile=/etc/key'], key), 'built');
    });

    it('fails with a wrong key', async () => {
      await prepare('CEPHFS');
      await letIn('cephx', 'builder', 'rw');

      assert.equal(await endOf('ceph', ['name=builder', 'secretfile=/etc/key'], 'wrong'), 'share');
    });

    it('reports /workspace on its console once shares and disk are attached', async () => {
      await prepare('NFS');
      const disk = await gateway.call('POST', `/volume/v3/${gateway.projectId}/volumes`, {
        volume: { size: 1 },
      });
      const volumeId: string = disk.body.volume.id;
      const share = { protocol: 'NFS' as const, exportLocation: exportPath, accessTo: null, accessKey: null };
      const data = firstBootData({
        hostname: 'layered',
        passwordHash: null,
        gpu: null,
        overlay: {
          upperVolumeId: volumeId,
          upperDevice: '/dev/vdb',
          strategy: 'prebuilt',
          layers: [{ libraryIds: ['numerics'], packages: [], share, readOnly: true }],
        },
      });
      const id = await boot(encodeUserData(data, 'instance'), [{ port: port.id }]);
      await untilStatus(id, 'ACTIVE');
      const isReady = async () => (await consoleOf(id)).includes('ready, /workspace is mounted');
      await letIn('ip', port.address, 'ro');
      cloud.clock.advance(A_WHILE_MS);
      assert.equal(await isReady(), false, 'without the disk');

      await gateway.call('POST', `${SERVERS}/${id}/os-volume_attachments`, {
        volumeAttachment: { volumeId },
      });

      assert.ok(await passing(async () => ((await isReady()) ? true : undefined)));
    });
  });
});
