import assert from 'node:assert/strict';
import {
  hasMark,
  judge,
  type MarkedResource,
  type Owners,
  toMarkedBackup,
  toMarkedShare,
  toMarkedVolume,
} from '@gateway/inventory';
import type { OwningJob } from '@gateway/jobs';
import { type VolumeRecord, volumeRecord } from '@gateway/openstack';
import { asRecord } from '../../../support/doubles/as-record.ts';
import { fixtureBody } from '../../../support/doubles/upstream.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const SECOND = 1000;
const options = { now: NOW, keepSeconds: 86_400, lateCallSeconds: 120 };
const ended: OwningJob = {
  type: 'instance.create',
  status: 'failed',
  projectId: 'p1',
  updatedAt: NOW,
  isSwept: false,
  isInterrupted: false,
};
const volume: MarkedResource = {
  type: 'volume',
  id: 'v1',
  name: 'made',
  projectId: 'p1',
  createdAt: '2026-06-01T11:59:00Z',
  jobId: 'j1',
  instanceId: null,
  clusterId: null,
  use: null,
  isKept: false,
  isRestored: false,
  serverIds: [],
};

interface Known {
  job?: Partial<OwningJob> | null;
  /** As it was before the servers were read; the same by default. */
  before?: Partial<OwningJob>;
  underDeletion?: string[];
  servers?: Partial<Record<keyof Owners['servers'], string[]>>;
  clusters?: Record<string, 'present' | 'removing' | 'gone'>;
  clusterJobIds?: string[];
  leftovers?: Owners['leftovers'];
  restoredAt?: number | undefined;
}

function ownersOf(known: Known): Owners {
  const { before, clusters = {}, clusterJobIds = [], job = {}, servers = {}, underDeletion = [] } = known;
  const jobs = (one: Partial<OwningJob> | null) =>
    new Map(one === null ? [] : [['j1', { ...ended, ...one }]]);
  const { ids = [], jobIds = [], layerIds = [], unreadProjects = [] } = servers;
  return {
    before: { jobs: jobs(before ?? job) },
    after: { jobs: jobs(job), underDeletion: new Set(underDeletion), restoredAt: known.restoredAt ?? null },
    leftovers: known.leftovers ?? new Map(),
    clusters: new Map(Object.entries(clusters)),
    clusterJobIds: new Set(clusterJobIds),
    servers: {
      ids: new Set(ids),
      jobIds: new Set(jobIds),
      layerIds: new Set(layerIds),
      unreadProjects: new Set(unreadProjects),
    },
  };
}

/** `owned`, `stray`, or `doubt` for a stray with a doubt. */
function verdict(changes: Partial<MarkedResource>, known: Known = {}): string {
  const found = judge({ ...volume, ...changes }, ownersOf(known), options);
  return found.kind === 'stray' && found.doubt !== null ? 'doubt' : found.kind;
}

const at = (secondsAgo: number) => new Date(NOW - secondsAgo * SECOND).toISOString();

const listed: Owners['leftovers'] = new Map([
  [
    'volume:v1',
    {
      type: 'volume',
      id: 'v1',
      reason: 'It is busy.',
      jobId: 'j1',
      jobType: 'instance.create',
      projectId: 'p1',
    },
  ],
]);

/** The known owners, and the resulting verdict on a resource with the mark of the job `j1`. */
const cases: [title: string, changes: Partial<MarkedResource>, known: Known, expected: string][] = [
  ['its job has failed', {}, {}, 'stray'],
  ['its job was cancelled', {}, { job: { status: 'cancelled' } }, 'stray'],
  ['its job has completed, and no server has its mark', {}, { job: { status: 'completed' } }, 'stray'],
  ['its job has listed it', {}, { leftovers: listed }, 'stray'],
  ['its job has listed it, and another project has it', { projectId: 'p2' }, { leftovers: listed }, 'doubt'],
  ['its job runs', {}, { job: { status: 'running' } }, 'owned'],
  ['its job is queued', {}, { job: { status: 'queued' } }, 'owned'],
  ['its job ran before the servers were read', {}, { before: { status: 'running' } }, 'owned'],
  ['its job is still swept', {}, { job: { isSwept: true } }, 'owned'],
  ['a server has its mark', {}, { servers: { jobIds: ['j1'] } }, 'owned'],
  ['servers of its project cannot be read', {}, { servers: { unreadProjects: ['p1'] } }, 'owned'],
  ['servers of another project cannot be read', {}, { servers: { unreadProjects: ['p2'] } }, 'stray'],
  ['a server without a project cannot be read', {}, { servers: { unreadProjects: [''] } }, 'owned'],
  [
    'its project is not known, and not all servers can be read',
    { projectId: '' },
    { servers: { unreadProjects: ['p2'] } },
    'owned',
  ],
  ['a deletion works on it', {}, { underDeletion: ['v1'] }, 'owned'],
  ['it is attached', { serverIds: ['s1'] }, { servers: { ids: ['s1'] } }, 'owned'],
  ['it was attached to a server that is gone', { serverIds: ['s1'] }, {}, 'stray'],
  ['its own record says that it is in use', { use: 'It is kept.' }, {}, 'owned'],
  ['its job was created by another project', { projectId: 'p2' }, {}, 'doubt'],
  ['it was created long after the end of its job', { createdAt: at(-600) }, {}, 'doubt'],
  ['the service does not say when it was created', { createdAt: null }, {}, 'doubt'],
  ['a late call of its job created it', { createdAt: at(-100) }, {}, 'stray'],
  ['nobody knows its job', {}, { job: null }, 'doubt'],
  ['nobody knows the job of an old port', { type: 'port', createdAt: at(90_000) }, { job: null }, 'stray'],
  ['nobody knows the job of a young port', { type: 'port' }, { job: null }, 'doubt'],
  ['nobody knows the age of a port', { type: 'port', createdAt: null }, { job: null }, 'doubt'],
  ['a port was created after its job', { type: 'port', createdAt: at(-600) }, {}, 'stray'],
  ['its cluster is there', { clusterId: 'c1' }, { clusters: { c1: 'present' } }, 'owned'],
  ['its cluster is being deleted', { clusterId: 'c1' }, { clusters: { c1: 'removing' } }, 'owned'],
  ['its cluster is gone', { clusterId: 'c1' }, { clusters: { c1: 'gone' } }, 'stray'],
  ['its job has created a cluster that is there', {}, { clusterJobIds: ['j1'] }, 'owned'],
  ['a server of a failed job', { type: 'server' }, {}, 'stray'],
  [
    'a server of a completed job is an instance',
    { type: 'server' },
    { job: { status: 'completed' } },
    'owned',
  ],
  ['a server whose job is not known may be an instance', { type: 'server' }, { job: null }, 'owned'],
  [
    'a builder outlives its build',
    { type: 'server', projectId: 'service' },
    { job: { type: 'library.build', status: 'completed' } },
    'stray',
  ],
  [
    'a verifier outlives its verification',
    { type: 'server', projectId: 'service' },
    { job: { type: 'library.verify', status: 'completed' } },
    'stray',
  ],
  [
    'a node outlives its cluster',
    { type: 'server', clusterId: 'c1' },
    { job: null, clusters: { c1: 'gone' } },
    'stray',
  ],
  ['nobody knows the cluster of a node', { type: 'server', clusterId: 'c1' }, { job: null }, 'owned'],
  ['a node of a deletion', { type: 'server', id: 's1' }, { underDeletion: ['s1'] }, 'owned'],
  ['a restored volume of a failed job', { isRestored: true }, {}, 'owned'],
  ['a restored volume of a job that is not known', { isRestored: true }, { job: null }, 'owned'],
  ['a kept resource of a completed job', { isKept: true }, { job: { status: 'completed' } }, 'owned'],
  ['a kept resource of a failed job', { isKept: true }, {}, 'stray'],
  ['a kept resource of a job that is not known', { isKept: true }, { job: null }, 'owned'],
  ['a share that a server mounts', { type: 'share' }, { servers: { layerIds: ['v1'] } }, 'owned'],
  ['its instance is there', ofInstance(), { job: null, servers: { ids: ['i1'] } }, 'owned'],
  ['its instance is being deleted', ofInstance(), { job: null, underDeletion: ['i1'] }, 'owned'],
  ['its instance is gone', ofInstance(), { job: null }, 'stray'],
];

function ofInstance(): Partial<MarkedResource> {
  return { type: 'floating_ip', jobId: null, instanceId: 'i1' };
}

describe('whether a marked resource is a leftover', () => {
  for (const [title, changes, known, expected] of cases) {
    it(`${expected}: ${title}`, () => assert.equal(verdict(changes, known), expected));
  }

  it('follows from its failed removal, unless it is in use', () => {
    const left = { type: 'volume', id: 'v1', reason: 'Stuck.', jobId: 'j2', projectId: 'p1' };
    const leftovers = new Map([['volume:v1', { ...left, jobType: 'instance.delete' as const }]]);
    const known = { job: { isSwept: true }, leftovers };
    assert.deepEqual(judge(volume, ownersOf(known), options), {
      kind: 'stray',
      reason: 'Stuck.',
      doubt: null,
    });
    assert.equal(verdict({ serverIds: ['s1'] }, { ...known, servers: { ids: ['s1'] } }), 'owned');
    const overwritten = judge({ ...volume, isRestored: true }, ownersOf(known), options);
    assert.match(overwritten.kind === 'stray' ? (overwritten.doubt ?? '') : '', /A backup was restored/);
  });
});

describe('a leftover after a restore of the store', () => {
  it('is in doubt if its job was interrupted', () => {
    const server = { ...volume, type: 'server' } as const;
    const found = judge(server, ownersOf({ job: { isInterrupted: true } }), options);

    assert.match(found.kind === 'stray' ? (found.doubt ?? '') : '', /may have completed since the copy/);
  });

  it('is in doubt if its job is unknown and it is older', () => {
    const port = { ...volume, type: 'port', createdAt: '2026-01-01T00:00:00Z' } as const;
    const doubtOf = (restoredAt?: number) => {
      const found = judge(port, ownersOf({ job: null, restoredAt }), options);
      return found.kind === 'stray' ? found.doubt : found.reason;
    };

    assert.equal(doubtOf(), null);
    assert.equal(doubtOf(Date.parse('2025-12-31T23:00:00Z')), null);
    assert.match(doubtOf(NOW) ?? '', /older than the last restore/);
  });
});

describe('the record of a resource', () => {
  const [record] = fixtureBody<VolumeRecord[]>('block-storage/volumes', 'volumes');

  it('says whether a volume is in use', () => {
    assert.ok(record);
    const useOf = (changes: Partial<VolumeRecord>) => toMarkedVolume({ ...record, ...changes }).use;
    for (const status of ['available', 'error', 'error_deleting', 'in-use', 'reserved', 'creating']) {
      assert.equal(useOf({ status, metadata: {} }), null, status);
    }
    for (const status of ['attaching', 'backing-up', 'restoring-backup', 'extending', 'awaiting-transfer']) {
      assert.match(useOf({ status, metadata: {} }) ?? '', new RegExp(status));
    }
  });

  it('says whether a volume may be attached to a host', () => {
    const useOf = (changes: object) => toMarkedVolume(asRecord(volumeRecord, { ...record, ...changes })).use;
    const attachment = { attachment_id: 'a1', server_id: null, host_name: 'ctl-1' };

    assert.equal(useOf({ status: 'error', attachments: [attachment] }), 'It is attached to the host ctl-1.');
    assert.equal(useOf({ status: 'error', attachments: [null] }), 'It is attached to a host.');
    assert.match(useOf({ status: 'error', attachments: null }) ?? '', /does not say what it is attached to/);
    assert.equal(useOf({ status: 'available', attachments: null }), null);
  });

  it('has no mark without metadata, and belongs to its user', () => {
    const made = toMarkedVolume(asRecord(volumeRecord, { id: 'v1', metadata: null }));

    assert.deepEqual([hasMark(made), made.isKept, made.projectId], [false, true, '']);
  });

  it('says what belongs to its user once its job has completed', () => {
    const isKeptVolume = (metadata: Record<string, string>) =>
      toMarkedVolume({ status: 'available', attachments: [], metadata } as never).isKept;
    assert.deepEqual([isKeptVolume({}), isKeptVolume({ gateway_keep_volume: 'true' })], [false, true]);
    const isKeptShare = (metadata: Record<string, string>) => toMarkedShare({ metadata } as never).isKept;
    assert.deepEqual([isKeptShare({}), isKeptShare({ gateway_keep_share: 'true' })], [false, true]);
    assert.equal(toMarkedBackup({ metadata: {} } as never).isKept, true);
  });

  it('says whether a backup was restored into a volume', () => {
    const isRestored = (metadata: Record<string, string>) =>
      toMarkedVolume({ status: 'available', attachments: [], metadata } as never).isRestored;
    assert.deepEqual([isRestored({}), isRestored({ src_backup_id: 'b1' })], [false, true]);
  });

  it('says whether a share is a prebuilt library', () => {
    const share = (status: string) =>
      toMarkedShare({ metadata: { gateway_job_id: 'j1', overlay_status: status } } as never);
    assert.match(share('ready').use ?? '', /library/);
    assert.deepEqual([share('building').use, share('building').jobId], [null, 'j1']);
  });
});
