import assert from 'node:assert/strict';
import { buildProgress, readQueued, readResumeCount } from '@gateway/jobs';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { claimJob, queuedJob } from '../../support/api/jobs.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';
import type { Build } from '../../support/subjects/builds.ts';

const settings = {
  ...withServiceUser,
  public_endpoint: { url: 'https://gateway.example.org/' },
  builds: { image: 'debian-12', flavor: 'm1.small' },
  time_limits: { build_accept_seconds: 1 },
};
const path = '/api/admin/file-storage/build?library_id=python311';
const administrator = { roles: ['admin'] };

/** A progress message of the build job. */
function message(step: keyof typeof buildProgress, facts: object = {}) {
  const about = { library_id: 'python311', version: '3.11', file_storage_id: null, server_id: null };
  return {
    step,
    progress: buildProgress[step],
    message: 'Going on.',
    ...about,
    log_tail: null,
    error: null,
    ...facts,
  };
}

/** A prebuilt share as the service lists it. */
function builtShare(libraryId: string, metadata: Record<string, string> = {}): object {
  const [share] = fixtureBody<object[]>('shared-file-system/shares', 'shares');
  return {
    ...share,
    status: 'available',
    share_proto: 'CEPHFS',
    metadata: {
      overlay_type: 'prebuilt',
      overlay_library: libraryId,
      overlay_version: '3.11',
      overlay_status: 'ready',
      ...metadata,
    },
  };
}

describe('POST /api/admin/file-storage/build', () => {
  const suite = apiSuite();

  /** One list of an administrator's shares. */
  function listed(shares: object[]): void {
    const path = '/v2/shares/detail?is_public=true&with_count=true&limit=1000&offset=0';
    suite.cloud.reply('shared-file-system/shares', { path, body: { shares, count: shares.length } });
  }

  /** The service user signs in, and lists these shares. */
  function sharesAre(shares: object[]): void {
    suite.cloud.acceptsLogIn(newCaller({ userId: 'gateway-id', userName: 'gateway', ...administrator }));
    listed(shares);
  }

  it('is 202 when the share has an id, and the job continues', async () => {
    const api = await suite.start({ settings: { ...settings, time_limits: {} } });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    sharesAre([]);
    const answered = api.post(path, { as: caller });
    const jobId = await queuedJob(api, 'provisioning');
    const queued = await readQueued(api.context.redis.store, jobId);
    assert.deepEqual(queued?.payload, { libraryId: 'python311', version: '3.11' });
    const log = await claimJob(api, jobId);
    await log.publish(message('SHARE_CREATING'));

    await log.publish(message('SHARE_CREATING', { file_storage_id: 'share-1' }), { resourceId: 'share-1' });

    const answer = await answered;
    assert.equal(answer.status, 202, answer.text);
    assert.deepEqual(answer.body, {
      file_storage_id: 'share-1',
      status: 'building',
      library: 'Python 3.11',
      library_id: 'python311',
      version: '3.11',
      job_id: jobId,
    });
    const audit = await eventually(async () => api.log.withMessage('Audit').at(0));
    assert.deepEqual([audit.status, audit.job_id, audit.resource_id], [202, jobId, 'share-1']);
  });

  it('is 202 without the share if no worker starts the job', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    sharesAre([]);

    const answer = await api.post<{ file_storage_id: null }>(path, { as: caller });

    assert.deepEqual([answer.status, answer.body.file_storage_id], [202, null]);
  });

  it('returns the failure of a job without a share', async () => {
    const api = await suite.start({ settings: { ...settings, time_limits: {} } });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    sharesAre([]);
    const answered = api.post<ErrorBody>(path, { as: caller });
    const jobId = await queuedJob(api, 'provisioning');
    const upstream = { service: 'image', status: 404, request_id: null };
    const refusal = { status: 503, code: 'builds_not_configured', detail: 'There is no image "debian-12".' };
    const failure = { ...refusal, upstream };
    const log = await claimJob(api, jobId);
    await log.end(message('FAILED', { error: failure.detail }), { status: 'failed', failure });

    const answer = await answered;
    assert.deepEqual([answer.status, answer.body.code, answer.body.job_id], [503, failure.code, jobId]);
    assert.deepEqual(answer.body.upstream, upstream);
  });

  it('is 409 with the job id while the library is being built', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    sharesAre([]);
    const first = await api.post<{ job_id: string }>(path, { as: caller });
    listed([]);

    const second = await api.post<ErrorBody>(path, { as: caller });

    assert.deepEqual(
      [second.status, second.body.code, second.body.job_id],
      [409, 'conflict', first.body.job_id],
    );
    const log = await claimJob(api, first.body.job_id);
    await log.end(message('FAILED'), { status: 'failed' });
    listed([]);
    assert.equal((await api.post(path, { as: caller })).status, 202, 'it can be built again');
  });

  it("is 409 only if a prebuilt share has the catalogue's version", async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    const built = (version: string) => builtShare('python311', { overlay_version: version });
    sharesAre([built('3.11')]);
    const refused = await api.post<ErrorBody>(path, { as: caller });
    assert.deepEqual(
      [refused.status, refused.body.detail],
      [409, 'A prebuilt share of version 3.11 of Python 3.11 already exists.'],
    );
    listed([built('3.10')]);
    assert.equal((await api.post(path, { as: caller })).status, 202);
  });

  it('is 409 with the name of a dependency without a prebuilt share', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    const dependent = '/api/admin/file-storage/build?library_id=numpy-stack';
    sharesAre([]);

    const refused = await api.post<ErrorBody>(dependent, { as: caller });

    assert.deepEqual([refused.status, refused.body.code], [409, 'dependency_not_prebuilt']);
    assert.match(refused.body.detail, /Please build them first: python311\.$/);
    listed([builtShare('python311')]);
    assert.equal((await api.post(dependent, { as: caller })).status, 202);
  });

  it('returns the same job for the same Idempotency-Key', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    sharesAre([]);
    const headers = { 'idempotency-key': 'build-1' };
    const first = await api.post<{ job_id: string }>(path, { as: caller, headers });
    const second = await api.post<{ job_id: string }>(path, { as: caller, headers });
    assert.deepEqual([second.status, second.body.job_id], [202, first.body.job_id]);
  });

  it('is 404 for an unknown library, and 400 without a library', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    assert.equal((await api.post(`${path}-x`, { as: caller })).status, 404);
    const answer = await api.post<ErrorBody>('/api/admin/file-storage/build', { as: caller });
    assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, 'query.library_id']);
  });

  it('is for administrators only', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['member'] }));
    assert.equal((await api.post(path, { as: caller })).status, 403);
    assert.equal((await api.get('/api/admin/file-storage/builds', { as: caller })).status, 403);
  });

  it('is 404 if shares are disabled', async () => {
    const api = await suite.start({ settings: { ...settings, services: { shared_fs: false } } });
    assert.equal((await api.post(path)).status, 404);
  });

  it('is 503 and names what is missing if builds are not configured', async () => {
    const nowhere = await suite.start({
      settings: { ...settings, public_endpoint: {}, builds: { image: 'debian-12' } },
    });
    const userless = await suite.start({
      settings: { public_endpoint: settings.public_endpoint, builds: settings.builds },
    });
    const caller = newCaller(administrator);
    suite.cloud.validCaller(caller);
    suite.cloud.validCaller(caller);
    const [first, second] = [
      await nowhere.post<ErrorBody>(path, { as: caller }),
      await userless.post<ErrorBody>(path, { as: caller }),
    ];
    assert.deepEqual([first.status, first.body.code], [503, 'builds_not_configured']);
    assert.match(first.body.detail, /builds\.flavor, public_endpoint\.url\.$/);
    assert.deepEqual([second.status, second.body.code], [503, 'service_user_missing']);
  });
});

describe('GET /api/admin/file-storage/builds', () => {
  const suite = apiSuite();

  it('lists the builds of all administrators, newest first, with their progress', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    const other = newCaller({ ...administrator, projectId: 'another-project' });
    const queue = async (
      libraryId: string,
      credential: { projectId: string; userId: string; expiresAt: string },
    ) => {
      const before = Date.now();
      // Two builds of the same millisecond would have no order.
      await eventually(async () => Date.now() > before);
      return api.context.producer.enqueue({
        type: 'library.build',
        payload: { libraryId, version: '1' },
        credential: credential as never,
        requestId: 'req-1',
      });
    };
    const [waiting, going, failed] = [
      await queue('removed-since', other),
      await queue('numpy-stack', caller),
      await queue('pytorch', caller),
    ];
    const facts = { file_storage_id: 'share-1', server_id: 'server-1', log_tail: 'Collecting numpy' };
    await (await claimJob(api, going)).publish(message('LIBRARY_INSTALLING', facts));
    await (await claimJob(api, failed)).end(
      message('FAILED', { library_id: 'pytorch', log_tail: 'No space left' }),
      { status: 'failed', failure: { status: 502, code: 'build_timeout', detail: 'Not in time.' } },
    );

    const { body } = await api.get<Build[]>('/api/admin/file-storage/builds', { as: caller });

    const byJob = new Map(body.map((build) => [build.job_id, build]));
    assert.deepEqual(
      body.map(({ job_id }) => job_id),
      [failed, going, waiting],
    );
    const { library_id, library, version, status } = byJob.get(waiting) as Build;
    assert.deepEqual(
      { library_id, library, version, status },
      { library_id: 'removed-since', library: 'removed-since', version: '1', status: 'building' },
    );
    const { file_storage_id, server_id, log_tail, progress } = byJob.get(going) as Build;
    assert.deepEqual({ file_storage_id, server_id, log_tail, progress }, { ...facts, progress: 30 });
    assert.deepEqual(
      [byJob.get(failed)?.status, byJob.get(failed)?.log_tail, byJob.get(failed)?.library],
      ['timeout', 'No space left', 'PyTorch'],
    );
  });
});

describe('POST /api/file-storage/builds/callback', () => {
  const suite = apiSuite();
  const callback = '/api/file-storage/builds/callback';
  const manifest = {
    library: 'numpy-stack',
    version: '2.2',
    built_at: '2026-11-21T09:00:00Z',
    files: 12,
    checksum: 'a'.repeat(64),
    packages: ['numpy==2.2.1', 'Typing_Extensions==4.12.2'],
  };

  /** A running build, with the token of its builder. */
  async function running(api: TestApi): Promise<{ jobId: string; token: string }> {
    const jobId = await api.context.producer.enqueue({
      type: 'library.build',
      payload: { libraryId: 'numpy-stack', version: '2.2' },
      credential: newCaller(administrator) as never,
      requestId: 'req-1',
    });
    await claimJob(api, jobId);
    return { jobId, token: await api.context.callbacks.issueToken(jobId, 60) };
  }

  it('accepts reports with a valid token, and resumes the job for each', async () => {
    const api = await suite.start({ settings });
    const { jobId, token } = await running(api);
    const report = { token, stage: 'packages', log_tail: 'Collecting numpy\n' };
    const end = { token, stage: 'done', success: true, manifest };

    const answers = [
      await api.post(callback, { body: report }),
      await api.post(callback, { body: end }),
      await api.post(callback, { body: end }),
    ];

    assert.deepEqual(
      answers.map(({ status, body }) => [status, body]),
      Array.from({ length: 3 }, () => [200, { status: 'ok' }]),
    );
    assert.equal(await readResumeCount(api.context.redis.store, jobId), 3);
    const { token: _token, ...body } = end;
    assert.deepEqual((await api.context.callbacks.read(jobId))?.body, body);
  });

  it('is 403 for an unknown token, and a different second report', async () => {
    const api = await suite.start({ settings });
    const { token } = await running(api);
    const post = (body: object) => api.post<ErrorBody>(callback, { body });
    await post({ token, stage: 'packages', success: false, error: 'No such package.' });

    const refused = [
      await post({ token, stage: 'done', success: true, manifest }),
      await post({ token, stage: 'packages' }),
      await post({ token: 'unknown', stage: 'packages' }),
      // Would lead to a key that is not a job record.
      await post({ token: 'callback.x', stage: 'packages' }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403, 403],
    );
  });

  it('is 400 for an invalid report, which keeps the token valid', async () => {
    const api = await suite.start({ settings });
    const { token } = await running(api);
    const post = async (body?: object | null) =>
      (await api.post<ErrorBody>(callback, { body })).body.errors?.[0]?.field;

    assert.equal(await post(), 'body');
    assert.equal(await post(null), 'body');
    assert.equal(await post({ stage: 'done' }), 'body.token');
    assert.equal(await post({ token, stage: 'done', success: true }), 'body.manifest');
    assert.equal(await post({ token, stage: 'done', success: 'yes' }), 'body.success');
    assert.equal(await post({ token, stage: '<script>' }), 'body.stage');
    assert.equal(
      (await api.post(callback, { body: { token, stage: 'done', success: true, manifest } })).status,
      200,
    );
  });

  it('is 400 for packages that cannot be recorded, which may be absent', async () => {
    const api = await suite.start({ settings });
    const { token } = await running(api);
    const post = (packages: unknown) =>
      api.post<ErrorBody>(callback, {
        body: { token, stage: 'done', success: true, manifest: { ...manifest, packages } },
      });
    const fieldOf = async (packages: unknown) => (await post(packages)).body.errors?.[0]?.field;

    for (const item of ['numpy', 'numpy==2,1', 'numpy==1\n-r x', '-e==1', `${'n'.repeat(300)}==1`, 5]) {
      assert.equal(await fieldOf([item]), 'body.manifest.packages.0', String(item));
    }
    const tooMany = Array.from({ length: 1001 }, (_, index) => `p${index}==1`);
    assert.equal(await fieldOf(tooMany), 'body.manifest.packages');
    assert.equal((await post(undefined)).status, 200);
  });

  it("is 403 with a cluster's token, and clusters reject a build's token", async () => {
    const api = await suite.start({
      settings: { ...settings, services: { lite: true }, rate_limits: { callback: 0 } },
    });
    const { jobId, token } = await running(api);
    const cluster = { success: false, error: 'No space left' };
    const ofCluster = await api.context.producer.enqueue({
      type: 'lite.create',
      payload: { clusterId: 'c', name: 'web' } as never,
      credential: newCaller() as never,
      requestId: 'req-1',
    });
    await claimJob(api, ofCluster);
    const clusterToken = await api.context.callbacks.issueToken(ofCluster, 60);

    const refused = [
      await api.post(callback, { body: { token: clusterToken, stage: 'packages', success: false } }),
      await api.post('/api/lite/callback', { body: { token, ...cluster } }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403],
    );
    for (const id of [jobId, ofCluster]) assert.equal(await api.context.callbacks.read(id), null);
    assert.equal((await api.post(callback, { body: { token, stage: 'packages' } })).status, 200);
    const accepted = await api.post('/api/lite/callback', { body: { token: clusterToken, ...cluster } });
    assert.equal(accepted.status, 200);
  });

  it('stores the reason of a failure as a line without control characters', async () => {
    const api = await suite.start({ settings });
    const { jobId, token } = await running(api);
    const error = ' \u001b[31mNo\u0000 space\r\nleft\u202e\u2028on device ';

    await api.post(callback, { body: { token, stage: 'packages', success: false, error } });

    const report = await api.context.callbacks.read<{ error: string }>(jobId);
    assert.equal(report?.body.error, '[31mNo space left on device');
  });

  it('counts reports of progress apart from the result', async () => {
    const api = await suite.start({ settings: { ...settings, rate_limits: { callback: 2 } } });
    const { token } = await running(api);
    const post = async (report: object) =>
      (await api.post(callback, { body: { token, stage: 'packages', ...report } })).status;

    assert.deepEqual(await Array.fromAsync([{}, {}, {}], post), [200, 200, 429]);
    const failure = { success: false, error: 'No space left' };
    assert.deepEqual(await Array.fromAsync([failure, failure, failure], post), [200, 200, 429]);
  });

  it('limits unknown tokens by address, without affecting machines with a token', async () => {
    const api = await suite.start({ settings: { ...settings, rate_limits: { callback: 2 } } });
    const { token } = await running(api);
    const post = async (used: string) =>
      (await api.post(callback, { body: { token: used, stage: 'start' } })).status;

    const bogus = ['unknown', `${crypto.randomUUID()}.x`, `${token}x`, 'unknown'];
    assert.deepEqual(await Array.fromAsync(bogus, post), [403, 403, 429, 429]);
    assert.deepEqual(await Array.fromAsync([token, token, token], post), [200, 200, 429]);
    assert.equal(await post((await running(api)).token), 200, 'each machine has a count of its own');
  });
});
