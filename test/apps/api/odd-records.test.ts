import assert from 'node:assert/strict';
import type { AccessRule, FileStorage, Flavor, Instance, Volume } from '@gateway/resources';
import {
  answers,
  backupOf,
  snapshotOf,
  storageCalls,
  transferOf,
  VOLUME_ID,
  volumeOf,
} from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { answersShare, rule, SHARE_PATH, share } from '../../support/api/file-storage.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

type Row = Record<string, unknown> & { id: string };

const servers = fixtureBody<Row[]>('compute/servers', 'servers');
const flavors = fixtureBody<Row[]>('compute/flavors', 'flavors');

function without(row: Row, ...fields: string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !fields.includes(name))) as Row;
}

describe('a list with odd rows', () => {
  const suite = apiSuite();

  function readable(rows: unknown[], listed: unknown[] = flavors): void {
    suite.cloud
      .reply('compute/servers', { body: { servers: rows } })
      .reply('block-storage/volumes')
      .reply('compute/flavors', { body: { flavors: listed } })
      .reply('image/images');
  }

  it('shows flavors whose extra specs a policy hides', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/flavors', {
      body: { flavors: flavors.map((flavor) => without(flavor, 'extra_specs')) },
    });

    const { body, headers, status } = await api.get<Flavor[]>('/api/flavors', { as: caller });

    assert.equal(status, 200);
    assert.equal(headers['x-incomplete'], undefined);
    assert.deepEqual(
      body.map(({ id, extra_specs, gpu_count, is_gpu }) => ({ id, extra_specs, gpu_count, is_gpu })),
      flavors.map(({ id }) => ({ id, extra_specs: {}, gpu_count: 0, is_gpu: false })),
    );
  });

  for (const field of [
    'image',
    'metadata',
    'addresses',
    'flavor',
    'os-extended-volumes:volumes_attached',
    'security_groups',
    'status',
  ]) {
    it(`shows all instances if one has no ${field}`, async () => {
      const api = await suite.start();
      const [plain, ...others] = servers as [Row, ...Row[]];
      const odd = [
        { ...plain, id: 'odd-1', [field]: null },
        { ...without(plain, field), id: 'odd-2' },
      ];
      readable([...odd, plain, ...others]);

      const { body, headers, status } = await api.get<Instance[]>('/api/instances', {
        as: suite.cloud.validCaller(newCaller()),
      });

      assert.equal(status, 200);
      assert.equal(headers['x-incomplete'], undefined);
      assert.deepEqual(
        body.map(({ id }) => id),
        ['odd-1', 'odd-2', ...servers.map(({ id }) => id)],
      );
      if (field !== 'image') return;
      for (const row of body.slice(0, 2)) assert.deepEqual([row.image_id, row.image_name], [null, null]);
    });
  }

  it('says that it lacks a row, also from the cache', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const [plain] = servers as [Row];
    readable([...servers, { ...plain, id: null }]);

    for (const query of ['', '', '?limit=1', '?refresh=true']) {
      if (query === '?refresh=true') {
        suite.cloud.reply('compute/servers').reply('block-storage/volumes');
      }
      const { body, headers } = await api.get<Instance[]>(`/api/instances${query}`, { as: caller });
      assert.equal(headers['x-incomplete'], query === '?refresh=true' ? undefined : 'true', query);
      assert.equal(body.length, query === '?limit=1' ? 1 : servers.length);
    }
  });

  it('says so if it shows rows of another list that lacks one', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/flavors', { body: { flavors: [...flavors, {}] } });
    const first = await api.get('/api/flavors', { as: caller });
    suite.cloud.reply('compute/servers').reply('block-storage/volumes').reply('image/images');

    const instances = await api.get('/api/instances', { as: caller });

    assert.deepEqual(
      [first, instances].map(({ headers }) => headers['x-incomplete']),
      ['true', 'true'],
    );
  });

  it('is counted', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/flavors', { body: { flavors: [...flavors, {}] } });

    await api.get('/api/flavors', { as: caller });

    const { metrics } = api.context;
    await metrics.metricsText();
    const { body } = await metrics.metricsText();
    assert.match(body, /^gateway_odd_records_total\{.*service="compute",record="flavor".*\} 1$/m);
  });
});

describe('block storage with odd rows', () => {
  const suite = apiSuite();
  const attachment = { attachment_id: 'a1', server_id: null, host_name: 'ctl-1', device: null };

  async function startWith(...roles: string[]) {
    const api = await suite.start();
    return { api, caller: suite.cloud.validCaller(newCaller(roles.length > 0 ? { roles } : {})) };
  }

  for (const field of Object.keys(volumeOf(newCaller())).filter((name) => name !== 'id')) {
    it(`shows all volumes if one has no ${field}`, async () => {
      const { api, caller } = await startWith();
      const plain = volumeOf(caller);
      const odd = [
        { ...plain, id: 'odd-1', [field]: null },
        { ...without(plain as unknown as Row, field), id: 'odd-2' },
        { ...plain, id: 'odd-3', [field]: {} },
      ];
      answers(suite.cloud, 'GET /volumes/detail', { volumes: [...odd, plain] });

      const { body, headers, status } = await api.get<Volume[]>('/api/volumes', { as: caller });

      assert.deepEqual([status, headers['x-incomplete']], [200, undefined]);
      assert.deepEqual(
        body.map(({ id }) => id),
        ['odd-1', 'odd-2', 'odd-3', VOLUME_ID],
      );
    });
  }

  for (const [path, call, key, row] of [
    ['volume-snapshots', '/snapshots/detail', 'snapshots', snapshotOf(newCaller())],
    ['volumes/backups', '/backups/detail', 'backups', backupOf()],
    ['volumes/transfers', '/volume-transfers/detail', 'transfers', transferOf(newCaller())],
  ] as const) {
    it(`shows all ${key} if some have nothing but an id`, async () => {
      const { api, caller } = await startWith();
      const nulls = Object.fromEntries(Object.keys(row).map((name) => [name, null]));
      answers(suite.cloud, `GET ${call}`, {
        [key]: [
          { id: 'odd-1' },
          { ...nulls, id: 'odd-2' },
          { ...row, volume_id: null },
          { ...row, id: null },
        ],
      });

      const { body, headers, status } = await api.get<{ id: string }[]>(`/api/${path}`, { as: caller });

      assert.deepEqual([status, headers['x-incomplete']], [200, 'true']);
      assert.deepEqual(
        body.map(({ id }) => id),
        ['odd-1', 'odd-2', row.id],
      );
    });
  }

  for (const status of ['in-use', 'error']) {
    it(`names the host of a volume that is ${status}`, async () => {
      const { api, caller } = await startWith();
      const volume = volumeOf(caller, { status, attachments: [attachment] });
      answers(suite.cloud, 'GET /volumes/detail', { volumes: [volume] });
      answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume }, { times: 3 });
      const shown = { server_id: '', server_name: null, host_name: 'ctl-1', device: '' };

      const list = await api.get<Volume[]>('/api/volumes', { as: caller });
      const single = await api.get<Volume>(`/api/volumes/${VOLUME_ID}`, { as: caller });
      const refusals = [
        await api.request<ErrorBody>('DELETE', `/api/volumes/${VOLUME_ID}`, { as: caller }),
        await api.post<ErrorBody>(`/api/volumes/${VOLUME_ID}/force-delete`, { as: caller }),
      ];

      assert.deepEqual([list.body[0]?.attachments, single.body.attachments], [[shown], [shown]]);
      assert.equal(single.body.allowed_actions.includes('delete'), false);
      for (const refusal of refusals) {
        assert.equal(refusal.status, 409);
        assert.doesNotMatch(refusal.body.detail, /null/);
        if (status === 'error') assert.match(refusal.body.detail, /it is attached to the host ctl-1\./);
      }
    });
  }

  it('does not take a failed volume without known attachments for unused', async () => {
    const { api, caller } = await startWith();
    for (const attachments of [null, undefined, {}]) {
      const volume = volumeOf(caller, { status: 'error', attachments });
      answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume });

      const answer = await api.request<ErrorBody>('DELETE', `/api/volumes/${VOLUME_ID}`, { as: caller });

      assert.equal(answer.status, 409);
      assert.match(answer.body.detail, /does not say what it is attached to/);
    }
  });

  it('lets the service decide about an available volume without known attachments', async () => {
    const { api, caller } = await startWith();
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller, { attachments: null }) });
    answers(suite.cloud, `DELETE /volumes/${VOLUME_ID}`, '', { status: 202 });

    const answer = await api.request('DELETE', `/api/volumes/${VOLUME_ID}`, { as: caller });

    assert.equal(answer.status, 204);
  });

  it('does not find what is of no known project', async () => {
    const { api, caller } = await startWith('admin');
    const nobodys = { 'os-vol-tenant-attr:tenant_id': null };
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller, nobodys) });
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf() });
    const snapshot = snapshotOf(caller, { 'os-extended-snapshot-attributes:project_id': null });
    answers(suite.cloud, 'GET /snapshots/snapshot-1', { snapshot });

    for (const path of [`volumes/${VOLUME_ID}`, 'volumes/backups/backup-1', 'volume-snapshots/snapshot-1']) {
      assert.equal((await api.request('DELETE', `/api/${path}`, { as: caller })).status, 404, path);
    }
    assert.deepEqual(
      storageCalls(suite.cloud).filter((call) => !call.startsWith('GET')),
      [],
    );
  });
});

describe('file storage with odd rows', () => {
  const suite = apiSuite();

  async function start() {
    const api = await suite.start();
    return { api, caller: suite.cloud.validCaller(newCaller({ projectId: share.project_id })) };
  }

  for (const field of Object.keys(share).filter((name) => name !== 'id')) {
    it(`shows all file storages if one has no ${field}`, async () => {
      const { api, caller } = await start();
      const odd = [
        { ...share, id: 'odd-1', [field]: null },
        { ...without(share as unknown as Row, field), id: 'odd-2' },
        { ...share, id: 'odd-3', [field]: {} },
      ];
      suite.cloud
        .reply('shared-file-system/shares', { body: { shares: [...odd, share], count: 4 } })
        .reply('shared-file-system/share-export-paths', {
          body: {
            shares: [
              { id: 'odd-1', export_locations: null },
              { id: 'odd-2' },
              { id: 'odd-3' },
              { id: share.id },
            ],
          },
        });

      const { body, headers, status } = await api.get<FileStorage[]>('/api/file-storage', { as: caller });

      assert.deepEqual([status, headers['x-incomplete']], [200, undefined]);
      assert.deepEqual(
        body.map(({ id }) => id),
        ['odd-1', 'odd-2', 'odd-3', share.id],
      );
    });
  }

  it('shows a share without metadata and locations', async () => {
    const { api, caller } = await start();
    answersShare(suite.cloud, { metadata: null });
    suite.cloud.reply('shared-file-system/export-locations', {
      body: { export_locations: [{ path: null }, { path: '192.0.2.20:/a' }] },
    });

    const { body, headers } = await api.get<FileStorage>(SHARE_PATH, { as: caller });

    assert.deepEqual([body.metadata, body.managed_by, body.export_locations], [{}, null, ['192.0.2.20:/a']]);
    assert.deepEqual(body.allowed_actions, ['remove_access_rule']);
    assert.equal(headers['x-incomplete'], 'true');
  });

  it('does not delete a share whose metadata it does not know', async () => {
    const { api, caller } = await start();
    answersShare(suite.cloud, { metadata: null });
    suite.cloud
      .reply('shared-file-system/access-rules', { body: { access_list: [] } })
      .reply('compute/servers', { body: { servers: [] } });

    const { body, status } = await api.request<ErrorBody>('DELETE', SHARE_PATH, { as: caller });

    assert.equal(status, 409);
    assert.match(body.detail, /does not say its metadata/);
  });

  it('does not find a share of no known project', async () => {
    const { api, caller } = await start();
    answersShare(suite.cloud, { project_id: null });

    assert.equal((await api.request('DELETE', SHARE_PATH, { as: caller })).status, 404);
  });

  it('shows rules of which it knows only the id, without a key', async () => {
    const { api, caller } = await start();
    const nulls = Object.fromEntries(Object.keys(rule).map((name) => [name, null]));
    const rules = [
      { id: 'odd-1' },
      { ...nulls, id: 'odd-2' },
      { ...rule, metadata: null, access_key: 'key' },
    ];
    answersShare(suite.cloud);
    suite.cloud.reply('shared-file-system/access-rules', { body: { access_list: rules } });

    const { body, status } = await api.get<AccessRule[]>(`${SHARE_PATH}/access-rules`, { as: caller });

    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ access_key, id }) => [id, access_key]),
      [
        ['odd-1', null],
        ['odd-2', null],
        [rule.id, null],
      ],
    );
  });
});
