import assert from 'node:assert/strict';
import { type AuditKind, AuditLog } from '@gateway/activity';
import { newId, Sealer } from '@gateway/core';
import { HistoryLog, type HistoryRequest, jobKeys } from '@gateway/jobs';
import { LiteClusterStore } from '@gateway/lite';
import { createLogger } from '@gateway/platform';
import { WebhookStore } from '@gateway/webhooks';
import { eraseUser } from '../../../apps/worker/src/erase/erase-user.ts';
import { BackupsInRedis } from '../../packages/auto-backup/backups-in-redis.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';

const LEFT = 'b94b1d10e5f24a4c8c4fa6b3f4b9f6a1';
const STAYS = '0c4e939acacf4376bdcd1129f1a054ad';
const KEPT = { keepSeconds: 600, maxRecords: 10 };

describe('the erasure of a user', () => {
  let backups: BackupsInRedis;

  beforeEach(() => {
    backups = new BackupsInRedis();
  });

  afterEach(() => backups.store.close());

  async function open() {
    const { delegations, entries, redis, store } = await backups.open();
    const logger = createLogger(
      { level: 'debug', format: 'json', service: 'test' },
      captureLogLines().stream,
    );
    const limits = { audit: KEPT, history: { ...KEPT, maxTotalRecords: 0 } };
    return {
      autoBackups: { delegations, entries, store },
      clock: { now: Date.now },
      config: { audit: limits.audit },
      redis,
      audit: new AuditLog({ redis: redis.store, clock: { now: Date.now }, logger, limits: limits.audit }),
      history: new HistoryLog({ redis: redis.store, clock: Date, limits: limits.history }),
      logger,
      liteClusters: new LiteClusterStore({ redis: redis.store, sealer: new Sealer(backups.sealingKeys) }),
      webhooks: new WebhookStore(redis.store),
    };
  }
  type Opened = Awaited<ReturnType<typeof open>>;

  const request = (userId: string, userName: string, resourceId: string): HistoryRequest => ({
    requestId: `req-${resourceId.length}`,
    userId,
    userName,
    method: 'DELETE',
    route: '/api/volumes/:volume_id',
    resourceIds: [resourceId],
    resourceNames: { [resourceId]: `name of ${resourceId}` },
    status: 204,
    code: null,
    jobId: null,
  });

  const record = ({ audit }: Opened, kind: AuditKind, userId: string, resourceId: string | null) =>
    audit.record(kind, {
      request_id: 'req-1',
      address: '192.0.2.7',
      user_id: userId,
      user_name: userId === LEFT ? 'leaver' : 'stayer',
      name_hash: null,
      project_id: 'p1',
      target_project_id: null,
      method: 'POST',
      route: '/api/admin/users/:user_id',
      resource_id: resourceId,
      status: 200,
      job_id: null,
    });

  it('leaves what was done, and that one user has done it', async () => {
    const opened = await open();
    const { audit, history, redis } = opened;
    await history.record('p1', request(LEFT, 'leaver', 'v1'));
    await history.record('p2', request(LEFT, 'leaver', 'v2'));
    await history.record('p2', request(STAYS, 'stayer', LEFT));
    await record(opened, 'session', LEFT, null);
    await record(opened, 'change', STAYS, `${LEFT}/p1`);
    await record(opened, 'change', STAYS, 'p1');
    const unseen = await audit.read('change', { resource_id: 'p1' }, 10);

    const { isIncomplete, lines } = await eraseUser(opened, LEFT);

    const [pseudonym = ''] = lines[0]?.split(' ') ?? [];
    assert.match(pseudonym, /^erased-[0-9a-f]{8}$/);
    assert.deepEqual(
      [isIncomplete, lines],
      [false, [`${pseudonym} stands for the user in 2 audit records and 3 parts of histories.`]],
    );
    const page = { readerId: undefined, limit: 10 };
    const [first] = (await history.read({ projectId: 'p1', ...page }))?.entries ?? [];
    assert.deepEqual(first?.request, {
      ...request(pseudonym, '', 'v1'),
      userName: null,
    });
    const ofOthers = (await history.read({ projectId: 'p2', ...page }))?.entries ?? [];
    assert.deepEqual(
      ofOthers.map((entry) => [
        entry.request?.userId,
        entry.request?.resourceIds,
        entry.request?.resourceNames,
      ]),
      [
        [STAYS, [pseudonym], {}],
        [pseudonym, ['v2'], { v2: 'name of v2' }],
      ],
    );
    const [session] = await audit.read('session', {}, 10);
    assert.deepEqual(
      [session?.user_id, session?.user_name, session?.address, session?.project_id],
      [pseudonym, null, '', 'p1'],
    );
    const changes = await audit.read('change', {}, 10);
    assert.deepEqual(
      changes.map(({ id, user_name, resource_id }) => [id, user_name, resource_id]),
      [
        [unseen[0]?.id, 'stayer', 'p1'],
        [unseen[1]?.id, 'stayer', `${pseudonym}/p1`],
      ],
    );
    const everything = await Promise.all([
      redis.store.hgetall(jobKeys.historyParts('p1')),
      redis.store.hgetall(jobKeys.historyParts('p2')),
      redis.store.xrange('{audit}:records:session', '-', '+'),
      redis.store.xrange('{audit}:records:change', '-', '+'),
    ]);
    assert.doesNotMatch(JSON.stringify(everything), new RegExp(`${LEFT}|leaver"`));
  });

  it('removes at least the id from what nothing can read', async () => {
    const opened = await open();
    const { redis } = opened;
    await record(opened, 'change', LEFT, 'a');
    await redis.store.xadd('{audit}:records:change', '*', 'record', `{"user_id":"${LEFT}"`);
    await opened.history.record('p1', request(LEFT, 'leaver', 'v1'));
    await redis.store.hset(jobKeys.historyParts('p1'), 'job:odd', `null ${LEFT}`, 'job:none', 'null');

    const { lines } = await eraseUser(opened, LEFT);

    assert.match(lines[0] ?? '', /in 2 audit records and 2 parts/);
    const everything = await Promise.all([
      redis.store.hgetall(jobKeys.historyParts('p1')),
      redis.store.xrange('{audit}:records:change', '-', '+'),
    ]);
    assert.doesNotMatch(JSON.stringify(everything), new RegExp(LEFT));
  });

  it('replaces the id also in the sentence of a failure', async () => {
    const opened = await open();
    const failure = JSON.stringify({ code: 'conflict', detail: `The user ${LEFT} has no role.` });
    const part = { form: 1, userId: STAYS, userName: 'stayer', status: 'failed', failure };
    await opened.history.record('p1', request(STAYS, 'stayer', 'v1'));
    await opened.redis.store.hset(jobKeys.historyParts('p1'), 'job:j1', JSON.stringify(part));

    await eraseUser(opened, LEFT);

    const text = await opened.redis.store.hget(jobKeys.historyParts('p1'), 'job:j1');
    assert.match(text ?? '', /The user erased-[0-9a-f]{8} has no role/);
    assert.ok(text?.includes('stayer') && !text.includes(LEFT), text ?? '');
  });

  it('replaces an id that people have chosen only where it is one', async () => {
    const opened = await open();
    const { audit, history, redis } = opened;
    await history.record('p1', { ...request('jo', 'jo', 'major'), resourceTypes: { major: 'volume' } });
    await history.record('p1', request('major', 'jo', 'jo'));
    const detail = 'The job of jo in jo-2, a major one for jo@example.org, is not for jo.';
    const failure = JSON.stringify({ code: 'jo', detail, errors: [{ field: 'jo', message: '"jo" fails' }] });
    const part = { form: 1, userId: 'jo', userName: 'jo', type: 'jo', resourceId: 'jo', failure };
    await redis.store.hset(jobKeys.historyParts('p1'), 'job:j1', JSON.stringify(part), 'job:odd', '{"jo"');
    await record(opened, 'change', STAYS, 'p1/jo');
    await record(opened, 'change', 'jo', 'major');
    await record(opened, 'change', STAYS, 'jo-2');

    const { lines } = await eraseUser(opened, 'jo');

    const [pseudonym = ''] = lines[0]?.split(' ') ?? [];
    assert.match(lines[0] ?? '', /in 2 audit records and 3 parts/);
    const parts = await redis.store.hgetall(jobKeys.historyParts('p1'));
    assert.equal(parts['job:odd'], '{"jo"');
    const { failure: ended, ...job } = JSON.parse(parts['job:j1'] ?? '') as Record<string, string>;
    assert.deepEqual(job, { form: 1, userId: pseudonym, userName: null, type: 'jo', resourceId: pseudonym });
    assert.deepEqual(JSON.parse(ended ?? ''), {
      code: 'jo',
      detail: `The job of ${pseudonym} in jo-2, a major one for jo@example.org, is not for ${pseudonym}.`,
      errors: [{ field: 'jo', message: `"${pseudonym}" fails` }],
    });
    const page = await history.read({ projectId: 'p1', readerId: undefined, limit: 10 });
    const requests = page?.entries.flatMap((entry) => entry.request ?? []) ?? [];
    assert.deepEqual(
      requests.map((one) => [one.userId, one.userName, one.resourceIds, one.resourceNames]).sort(),
      [
        [pseudonym, null, ['major'], { major: 'name of major' }],
        ['major', 'jo', [pseudonym], {}],
      ].sort(),
    );
    const changes = await audit.read('change', {}, 10);
    assert.deepEqual(
      changes.map(({ user_id, resource_id }) => [user_id, resource_id]),
      [
        [STAYS, 'jo-2'],
        [pseudonym, 'major'],
        [STAYS, `p1/${pseudonym}`],
      ],
    );
  });

  it('keeps the lifetime and the order of audit records', async () => {
    const opened = await open();
    const { audit, redis } = opened;
    for (const id of ['a', 'b']) await record(opened, 'change', LEFT, id);

    await eraseUser(opened, LEFT);
    await record(opened, 'change', STAYS, 'c');

    const records = await audit.read('change', {}, 10);
    assert.deepEqual(
      records.map(({ resource_id }) => resource_id),
      ['c', 'b', 'a'],
    );
    const lifetime = await redis.store.ttl('{audit}:records:change');
    assert.ok(lifetime > 500 && lifetime <= 600, String(lifetime));
  });

  it('names what acts for the user, and leaves it', async () => {
    const opened = await open();
    const { autoBackups, liteClusters } = opened;
    const backupId = (await backups.setUp(autoBackups)) ?? '';
    const backup = await autoBackups.store.read(backupId);
    const clusterId = newId();
    const parties = { projectId: 'p1', userId: backup?.userId ?? '', creationJobId: newId() };
    const asked = { name: 'c', keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    await liteClusters.create({ id: clusterId, ...parties, ...asked, createdAt: 1_000 });

    const { isIncomplete, lines } = await eraseUser(opened, backup?.userId ?? '');

    assert.equal(isIncomplete, true);
    assert.deepEqual(lines.slice(1), [
      `The auto backup of volume ${backup?.volumeId} belongs to the user: delete it.`,
      `Lite cluster ${clusterId} belongs to the user: delete it.`,
    ]);
    assert.equal((await autoBackups.store.read(backupId))?.userId, backup?.userId);
  });
});
