import { jobDescription } from '@gateway/core';
import type { BoundClient, ImageRecord, ProjectClient } from '@gateway/openstack';
import type { ResourceKind } from './kind.ts';
import { bestFirst, type JobMark } from './mark.ts';
import { isGone } from './removal.ts';

export const image = { poll: [1, 10], leftovers: null } as const satisfies ResourceKind;

/** Images that are not published yet: until then they are named after their job. */
export async function findImages(
  { image: { images } }: BoundClient,
  { jobId, projectId }: JobMark,
): Promise<ImageRecord[]> {
  const name = jobDescription(jobId);
  const found = await images.list({ name, owner: projectId });
  const isMade = (record: ImageRecord) => record.name === name && record.owner === projectId;
  return bestFirst(found.filter(isMade), ({ created_at }) => created_at);
}

export async function removeImage({ image: { images } }: ProjectClient, id: string): Promise<void> {
  await isGone(images.remove(id));
}
