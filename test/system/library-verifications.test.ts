import assert from 'node:assert/strict';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import type { CloudsimControl, Inventory } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf, stepsOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { testLibraries } from '../support/projects/prepared-cloud.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { type Build, buildOf, endedBuild, startBuild } from '../support/subjects/builds.ts';

interface Started {
  job_id: string;
  file_storage_id: string;
  status: string;
}

interface Job {
  status: string;
  error: string | null;
  leftovers: unknown[];
}

/** The two libraries, of which one depends on the other, and verifications of the second. */
class BuiltLibraries {
  readonly control: CloudsimControl;
  readonly admin: GatewayClient;
  readonly build: Build;
  /** Without a verifier. */
  readonly baseline: Inventory;

  private constructor(control: CloudsimControl, admin: GatewayClient, build: Build, baseline: Inventory) {
    this.control = control;
    this.admin = admin;
    this.build = build;
    this.baseline = baseline;
  }

  static async in({ control, stack }: SimulatedStack): Promise<BuiltLibraries> {
    await control.set({ guest: { outcome: 'succeeds', workMs: 500, packageVersions: { numpy: '2.2' } } });
    const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    const [, top] = await Array.fromAsync(testLibraries, async ({ id }) => {
      const build = await endedBuild(admin, (await startBuild(admin, id)).body.job_id);
      assert.equal(build.status, 'ready', build.message);
      return build;
    });
    if (top === undefined) throw new Error('There is no second library.');
    return new BuiltLibraries(control, admin, top, await control.inventory());
  }

  verify() {
    const path = `/api/admin/file-storage/${this.build.file_storage_id}/verify`;
    return this.admin.request<Started>('POST', path);
  }

  /** The verification on the build, once the job has ended. */
  async ended(jobId: string) {
    return eventually(async () => {
      const { verification } = await buildOf(this.admin, this.build.job_id);
      const isEnded = verification?.job_id === jobId && verification.status !== 'running';
      return isEnded ? verification : undefined;
    });
  }

  job(jobId: string): Promise<Job> {
    return this.admin.read<Job>(`/api/jobs/${jobId}`);
  }

  async assertNothingLeft(): Promise<void> {
    assert.deepEqual(await this.control.inventory(), this.baseline);
  }
}

for (const share_proto of ['NATIVEFS', 'NFS']) {
  describe(`verifications of libraries on ${share_proto}`, function () {
    this.timeout(180_000);
    let simulated: SimulatedStack;
    let built: BuiltLibraries;

    before(async () => {
      simulated = await SimulatedStack.start({
        config: { libraries: testLibraries, file_storage: { share_proto } },
      });
      built = await BuiltLibraries.in(simulated);
    });

    afterEach(() =>
      built.control.set({
        guest: { outcome: 'succeeds', workMs: 500, brokenPackages: [], packageVersions: { numpy: '2.2' } },
      }),
    );

    after(() => simulated?.stop());

    it('mount the share read-only with its dependencies, and pass', async () => {
      await built.control.set({ guest: { workMs: 20_000 } });
      const { status, body, text } = await built.verify();
      assert.equal(status, 202, text);

      const serverId = await eventually(async () => {
        const { verification } = await buildOf(built.admin, built.build.job_id);
        assert.equal(verification?.status, 'running');
        return serverOf(built);
      });
      const { files } = readFirstBootData((await built.control.userData(serverId)).toString('base64'));
      const units = [...files].filter(([path]) => /layers-\d\.mount$/.test(path)).map(([, unit]) => unit);
      assert.equal(units.length, 2);
      for (const unit of units) assert.match(unit, /^Options=ro,/m);
      const rules = (await built.control.inventory()).get('access_rules')?.size ?? 0;
      assert.equal(rules - (built.baseline.get('access_rules')?.size ?? 0), 2);

      const messages = await messagesOf(await built.admin.followJob(body.job_id));
      assert.deepEqual(stepsOf(messages), [
        'VERIFIER_PREPARING',
        'VERIFIER_CREATING',
        'PACKAGES_IMPORTING',
        'VERIFIER_DELETING',
        'COMPLETED',
      ]);
      const { status: result, packages, checked_at, message } = await built.ended(body.job_id);
      assert.deepEqual(
        [result, packages],
        ['passed', [{ name: 'numpy', version: '2.2', imported: true, error: null }]],
        message,
      );
      assert.match(checked_at ?? '', /^\d{4}-.*Z$/);
      const job = await built.job(body.job_id);
      assert.deepEqual([job.status, job.leftovers], ['completed', []]);
      await built.assertNothingLeft();
    });

    it('complete with a failed result if a package cannot be imported', async () => {
      await built.control.set({ guest: { brokenPackages: ['numpy'] } });
      const { body } = await built.verify();

      const { status, packages, message } = await built.ended(body.job_id);

      assert.equal(status, 'failed');
      assert.match(message, /^Packages that do not work: numpy \(ImportError: libnumpy/);
      assert.equal(packages[0]?.imported, false);
      assert.match(packages[0]?.error ?? '', /^ImportError: /);
      assert.equal((await built.job(body.job_id)).status, 'completed');
      await built.assertNothingLeft();
    });

    it('fail a package whose version differs from the record', async () => {
      await built.control.set({ guest: { packageVersions: { numpy: '2.3' } } });
      const { body } = await built.verify();

      const { status, packages } = await built.ended(body.job_id);

      assert.equal(status, 'failed');
      assert.deepEqual(packages, [
        {
          name: 'numpy',
          version: '2.3',
          imported: true,
          error: 'the version is 2.3, and the record of the file storage says 2.2',
        },
      ]);
    });

    it('complete with a failed result if the share cannot be mounted', async () => {
      await built.control.set({ guest: { outcome: 'fails' } });
      const { body } = await built.verify();

      const { status, message } = await built.ended(body.job_id);

      assert.deepEqual(
        [status, message],
        ['failed', 'The file storage cannot be mounted: mount.nfs: access denied by server.'],
      );
      await built.assertNothingLeft();
    });

    it('run one at a time, keep the share, and can be cancelled', async () => {
      const before = (await buildOf(built.admin, built.build.job_id)).verification;
      await built.control.set({ guest: { outcome: 'silent' } });
      const { body } = await built.verify();
      await eventually(() => serverOf(built));

      const [second, deletion] = [
        await built.verify(),
        await built.admin.request('DELETE', `/api/file-storage/${built.build.file_storage_id}`),
      ];
      const cancelled = await built.admin.request('POST', `/api/jobs/${body.job_id}/cancel`);

      assert.deepEqual([second.status, second.body.job_id], [409, body.job_id]);
      assert.equal(deletion.status, 409, deletion.text);
      assert.ok(cancelled.status < 300, cancelled.text);
      await eventually(async () => (await built.job(body.job_id)).status === 'cancelled');
      assert.deepEqual((await buildOf(built.admin, built.build.job_id)).verification, before);
      await built.assertNothingLeft();
    });

    it('fail if the verifier shuts down without a report', async () => {
      await built.control.set({ guest: { outcome: 'powers-off' } });
      const { body } = await built.verify();

      const { status, message } = await built.ended(body.job_id);

      assert.deepEqual(
        [status, message],
        ['error', 'The library could not be verified: the verifier powered off without a report.'],
      );
      assert.equal((await built.job(body.job_id)).status, 'failed');
      await built.assertNothingLeft();
    });

    it('pass although every process of the gateway dies while they run', async () => {
      await built.control.set({ guest: { workMs: 20_000 } });
      const { body } = await built.verify();
      await eventually(() => serverOf(built));

      const { apis, workers } = simulated.stack;
      const processes = [...apis, ...workers];
      await Promise.all(processes.map((process) => process.kill('SIGKILL')));
      await Promise.all(processes.map((process) => process.restart()));

      assert.equal((await built.ended(body.job_id)).status, 'passed');
      await built.assertNothingLeft();
    });
  });
}

describe('a verification that sends no report', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: { libraries: testLibraries, time_limits: { build_seconds: 10 } },
    });
  });

  after(() => simulated?.stop());

  it('fails at its timeout, and leaves nothing behind', async () => {
    const built = await BuiltLibraries.in(simulated);
    await built.control.set({ guest: { outcome: 'silent' } });
    const { body } = await built.verify();

    const messages = await messagesOf(await built.admin.followJob(body.job_id));

    assert.equal(messages.at(-1)?.code, 'verification_timeout');
    assert.equal((await built.ended(body.job_id)).status, 'error');
    await built.assertNothingLeft();
  });
});

/** The id of the verifier's server; undefined before the simulated cloud has it. */
async function serverOf({ control, baseline }: BuiltLibraries): Promise<string | undefined> {
  const servers = (await control.inventory()).get('servers') ?? new Map();
  return [...servers.keys()].find((id) => baseline.get('servers')?.has(id) !== true);
}
