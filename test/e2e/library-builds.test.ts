import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient, messagesOf, stepsOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { testLibraries } from '../support/projects/prepared-cloud.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { serviceLogin, testLogin } from '../support/stacks/test-stack.ts';
import { type Build, buildOf, endedBuild, startBuild } from '../support/subjects/builds.ts';

interface ShareRecord {
  status: string;
  metadata: Record<string, string>;
}

describe('a build that sends no report', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;

  before(async () => {
    const config = { libraries: testLibraries, time_limits: { build_seconds: 2 } };
    simulated = await SimulatedStack.start({ config });
    await simulated.control.set({ guest: { outcome: 'silent' } });
  });

  after(() => simulated?.stop());

  it('fails at its timeout, and leaves nothing behind', async () => {
    const admin = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
    const { body } = await startBuild(admin, 'python311');

    const messages = await messagesOf(await admin.followJob(body.job_id));

    assert.equal(messages.at(-1)?.code, 'build_timeout');
    const { status, file_storage_id } = await buildOf(admin, body.job_id);
    assert.deepEqual([status, file_storage_id], ['timeout', null]);
    assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
  });
});

describe('builds of libraries', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let admin: GatewayClient;
  let cloud: CloudClient;

  before(async () => {
    const independent = { id: 'plots', name: 'Plots', version: '1', packages: [], depends_on: [] };
    simulated = await SimulatedStack.start({
      config: {
        libraries: [...testLibraries, independent],
        // Only a drop makes a change visible.
        cache: { file_storages_seconds: 600, instances_seconds: 600, volumes_seconds: 600 },
      },
    });
    admin = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
    cloud = await CloudClient.logIn(simulated.stack.identityUrl ?? '', serviceLogin);
  });

  afterEach(async () => {
    await simulated.control.set({ guest: { outcome: 'succeeds', workMs: 1_000 } });
    for (const { id } of await shares())
      await cloud.call('sharev2', 'DELETE', `/shares/${id}`, undefined, [404]);
    await simulated.restore();
  });

  after(() => simulated?.stop());

  async function shares(): Promise<{ id: string }[]> {
    return (await cloud.call<{ shares: { id: string }[] }>('sharev2', 'GET', '/shares')).shares;
  }

  function build(libraryId = 'python311') {
    return startBuild(admin, libraryId);
  }

  function ended(jobId: string): Promise<Build> {
    return endedBuild(admin, jobId);
  }

  it('are refused before anything is created if a quota is used up', async () => {
    const setShares = async (limit: number) => {
      const root = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('admin'));
      await root.call('sharev2', 'PUT', `/quota-sets/${cloud.projectId}`, { quota_set: { shares: limit } });
    };
    await setShares(0);

    const answer = await admin.request<{ code: string; detail: string }>(
      'POST',
      '/api/admin/file-storage/build?library_id=python311',
    );

    await setShares(200);
    assert.deepEqual([answer.status, answer.body.code], [409, 'quota_exceeded']);
    assert.equal(
      answer.body.detail,
      "The quota of the gateway's own project is exceeded (shares: 1 requested, 0 of 0 in use).",
    );
    assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
  });

  it('create a share that instances then use, and leave no builder behind', async () => {
    // Long enough for a progress report to be read before the final one.
    await simulated.control.set({ guest: { workMs: 20_000 } });
    const answer = await build();

    assert.equal(answer.status, 202, answer.text);
    const { file_storage_id: shareId, job_id: jobId } = answer.body;
    assert.ok(shareId);
    assert.deepEqual([answer.body.status, answer.body.library], ['building', 'Python 3.11']);
    const messages = await messagesOf(await admin.followJob(jobId));
    assert.deepEqual(stepsOf(messages), [
      'SHARE_CREATING',
      'BUILDER_PREPARING',
      'BUILDER_CREATING',
      'LIBRARY_INSTALLING',
      'ACCESS_WITHDRAWING',
      'SHARE_PUBLISHING',
      'BUILDER_DELETING',
      'COMPLETED',
    ]);
    const texts = messages.map(({ message }) => message);
    assert.ok(texts.includes('The builder installs the packages.'), texts.join(' '));
    const progress = messages.map((message) => message.progress);
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
      'progress never falls',
    );
    const built = await ended(jobId);
    assert.deepEqual(
      [built.status, built.library_id, built.version, built.file_storage_id, built.server_id, built.progress],
      ['ready', 'python311', '3.11', shareId, null, 100],
    );
    assert.match(built.log_tail ?? '', /\S/);
    const { share } = await cloud.call<{ share: ShareRecord }>('sharev2', 'GET', `/shares/${shareId}`);
    const { overlay_built_at, overlay_checksum, gateway_job_id, ...metadata } = share.metadata;
    assert.deepEqual(metadata, {
      overlay_type: 'prebuilt',
      overlay_library: 'python311',
      overlay_version: '3.11',
      overlay_status: 'ready',
    });
    assert.match(overlay_built_at ?? '', /^\d{4}-.*Z$/);
    assert.match(overlay_checksum ?? '', /^[0-9a-f]{64}$/);
    assert.equal(gateway_job_id, jobId);
    const left = await simulated.control.inventory();
    for (const kind of ['servers', 'volumes', 'ports', 'access_rules']) {
      assert.deepEqual(left.get(kind), simulated.baseline.get(kind), kind);
    }
    const again = await build();
    assert.equal(again.status, 409, again.text);

    const { gateway, request } = simulated;
    const instance = await gateway.messagesOfCreation({ ...request, libraries: ['python311'] });
    const id = instance.at(-1)?.instance_id ?? '';
    const detail = await gateway.read<{ overlay_strategy: string; overlay_share_ids: string[] }>(
      `/api/instances/${id}`,
    );
    assert.deepEqual([detail.overlay_strategy, detail.overlay_share_ids], ['prebuilt', [shareId]]);
  });

  it("are in the next lists of the share's project", async () => {
    const service = await GatewayClient.logIn(simulated.stack.url, serviceLogin);
    const lists = ['/api/file-storage', '/api/instances', '/api/volumes'];
    const countRows = () =>
      Promise.all(lists.map(async (list) => (await service.read<unknown[]>(list)).length));
    assert.deepEqual(await countRows(), [0, 0, 0]);

    await ended((await build()).body.job_id);

    const [share, ...others] =
      await service.read<{ metadata: Record<string, string> }[]>('/api/file-storage');
    assert.deepEqual([share?.metadata.overlay_status, others], ['ready', []]);
    assert.deepEqual(await countRows(), [1, 0, 0]);
  });

  it('run one at a time for each library', async () => {
    await simulated.control.set({ guest: { outcome: 'silent' } });
    const [first, second, other] = [await build(), await build(), await build('plots')];

    assert.deepEqual([first.status, second.status, other.status], [202, 409, 202]);
    assert.equal((second.body as unknown as { job_id: string }).job_id, first.body.job_id);
    for (const { body } of [first, other]) await admin.request('POST', `/api/jobs/${body.job_id}/cancel`);
    assert.equal((await ended(first.body.job_id)).status, 'error');
    assert.equal((await ended(other.body.job_id)).status, 'error');
    const after = await build();
    assert.equal(after.status, 202, after.text);
    await admin.request('POST', `/api/jobs/${after.body.job_id}/cancel`);
    await ended(after.body.job_id);
  });

  it('leave nothing behind if the builder fails, and can be repeated', async () => {
    await simulated.control.set({ guest: { outcome: 'fails' } });
    const failing = await build();

    const failed = await ended(failing.body.job_id);
    assert.deepEqual([failed.status, failed.file_storage_id, failed.server_id], ['error', null, null]);
    assert.match(failed.log_tail ?? '', /\S/);
    const job = await admin.read<{ error: string; leftovers: unknown[] }>(`/api/jobs/${failing.body.job_id}`);
    assert.match(job.error, /^The library could not be built: the builder failed at stage \w+: /);
    assert.deepEqual(job.leftovers, []);
    assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
    await simulated.control.set({ guest: { outcome: 'succeeds' } });
    const again = await build();
    assert.equal(again.status, 202, again.text);
    assert.equal((await ended(again.body.job_id)).status, 'ready');
  });

  it('cannot be cancelled while their share is being published', async () => {
    const hold = await simulated.control.hold('before', { operation: 'shares.set_metadata' });
    const { job_id: jobId } = (await build()).body;
    assert.equal(await hold.waitUntilReached(30_000), 'held');

    const refused = await admin.request('POST', `/api/jobs/${jobId}/cancel`);

    await hold.release();
    assert.equal(refused.status, 409, refused.text);
    assert.equal((await ended(jobId)).status, 'ready');
  });

  it('complete although every process of the gateway dies while the builder works', async () => {
    await simulated.control.set({ guest: { workMs: 20_000 } });
    const { job_id: jobId } = (await build()).body;
    await eventually(async () => {
      const { server_id, log_tail } = await buildOf(admin, jobId);
      return server_id !== null && log_tail !== null;
    });

    const { apis, workers } = simulated.stack;
    const processes = [...apis, ...workers];
    await Promise.all(processes.map((process) => process.kill('SIGKILL')));
    await Promise.all(processes.map((process) => process.restart()));

    assert.equal((await ended(jobId)).status, 'ready');
    const { servers, volumes, access_rules, shares } = Object.fromEntries(
      await simulated.control.inventory(),
    );
    const { baseline } = simulated;
    assert.deepEqual(
      [servers, volumes, access_rules],
      [baseline.get('servers'), baseline.get('volumes'), baseline.get('access_rules')],
    );
    assert.equal(shares?.size, (baseline.get('shares')?.size ?? 0) + 1);
  });

  it('fail if the builder shuts down without a report', async () => {
    await simulated.control.set({ guest: { outcome: 'powers-off' } });
    const failing = await build();

    assert.equal((await ended(failing.body.job_id)).status, 'error');
    assert.deepEqual(await simulated.control.inventory(), simulated.baseline);
  });
});
