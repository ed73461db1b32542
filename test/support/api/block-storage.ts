import type { BackupRecord, SnapshotRecord, TransferRecord, VolumeRecord } from '@gateway/openstack';
import { fixture, fixtureBody } from '../doubles/upstream.ts';
import type { TestCaller } from './factories.ts';
import type { FakeCloud } from './fake-cloud.ts';
import { serviceCalls } from './service-calls.ts';

const ROOT = /^\/v3\/[^/]+/.exec(fixture('block-storage/volume').request.path)?.[0] ?? '';
/** The calls to the block storage service. */
export const { answers, calls: storageCalls } = serviceCalls('block-storage/volume', ROOT);

export const VOLUME_ID = '0a1b2c3d-0000-4000-8000-00000000000a';

/** The metadata of what a request creates. */
export const MARKED = { gateway_request: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ };

/** Differences from a recorded row: what the service sends may be anything. */
type Differences<T> = { [Field in keyof T]?: unknown };

/** An available volume of the caller's project, as the service sends it. */
export function volumeOf(caller: TestCaller, differences: Differences<VolumeRecord> = {}): VolumeRecord {
  return {
    ...fixtureBody<VolumeRecord>('block-storage/volume', 'volume'),
    id: VOLUME_ID,
    status: 'available',
    attachments: [],
    'os-vol-tenant-attr:tenant_id': caller.projectId,
    ...differences,
  } as never;
}

export function backupOf(differences: Differences<BackupRecord> = {}): BackupRecord {
  return {
    ...fixtureBody<BackupRecord>('block-storage/backup', 'backup'),
    id: 'backup-1',
    name: 'nightly',
    volume_id: VOLUME_ID,
    created_at: '2026-11-22T01:59:01.000000',
    ...differences,
  } as never;
}

export function snapshotOf(
  caller: TestCaller,
  differences: Differences<SnapshotRecord> = {},
): SnapshotRecord {
  return {
    ...fixtureBody<SnapshotRecord>('block-storage/snapshot', 'snapshot'),
    id: 'snapshot-1',
    name: 'before',
    description: null,
    volume_id: VOLUME_ID,
    created_at: '2026-11-22T02:02:25.000000',
    'os-extended-snapshot-attributes:project_id': caller.projectId,
    ...differences,
  } as never;
}

export function transferOf(
  caller: TestCaller,
  differences: Differences<TransferRecord> = {},
): TransferRecord {
  return {
    ...fixtureBody<TransferRecord>('block-storage/transfer', 'transfer'),
    id: 'transfer-1',
    name: null,
    volume_id: VOLUME_ID,
    created_at: '2026-11-22T02:02:28.944864',
    source_project_id: caller.projectId,
    ...differences,
  } as never;
}

/** Declares a call that the service refuses with 400, the status it has for most states. */
export function refuses(cloud: FakeCloud, call: string, message: string): void {
  answers(cloud, call, { badRequest: { code: 400, message } }, { status: 400 });
}
