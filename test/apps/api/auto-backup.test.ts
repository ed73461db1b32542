import assert from 'node:assert/strict';
import { beginOf } from '@gateway/auto-backup';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixture, fixtureBody, type ReplyOptions } from '../../support/doubles/upstream.ts';
import { type AutoBackup, autoBackupPath } from '../../support/subjects/auto-backups.ts';

const CONFIGS = '/api/volumes/backups/auto-backup/configs';
const volume = fixtureBody<{ id: string }>('block-storage/volume', 'volume');
const trust = fixtureBody<{ id: string }>('identity/trust-create', 'trust');
const path = autoBackupPath(volume.id);
const TEN_YEARS_MS = 10 * 365 * 24 * 3_600_000;

type SentTrust = { trust: { roles: { name: string }[]; expires_at: string; trustee_user_id: string } };

describe('the auto backup of a volume', () => {
  const suite = apiSuite();

  function serviceUserSignsIn(): void {
    const gateway = newCaller({ userId: 'gateway-id', userName: 'gateway', roles: ['admin'] });
    suite.cloud.acceptsLogIn(gateway);
  }

  function volumeIs(options: ReplyOptions = {}): void {
    suite.cloud.reply('block-storage/volume', options);
  }

  function volumeIsGone(): void {
    const itemNotFound = { code: 404, message: `Volume ${volume.id} could not be found.` };
    volumeIs({ status: 404, body: { itemNotFound } });
  }

  function delegates(id: string, sent: (body: SentTrust) => boolean = () => true): void {
    suite.cloud.reply('identity/trust-create', { body: { trust: { ...trust, id } }, requestBody: sent });
  }

  function revokes(id: string): void {
    suite.cloud.reply('identity/trust-remove', { path: `/v3/OS-TRUST/trusts/${id}` });
  }

  /** An api with an auto backup that the caller has set up. */
  async function withAutoBackup(
    body: object = {},
  ): Promise<{ api: TestApi; caller: TestCaller; record: AutoBackup }> {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs();
    serviceUserSignsIn();
    delegates('t1');
    const answer = await api.post<AutoBackup>(path, { as: caller, body: { schedule: '0 3 * * *', ...body } });
    assert.equal(answer.status, 201, answer.text);
    return { api, caller, record: answer.body };
  }

  it('is set up with its defaults, and due by its schedule', async () => {
    const { api, caller, record } = await withAutoBackup();

    const { id, created_at, updated_at, next_run_at, ...rest } = record;
    assert.deepEqual(rest, {
      volume_id: volume.id,
      volume_name: null,
      project_id: caller.projectId,
      project_name: 'demo2',
      schedule: '0 3 * * *',
      retention: 5,
      prefix: 'auto',
      full_every: 1,
      enabled: true,
      last_run_at: null,
      last_status: null,
      last_error: null,
    });
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(created_at, updated_at);
    const due = Date.parse(`${next_run_at.slice(0, 'YYYY-MM-DD'.length)}T03:00:00Z`);
    const begin = beginOf({ schedule: rest.schedule, volumeId: volume.id }, due, 600);
    assert.equal(Date.parse(next_run_at), begin);
    const ahead = Date.parse(next_run_at) - api.clock.now();
    assert.ok(ahead > 0 && ahead <= 24 * 3_600_000, `${next_run_at}`);
    volumeIs();
    assert.deepEqual((await api.get(path, { as: caller })).body, record);
    assert.deepEqual((await api.post(CONFIGS, { as: caller })).body, [record]);
  });

  it('uses a sealed, lasting delegation from the caller’s token, without administrator role', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['member', 'admin'] }));
    volumeIs();
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', {
      requestHeaders: { 'x-auth-token': caller.token },
      requestBody: ({ trust: sent }: SentTrust) =>
        sent.trustee_user_id === 'gateway-id' &&
        sent.roles.map(({ name }) => name).join() === 'member' &&
        Date.parse(sent.expires_at) > api.clock.now() + TEN_YEARS_MS * 0.9,
    });

    const answer = await api.post(path, { as: caller, body: { schedule: '0 3 * * *' } });

    assert.equal(answer.status, 201, answer.text);
    const stored = (await allStoredData(api)).join('\n');
    assert.ok(stored.includes(volume.id));
    assert.equal(stored.includes(trust.id), false, 'the delegation is not in plain text');
    assert.equal(stored.includes(caller.token), false);
  });

  it('keeps its id when it is replaced, and revokes the old delegation', async () => {
    const { api, caller, record } = await withAutoBackup();
    volumeIs();
    delegates('t2');
    revokes('t1');

    const answer = await api.post<AutoBackup>(path, {
      as: caller,
      body: { schedule: '30 4 * * mon', retention: 100, prefix: 'weekly_A-1', full_every: 7 },
    });

    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(
      [
        answer.body.id,
        answer.body.schedule,
        answer.body.retention,
        answer.body.prefix,
        answer.body.full_every,
      ],
      [record.id, '30 4 * * mon', 100, 'weekly_A-1', 7],
    );
    assert.deepEqual(suite.cloud.calls().slice(-2), [
      'POST /v3/OS-TRUST/trusts',
      'DELETE /v3/OS-TRUST/trusts/t1',
    ]);
    assert.equal((await api.post<unknown[]>(CONFIGS, { as: caller })).body.length, 1);
  });

  it('is 404 at once when its volume is gone', async () => {
    const { api, caller, record } = await withAutoBackup();
    const { store } = api.context.autoBackups;
    const read = () => api.get(path, { as: caller });
    const listed = async () => (await api.post<unknown[]>(CONFIGS, { as: caller })).body.length;

    for (const [method, url] of [
      ['GET', path],
      ['POST', `${path}/pause`],
      ['POST', `${path}/resume`],
      ['POST', `${path}/run`],
    ] as const) {
      volumeIsGone();
      assert.equal((await api.request(method, url, { as: caller })).status, 404, url);
    }
    assert.equal(await listed(), 0);
    // The workers confirm it before the record ends.
    assert.equal((await store.read(record.id))?.enabled, true);
    assert.deepEqual([...(await store.requestedVolumeChecks()).keys()], [caller.projectId]);
    volumeIs({ status: 500 });
    assert.equal((await read()).status, 404, 'the service is away meanwhile');

    volumeIs();
    assert.deepEqual([(await read()).status, await listed()], [200, 1]);
  });

  it('is served while the volume cannot be read', async () => {
    const { api, caller, record } = await withAutoBackup();

    volumeIs({ status: 500 });
    assert.deepEqual((await api.get(path, { as: caller })).body, record);
    volumeIs({ status: 404, body: '<html>Not Found</html>', times: 3 });
    assert.deepEqual((await api.get(path, { as: caller })).body, record, 'a 404 of a proxy');
  });

  it('is paused and resumed, and shows that everywhere', async () => {
    const { api, caller, record } = await withAutoBackup();
    volumeIs({ times: 3 });

    const paused = await api.post<AutoBackup>(`${path}/pause`, { as: caller });
    const [listed] = (await api.post<AutoBackup[]>(CONFIGS, { as: caller })).body;
    const again = await api.post<AutoBackup>(`${path}/pause`, { as: caller });
    const resumed = await api.post<AutoBackup>(`${path}/resume`, { as: caller });

    assert.deepEqual([paused.status, paused.body.enabled, listed?.enabled], [200, false, false]);
    assert.deepEqual(again.body, paused.body);
    assert.deepEqual([resumed.status, resumed.body.enabled], [200, true]);
    assert.deepEqual({ ...resumed.body, updated_at: record.updated_at }, record);
  });

  it('has no queue entry during a pause, which a replacement ends', async () => {
    const { api, caller, record } = await withAutoBackup();
    const { entries } = api.context.autoBackups;
    volumeIs();
    await api.post(`${path}/pause`, { as: caller });
    assert.deepEqual(await entries.reconcile([record.id], assert.fail), []);
    volumeIs();
    delegates('t2');
    revokes('t1');

    const answer = await api.post<AutoBackup>(path, { as: caller, body: { schedule: '0 3 * * *' } });

    assert.deepEqual([answer.status, answer.body.enabled], [201, true], answer.text);
    assert.deepEqual(await entries.reconcile([record.id], assert.fail), []);
  });

  it('runs at once, and once at a time', async () => {
    const { api, caller } = await withAutoBackup();
    volumeIs({ times: 3 });
    await api.post(`${path}/pause`, { as: caller });

    const started = await api.post<{ job_id: string }>(`${path}/run`, { as: caller });
    const second = await api.post<ErrorBody>(`${path}/run`, { as: caller });

    assert.equal(started.status, 202, started.text);
    const job = await api.get<{ type: string }>(`/api/jobs/${started.body.job_id}`, { as: caller });
    assert.equal(job.body.type, 'volume.auto-backup');
    assert.deepEqual([second.status, second.body.detail], [409, 'A run of the auto backup is in progress.']);
  });

  for (const action of ['pause', 'resume', 'run']) {
    it(`is 404 without an auto backup in the project: ${action}`, async () => {
      const { api } = await withAutoBackup();
      const other = suite.cloud.validCaller(newCaller({ projectId: OTHER_PROJECT }));

      assert.equal((await api.post(`${path}/${action}`, { as: other })).status, 404);
    });
  }

  it('is deleted with its delegation, and 404 afterwards', async () => {
    const { api, caller } = await withAutoBackup();
    revokes('t1');

    const first = await api.request('DELETE', path, { as: caller });
    const second = await api.request<ErrorBody>('DELETE', path, { as: caller });

    assert.deepEqual([first.status, first.text], [204, '']);
    assert.deepEqual([second.status, second.body.code], [404, 'not_found']);
    assert.equal((await api.get(path, { as: caller })).status, 404);
    assert.deepEqual((await api.post(CONFIGS, { as: caller })).body, []);
    // The history of the project has what was done with the volume.
    const stored = (await allStoredData(api)).filter((text) => !text.includes('resourceIds'));
    assert.deepEqual(
      stored.filter((text) => text.includes(volume.id)),
      [],
      'nothing is left',
    );
  });

  it('is deleted without the identity service; the maintenance revokes the delegation', async () => {
    const { api, caller } = await withAutoBackup();
    suite.cloud.reply('identity/trust-remove', {
      path: '/v3/OS-TRUST/trusts/t1',
      status: 503,
      body: {},
      times: 3,
    });

    const answer = await api.request('DELETE', path, { as: caller });

    assert.equal(answer.status, 204);
    assert.equal(await api.context.redis.store.hlen('{auto-backup}:retired'), 1);
  });

  for (const [field, body] of [
    ['schedule', {}],
    ['schedule', { schedule: 5 }],
    ['schedule', { schedule: '0 0 3 * * *' }],
    ['schedule', { schedule: '*/30 * * * *' }],
    ['schedule', { schedule: '0 0 31 2 *' }],
    ['schedule', { schedule: `${'0,'.repeat(100)}0 * * * *` }],
    ['retention', { schedule: '0 3 * * *', retention: 0 }],
    ['retention', { schedule: '0 3 * * *', retention: 101 }],
    ['retention', { schedule: '0 3 * * *', retention: '5' }],
    ['prefix', { schedule: '0 3 * * *', prefix: '' }],
    ['prefix', { schedule: '0 3 * * *', prefix: 'a b' }],
    ['prefix', { schedule: '0 3 * * *', prefix: 'a'.repeat(65) }],
  ] as const) {
    it(`is refused with 400 for an invalid ${field}: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const api = await suite.start({ settings: withServiceUser });
      const caller = suite.cloud.validCaller(newCaller());

      const answer = await api.post<ErrorBody>(path, { as: caller, body });

      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(
        answer.body.errors?.map((error) => error.field),
        [`body.${field}`],
      );
    });
  }

  it('may be due more often where the configuration allows it', async () => {
    const api = await suite.start({
      settings: { ...withServiceUser, auto_backup: { min_interval_seconds: 60 } },
    });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs();
    serviceUserSignsIn();
    delegates('t1');

    const answer = await api.post(path, { as: caller, body: { schedule: '* * * * *', prefix: null } });

    assert.equal(answer.status, 201, answer.text);
  });

  it('is 404 for a missing or foreign volume, even for administrators', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const request = { as: caller, body: { schedule: '0 3 * * *' } };
    suite.cloud.reply('block-storage/volume-not-found', {
      path: fixture('block-storage/volume').request.path,
    });
    const missing = await api.post<ErrorBody>(path, request);
    volumeIs({ body: { volume: { ...volume, 'os-vol-tenant-attr:tenant_id': 'another' } } });

    const foreign = await api.post<ErrorBody>(path, request);

    assert.deepEqual([missing.status, missing.body.code], [404, 'not_found']);
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found']);
    assert.deepEqual((await api.post(CONFIGS, { as: caller })).body, []);
  });

  it('is of its project: 404 and not listed in another one', async () => {
    const { api } = await withAutoBackup();
    const other = suite.cloud.validCaller(newCaller({ projectId: 'other-project', roles: ['admin'] }));

    const read = await api.get(path, { as: other });
    const removed = await api.request('DELETE', path, { as: other });

    assert.deepEqual([read.status, removed.status], [404, 404]);
    assert.deepEqual((await api.post(CONFIGS, { as: other })).body, []);
  });

  it('is 503 without a service user, and nothing is stored', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs();

    const answer = await api.post<ErrorBody>(path, { as: caller, body: { schedule: '0 3 * * *' } });

    assert.deepEqual([answer.status, answer.body.code], [503, 'delegation_not_configured']);
    assert.ok(Number(answer.headers['retry-after']) > 0);
    assert.equal(await api.context.redis.store.exists('{auto-backup}:intents'), 0);
  });

  it('is 403 when the token may not delegate, and nothing is stored', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs();
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', {
      status: 403,
      body: { error: { code: 403, message: 'Delegated tokens cannot manage trusts.' } },
    });

    const answer = await api.post<ErrorBody>(path, { as: caller, body: { schedule: '0 3 * * *' } });

    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden']);
    assert.match(answer.body.detail, /delegation/);
    assert.deepEqual((await api.post(CONFIGS, { as: caller })).body, []);
    assert.equal(await api.context.redis.store.exists('{auto-backup}:intents'), 0);
  });

  it('is not created without the identity service; the intent stays for maintenance', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs();
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', { fault: 'ECONNRESET' });

    const answer = await api.post<ErrorBody>(path, { as: caller, body: { schedule: '0 3 * * *' } });

    assert.equal(answer.status, 503, answer.text);
    assert.equal((await api.get(path, { as: caller })).status, 404);
    assert.equal(await api.context.redis.store.hlen('{auto-backup}:intents'), 1);
  });

  it('is set up once for requests with the same Idempotency-Key', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    volumeIs();
    serviceUserSignsIn();
    delegates('t1');
    const headers = { 'idempotency-key': 'backup-1' };
    const body = { schedule: '0 3 * * *' };

    const answers = [
      await api.post<AutoBackup>(path, { as: caller, body, headers }),
      await api.post<AutoBackup>(path, { as: caller, body, headers }),
    ];

    assert.deepEqual(answers[0]?.body, answers[1]?.body);
    assert.equal(answers[1]?.headers['idempotent-replayed'], 'true');
  });

  it('never takes the list for a volume', async () => {
    const { api, caller } = await withAutoBackup();

    const answer = await api.post(CONFIGS, { as: caller, body: { schedule: '0 3 * * *' } });

    assert.equal(answer.status, 200);
  });
});
