import assert from 'node:assert/strict';
import { newId, Sealer } from '@gateway/core';
import { GpuQuotaStore } from '@gateway/inventory';
import { HistoryLog, type HistoryRequest } from '@gateway/jobs';
import { type LiteCluster, LiteClusterStore } from '@gateway/lite';
import { parseExport } from '../../../apps/worker/src/transfer/export-file.ts';
import { exportStore } from '../../../apps/worker/src/transfer/export-store.ts';
import { importStore } from '../../../apps/worker/src/transfer/import-store.ts';
import { BackupsInRedis } from '../../packages/auto-backup/backups-in-redis.ts';

const KEEP = { overwrite: false };
const OVERWRITE = { overwrite: true };
const receiverKeys = [{ id: 'receiver', key: Buffer.alloc(32, 7) }];
const LIMITS = { keepSeconds: 600, maxRecords: 10, maxTotalRecords: 0 };
const DELETION: HistoryRequest = {
  requestId: 'req-1',
  userId: 'u1',
  userName: 'demo',
  method: 'DELETE',
  route: '/api/volumes/:volume_id',
  resourceIds: ['v1'],
  status: 204,
  code: null,
  jobId: null,
};
const limit = (limit: number) => ({ a100: { type: 'A100', limit } });

describe('the export and import of a store', () => {
  const stores: BackupsInRedis[] = [];

  after(() => Promise.all(stores.map(({ store }) => store.close())));

  async function open(sealingKeys?: BackupsInRedis['sealingKeys']) {
    const backups = new BackupsInRedis();
    stores.push(backups);
    if (sealingKeys !== undefined) backups.sealingKeys = sealingKeys;
    const { delegations, entries, redis, store } = await backups.open();
    const liteClusters = new LiteClusterStore({
      redis: redis.store,
      sealer: new Sealer(backups.sealingKeys),
    });
    const gpuQuotas = new GpuQuotaStore(redis.store);
    const history = new HistoryLog({ redis: redis.store, clock: Date, limits: LIMITS });
    const autoBackups = { delegations, entries, store };
    return { backups, autoBackups, config: { history: LIMITS }, gpuQuotas, history, liteClusters, redis };
  }

  type Opened = Awaited<ReturnType<typeof open>>;

  async function addCluster({ liteClusters }: Opened, name: string): Promise<LiteCluster> {
    const id = newId();
    const parties = { projectId: 'p1', userId: 'u1', creationJobId: newId() };
    const asked = { name, keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    await liteClusters.create({ id, ...parties, ...asked, createdAt: 1_000 });
    const cluster = (await liteClusters.read(id)) as LiteCluster;
    await liteClusters.putSecrets(cluster, { kubeconfig: `file of ${name}`, nodeToken: 'join-secret' });
    await liteClusters.update(cluster, { status: 'ACTIVE' }, ['CREATING']);
    return (await liteClusters.read(id)) as LiteCluster;
  }

  /** A store with one record of each kind, and its export for the receiver. */
  async function exported() {
    const from = await open();
    const backupId = (await from.backups.setUp(from.autoBackups)) ?? '';
    const cluster = await addCluster(from, 'first');
    await from.gpuQuotas.updateLimits('defaults', limit(2));
    await from.gpuQuotas.updateLimits({ projectId: 'p1' }, limit(5));
    await from.history.record('p1', DELETION);
    const { text, lines, isIncomplete } = await exportStore(from, new Sealer(receiverKeys));
    assert.deepEqual(lines, [
      'auto backups: 1',
      'lite clusters: 1',
      'GPU quotas: 1 defaults, 1 projects',
      'entries of histories: 1',
    ]);
    assert.equal(isIncomplete, false);
    return { from, backupId, cluster, text };
  }

  it('moves all records with readable secrets, without a secret in the file', async () => {
    const { backupId, cluster, from, text } = await exported();
    const to = await open(receiverKeys);
    const before = Date.now();
    const { isIncomplete } = await importStore(to, parseExport(text), KEEP);

    assert.equal(isIncomplete, false);
    const [source, moved] = await Promise.all(
      [from, to].map(({ autoBackups }) => autoBackups.store.readOfVolume('p1', 'v1')),
    );
    assert.equal(moved?.id, backupId);
    assert.ok((moved?.handledUntil ?? 0) >= before, 'missed due times do not count');
    const trustId = from.autoBackups.delegations.open(source?.sealedDelegation ?? '').trustId;
    assert.equal(to.autoBackups.delegations.open(moved?.sealedDelegation ?? '').trustId, trustId);
    assert.deepEqual(await to.autoBackups.store.allIds(), [backupId]);
    assert.deepEqual(await to.liteClusters.readOpenOfProject('p1'), [cluster]);
    assert.equal(await to.liteClusters.readSecret(cluster, 'kubeconfig'), 'file of first');
    assert.deepEqual(await to.gpuQuotas.readLimits('defaults'), limit(2));
    assert.deepEqual(await to.gpuQuotas.readLimits({ projectId: 'p1' }), limit(5));
    const histories = [from, to].map(({ history }) =>
      history.read({ projectId: 'p1', readerId: undefined, limit: 10 }),
    );
    const [there, here] = await Promise.all(histories);
    assert.deepEqual(here, there);
    assert.deepEqual(here?.entries[0]?.request, DELETION);
    for (const secret of [trustId, 'file of first', 'join-secret']) assert.ok(!text.includes(secret), secret);
  });

  it('keeps what is stored, unless it is to be replaced', async () => {
    const { text } = await exported();
    const to = await open(receiverKeys);
    const file = parseExport(text);
    await importStore(to, file, KEEP);
    await to.gpuQuotas.updateLimits({ projectId: 'p1' }, limit(9));

    const again = await importStore(to, file, KEEP);
    assert.deepEqual([again.isIncomplete, again.lines.length], [false, 4]);
    assert.ok(again.lines.every((line) => /: 0 created, 0 replaced, [12] were there/.test(line)));
    assert.deepEqual(await to.gpuQuotas.readLimits({ projectId: 'p1' }), limit(9));
    const { lines } = await importStore(to, file, OVERWRITE);
    const replaced = lines.filter((line) => !line.startsWith('entries'));
    assert.ok(replaced.every((line) => /: 0 created, [12] replaced, 0 were there/.test(line)));
    assert.deepEqual(await to.gpuQuotas.readLimits({ projectId: 'p1' }), limit(5));
  });

  it('retires a delegation that it replaces, and not the same one', async () => {
    const { backupId, text } = await exported();
    const to = await open(receiverKeys);
    const { delegations, store } = to.autoBackups;
    const file = parseExport(text);
    const stored = async () => {
      const found = await store.read(backupId);
      return [found?.version, delegations.open(found?.sealedDelegation ?? '').trustId];
    };
    await importStore(to, file, KEEP);
    await importStore(to, file, OVERWRITE);
    assert.equal(await delegations.retiredOf(backupId), null);
    assert.deepEqual(await stored(), [2, 'trust-1']);

    // The first trust of each store has the same id.
    await to.backups.setUp(to.autoBackups, { volumeId: 'v2' });
    await to.backups.setUp(to.autoBackups);
    await delegations.revokeRetired({ requestId: 'req-1' });
    assert.deepEqual(await stored(), [3, 'trust-2']);
    await importStore(to, file, OVERWRITE);
    assert.deepEqual(await stored(), [4, 'trust-1']);
    assert.equal((await delegations.retiredOf(backupId))?.trustId, 'trust-2');
  });

  it('retires no delegation that it cannot read', async () => {
    const { backupId, from, text } = await exported();
    const to = await open(receiverKeys);
    await importStore(to, parseExport(text), KEEP);
    const otherKeys = [{ id: 'other', key: Buffer.alloc(32, 9) }];
    to.backups.sealingKeys = otherKeys;
    const { delegations, entries, store } = await to.backups.open();
    const liteClusters = new LiteClusterStore({ redis: to.redis.store, sealer: new Sealer(otherKeys) });
    const reopened = { ...to, autoBackups: { delegations, entries, store }, liteClusters };
    const { text: forOther } = await exportStore(from, new Sealer(otherKeys));

    await importStore(reopened, parseExport(forOther), OVERWRITE);

    assert.equal(await delegations.retiredOf(backupId), null);
    const moved = await store.read(backupId);
    assert.equal(delegations.open(moved?.sealedDelegation ?? '').trustId, 'trust-1');
  });

  it('refuses a record whose place is taken', async () => {
    const { text } = await exported();
    const to = await open(receiverKeys);
    const other = await to.backups.setUp(to.autoBackups);
    const cluster = await addCluster(to, 'first');

    const { isIncomplete, lines } = await importStore(to, parseExport(text), KEEP);
    assert.equal(isIncomplete, true);
    assert.equal(lines.filter((line) => line.includes('another one has its place')).length, 2);
    assert.deepEqual(await to.autoBackups.store.allIds(), [other]);
    assert.deepEqual(await to.liteClusters.readOpenOfProject('p1'), [cluster]);
  });

  it('names the sealing key of secrets that it cannot read', async () => {
    const { from, text } = await exported();
    const to = await open();
    const { isIncomplete, lines } = await importStore(to, parseExport(text), KEEP);

    assert.equal(isIncomplete, true);
    assert.equal(lines.filter((line) => line.includes('sealing key receiver')).length, 2);
    assert.deepEqual([await to.autoBackups.store.allIds(), await to.liteClusters.openIds()], [[], []]);
    assert.deepEqual(await to.gpuQuotas.readLimits('defaults'), limit(2), 'the rest is imported');
    from.backups.sealingKeys = receiverKeys;
    const rotated = { ...from, ...(await from.backups.open()) };
    const { delegations, entries, store } = rotated;
    const missing = await exportStore(
      { ...from, autoBackups: { delegations, entries, store } },
      new Sealer(receiverKeys),
    );
    assert.match(missing.lines.at(-1) ?? '', /auto backup of volume v1 is missing: .* sealing key old/);
  });

  it('passes over secrets of another key with the same id', async () => {
    const { from, text } = await exported();
    const to = await open([{ id: 'receiver', key: Buffer.alloc(32, 8) }]);
    const imported = await importStore(to, parseExport(text), KEEP);

    assert.equal(imported.isIncomplete, true);
    assert.equal(imported.lines.filter((line) => /refused: .* under the id receiver/.test(line)).length, 2);
    assert.deepEqual(await to.gpuQuotas.readLimits('defaults'), limit(2), 'the rest is imported');
    from.backups.sealingKeys = [{ id: 'old', key: Buffer.alloc(32, 8) }];
    const { delegations, entries, store } = await from.backups.open();
    const missing = await exportStore(
      { ...from, autoBackups: { delegations, entries, store } },
      new Sealer(receiverKeys),
    );
    assert.match(missing.lines.at(-1) ?? '', /auto backup of volume v1 is missing: .* under the id old/);
    assert.equal(missing.lines[1], 'lite clusters: 1');
  });

  it('refuses a file that is damaged or of another version', async () => {
    const { text } = await exported();
    const changed = (change: object) => JSON.stringify({ ...JSON.parse(text), ...change });

    assert.throws(() => parseExport('{"some": "file"}'), /not an export/);
    assert.throws(() => parseExport('no JSON'), /not an export/);
    assert.throws(
      () => parseExport(changed({ version: 2 })),
      /has version 2, and this release reads version 1/,
    );
    assert.throws(() => parseExport(changed({ auto_backups: [{ id: 'x' }] })), /auto_backups is not valid/);
    assert.throws(
      () => parseExport(changed({ lite_clusters: [{ id: '"x"' }] })),
      /lite_clusters is not valid/,
    );
    assert.throws(() => parseExport(changed({ gpu_quotas: {} })), /gpu_quotas is not valid/);
  });
});
