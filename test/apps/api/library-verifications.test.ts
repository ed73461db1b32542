import assert from 'node:assert/strict';
import { type LibraryVerdict, readQueued, readResumeCount, verificationProgress } from '@gateway/jobs';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { answersShare, prebuilt, SHARE_PATH, share } from '../../support/api/file-storage.ts';
import { claimJob } from '../../support/api/jobs.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';
import type { Build } from '../../support/subjects/builds.ts';

const settings = {
  ...withServiceUser,
  public_endpoint: { url: 'https://gateway.example.org/' },
  builds: { image: 'debian-12', flavor: 'm1.small' },
};
const path = `/api/admin/file-storage/${share.id}/verify`;
const administrator = { roles: ['admin'] };

/** The metadata of a usable share of the library without dependencies. */
const usable = {
  overlay_type: 'prebuilt',
  overlay_library: 'python311',
  overlay_version: '3.11',
  overlay_status: 'ready',
};

interface Started {
  job_id: string;
  file_storage_id: string;
  status: string;
}

describe('POST /api/admin/file-storage/{file_storage_id}/verify', () => {
  const suite = apiSuite();

  /** The service user lists shares. */
  function listed(...shares: object[]): void {
    const query = '/v2/shares/detail?is_public=true&with_count=true&limit=1000&offset=0';
    suite.cloud.reply('shared-file-system/shares', { path: query, body: { shares, count: shares.length } });
  }

  /** An administrator's project has the share, and the service user sees it. */
  async function started(metadata: Record<string, string> = usable, fields: object = {}) {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    const one = { ...share, share_proto: 'CEPHFS', ...fields, metadata };
    answersShare(suite.cloud, { metadata });
    suite.cloud.acceptsLogIn(newCaller({ userId: 'gateway-id', userName: 'gateway', ...administrator }));
    listed(one);
    /** Answers one more request. */
    const again = () => {
      answersShare(suite.cloud, { metadata });
      listed(one);
    };
    return { api, caller, again };
  }

  it('is 202 with a job for the share, its library and version', async () => {
    const { api, caller } = await started();

    const { status, body, text } = await api.post<Started>(path, { as: caller });

    assert.equal(status, 202, text);
    assert.deepEqual(body, { job_id: body.job_id, file_storage_id: share.id, status: 'running' });
    const queued = await readQueued(api.context.redis.store, body.job_id);
    assert.deepEqual(
      [queued?.type, queued?.payload],
      ['library.verify', { libraryId: 'python311', version: '3.11', fileStorageId: share.id }],
    );
    const audit = await eventually(async () => api.log.withMessage('Audit').at(0));
    assert.deepEqual([audit.status, audit.job_id], [202, body.job_id]);
  });

  it('is 409 with the job id while the share is being verified', async () => {
    const { api, caller, again } = await started();
    const first = await api.post<Started>(path, { as: caller });
    again();

    const second = await api.post<ErrorBody>(path, { as: caller });

    assert.deepEqual(
      [second.status, second.body.code, second.body.job_id],
      [409, 'conflict', first.body.job_id],
    );
    await end(api, first.body.job_id, 'failed');
    again();
    assert.equal((await api.post(path, { as: caller })).status, 202, 'it can be verified again');
  });

  it('returns the same job for the same Idempotency-Key', async () => {
    const { api, caller } = await started();
    const headers = { 'idempotency-key': 'verify-1' };
    const first = await api.post<Started>(path, { as: caller, headers });
    const second = await api.post<Started>(path, { as: caller, headers });
    assert.deepEqual([second.status, second.body], [202, first.body]);
  });

  it('is 400 for a share that contains no library', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    answersShare(suite.cloud);

    const answer = await api.post<ErrorBody>(path, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
    assert.match(answer.body.detail, /not the prebuilt file storage of a library/);
  });

  it("is 400 for a project's share with the metadata of a library", async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    answersShare(suite.cloud, { metadata: usable });
    suite.cloud.acceptsLogIn(newCaller({ userId: 'gateway-id', userName: 'gateway', ...administrator }));
    listed();

    assert.equal((await api.post(path, { as: caller })).status, 400);
  });

  for (const [title, metadata, fields, detail] of [
    ['of another version', { overlay_version: '3.10' }, {}, /version 3\.10 of Python 3\.11, and the catal/],
    ['that is being built', { overlay_status: 'building' }, {}, /not ready.* build building/],
    ['that is not available', {}, { status: 'error' }, /not ready: its status is error/],
    ['of a library that was removed', { overlay_library: 'gone' }, {}, /does not contain the library "gone"/],
  ] as const) {
    it(`is 409 for a share ${title}`, async () => {
      const { api, caller } = await started({ ...usable, ...metadata }, fields);

      const answer = await api.post<ErrorBody>(path, { as: caller });

      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
      assert.match(answer.body.detail, detail);
    });
  }

  it('is 409 with the name of a dependency without a prebuilt share', async () => {
    const numerics = { ...usable, overlay_library: 'numpy-stack', overlay_version: '2.4' };
    const { api, caller } = await started(numerics);

    const answer = await api.post<ErrorBody>(path, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [409, 'dependency_not_prebuilt']);
    assert.match(answer.body.detail, /python311\.$/);
  });

  it('is 404 for a share that is not there', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    suite.cloud.reply('shared-file-system/share-not-found', { path: `/v2/shares/${share.id}` });
    suite.cloud.acceptsLogIn(newCaller({ userId: 'gateway-id', userName: 'gateway', ...administrator }));
    suite.cloud.reply('shared-file-system/share-not-found', { path: `/v2/shares/${share.id}` });

    assert.equal((await api.post(path, { as: caller })).status, 404);
  });

  it('is for administrators only', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['member'] }));
    assert.equal((await api.post(path, { as: caller })).status, 403);
    assert.equal((await api.post(path)).status, 401);
  });

  it('is 503 if the configuration does not define the machines', async () => {
    const api = await suite.start({ settings: { ...settings, builds: {} } });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    answersShare(suite.cloud, { metadata: usable });
    suite.cloud.acceptsLogIn(newCaller({ userId: 'gateway-id', userName: 'gateway', ...administrator }));
    listed({ ...share, share_proto: 'CEPHFS', metadata: usable });

    const answer = await api.post<ErrorBody>(path, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [503, 'builds_not_configured']);
  });

  it('keeps its share from being deleted', async () => {
    const { api, caller } = await started();
    const { body } = await api.post<Started>(path, { as: caller });
    answersShare(suite.cloud, { metadata: prebuilt });

    const answer = await api.request<ErrorBody>('DELETE', SHARE_PATH, { as: caller });

    assert.deepEqual([answer.status, answer.body.job_id], [409, body.job_id]);
    assert.match(answer.body.detail, /is being verified/);
  });
});

/** A progress message of a verification. */
function message(step: keyof typeof verificationProgress, verdict: LibraryVerdict | null = null) {
  return {
    step,
    progress: verificationProgress[step],
    message: 'Going on.',
    library_id: 'python311',
    version: '3.11',
    file_storage_id: share.id,
    server_id: null,
    log_tail: null,
    verdict,
    error: null,
  };
}

/** Ends a verification. */
async function end(
  api: TestApi,
  jobId: string,
  status: 'completed' | 'failed' | 'cancelled',
  verdict: LibraryVerdict | null = null,
): Promise<void> {
  const failure = { status: 502, code: 'verification_timeout', detail: 'Not in time.' };
  const log = await claimJob(api, jobId);
  if (status === 'completed') await log.end(message('COMPLETED', verdict), { status });
  else await log.end(message('FAILED'), { status, failure });
}

/** A verification that no request has started. */
function queue(api: TestApi): Promise<string> {
  return api.context.producer.enqueue({
    type: 'library.verify',
    payload: { libraryId: 'python311', version: '3.11', fileStorageId: share.id },
    credential: newCaller(administrator) as never,
    requestId: 'req-1',
  });
}

describe('the verification in the list of builds', () => {
  const suite = apiSuite();

  it('is the latest of the share that was not cancelled', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller(administrator));
    const build = await api.context.producer.enqueue({
      type: 'library.build',
      payload: { libraryId: 'python311', version: '3.11' },
      credential: newCaller(administrator) as never,
      requestId: 'req-1',
    });
    const { verdict: _, ...built } = message('COMPLETED');
    await (await claimJob(api, build)).end({ ...built, step: 'COMPLETED' }, { status: 'completed' });
    const shown = async () => {
      const { body } = await api.get<Build[]>('/api/admin/file-storage/builds', { as: caller });
      return body[0]?.verification;
    };
    assert.equal(await shown(), null);

    const first = await queue(api);
    const running = await shown();
    assert.deepEqual([running?.status, running?.checked_at, running?.job_id], ['running', null, first]);

    const packages = [{ name: 'numpy', version: '2.2', imported: false, error: 'ImportError: no BLAS' }];
    await end(api, first, 'completed', { status: 'failed', message: 'It does not work.', packages });
    const failed = await shown();
    assert.deepEqual(
      { ...failed, checked_at: '' },
      { status: 'failed', message: 'It does not work.', checked_at: '', packages, job_id: first },
    );
    assert.match(failed?.checked_at ?? '', /^\d{4}-.*Z$/);

    await nextMillisecond();
    await end(api, await queue(api), 'cancelled');
    assert.equal((await shown())?.job_id, first);

    await nextMillisecond();
    await end(api, await queue(api), 'failed');
    const { status, message: reason, packages: none } = (await shown()) ?? assert.fail('no verification');
    assert.deepEqual([status, reason, none], ['error', 'Not in time.', []]);
  });

  /** Two jobs of the same millisecond would have no order. */
  async function nextMillisecond(): Promise<void> {
    const before = Date.now();
    await eventually(async () => Date.now() > before);
  }
});

describe('POST /api/file-storage/verifications/callback', () => {
  const suite = apiSuite();
  const callback = '/api/file-storage/verifications/callback';
  const packages = [{ name: 'numpy', version: '2.2', imported: true, error: null }];

  /** A running verification, with the token of its verifier. */
  async function running(api: TestApi): Promise<{ jobId: string; token: string }> {
    const jobId = await queue(api);
    await claimJob(api, jobId);
    return { jobId, token: await api.context.callbacks.issueToken(jobId, 60) };
  }

  it('accepts reports with a valid token, and resumes the job for each', async () => {
    const api = await suite.start({ settings });
    const { jobId, token } = await running(api);
    const end = { token, stage: 'done', success: true, packages };

    const statuses = [
      (await api.post(callback, { body: { token, stage: 'imports', log_tail: 'numpy\n' } })).status,
      (await api.post(callback, { body: end })).status,
      (await api.post(callback, { body: end })).status,
      (await api.post(callback, { body: { token, stage: 'imports' } })).status,
    ];

    assert.deepEqual(statuses, [200, 200, 200, 403]);
    assert.equal(await readResumeCount(api.context.redis.store, jobId), 3);
    const { token: _token, ...body } = end;
    assert.deepEqual((await api.context.callbacks.read(jobId))?.body, body);
  });

  it("is 403 with a builder's token, and builds reject a verifier's token", async () => {
    const api = await suite.start({ settings });
    const { jobId, token } = await running(api);
    const build = await api.context.producer.enqueue({
      type: 'library.build',
      payload: { libraryId: 'python311', version: '3.11' },
      credential: newCaller(administrator) as never,
      requestId: 'req-1',
    });
    await claimJob(api, build);
    const buildToken = await api.context.callbacks.issueToken(build, 60);

    const refused = [
      await api.post(callback, { body: { token: buildToken, stage: 'start' } }),
      await api.post('/api/file-storage/builds/callback', { body: { token, stage: 'start' } }),
      await api.post(callback, { body: { token: 'unknown', stage: 'start' } }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403],
    );
    for (const id of [jobId, build]) assert.equal(await api.context.callbacks.read(id), null);
  });

  it('is 400 for an invalid report, which keeps the token valid', async () => {
    const api = await suite.start({ settings });
    const { token } = await running(api);
    const fieldOf = async (report: object) =>
      (await api.post<ErrorBody>(callback, { body: { token, stage: 'done', ...report } })).body.errors?.[0]
        ?.field;

    assert.equal(await fieldOf({ success: true }), 'body.packages');
    assert.equal(await fieldOf({ success: true, packages: [{ name: 'numpy' }] }), 'body.packages.0.version');
    assert.equal(await fieldOf({ stage: '<script>' }), 'body.stage');
    const tooMany = Array.from({ length: 1001 }, () => packages[0]);
    assert.equal(await fieldOf({ success: true, packages: tooMany }), 'body.packages');
    assert.equal(await fieldOf({ success: true, packages }), undefined);
  });
});
