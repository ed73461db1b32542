import { isKept, JOB_METADATA_KEY, toTimestamp } from '@gateway/core';
import { type BoundClient, knownMarks, nullIfNotFound, type ShareRecord } from '@gateway/openstack';
import { EVERYWHERE, type ResourceKind } from './kind.ts';
import { bestFirst, type JobMark } from './mark.ts';
import { type MarkedResource, marked, markOfMetadata } from './marked-resource.ts';
import { isGone, isStuck, type RemovalOptions, type RemovalRights } from './removal.ts';

export const share = {
  poll: [0.5, 3],
  leftovers: {
    resource: 'file_storage',
    service: 'sharedFileSystem',
    async list({ sharedFileSystem }, each) {
      for (const one of await sharedFileSystem.shares.list(EVERYWHERE)) each(toMarkedShare(one));
    },
    get: async ({ sharedFileSystem }, id) => toMarkedShare(await sharedFileSystem.shares.get(id)),
    remove: (rights, { id }, within) => removeShare(rights, id, within('shareSeconds')),
  },
} as const satisfies ResourceKind;

/** @param markKey the key of the share's metadata that holds the job's id */
export async function findShares(
  { sharedFileSystem }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
  markKey: string = JOB_METADATA_KEY,
): Promise<ShareRecord[]> {
  const shares = await sharedFileSystem.shares.listByName(name);
  const isMade = (one: ShareRecord) =>
    one.project_id === projectId && knownMarks('sharedFileSystem', one)[markKey] === jobId;
  return bestFirst(shares.filter(isMade), ({ created_at }) => created_at);
}

/** The shares that instances fill themselves contain their job under another key. */
export function toMarkedShare({ created_at, id, metadata, name, project_id }: ShareRecord): MarkedResource {
  const mark = markOfMetadata(metadata);
  return marked(
    'share',
    { ...mark, jobId: mark.jobId ?? metadata?.overlay_instance ?? null },
    {
      id,
      name,
      projectId: project_id,
      createdAt: toTimestamp(created_at),
      use: metadata?.overlay_status === 'ready' ? 'Instances use it as a prebuilt library.' : null,
      isKept: isKept({ metadata }),
    },
  );
}

export async function removeShare(rights: RemovalRights, id: string, options: RemovalOptions): Promise<void> {
  const { polls, sharedFileSystem } = rights.remover();
  const { shares } = sharedFileSystem;
  const record = await nullIfNotFound(shares.get(id));
  if (record === null) return;
  const force = isStuck(record, options) ? await rights.forcer() : null;
  const removal =
    force === null ? () => shares.remove(id) : () => force.sharedFileSystem.shares.forceDelete(id);
  if (record.status !== 'deleting' && (await isGone(removal()))) return;
  await polls.waitForGone('share', id, {
    ...options,
    describe: 'The share',
    failedStates: ['error_deleting'],
  });
}
