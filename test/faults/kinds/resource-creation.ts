import { JOB_METADATA_KEY, KEEP_VOLUME_METADATA } from '@gateway/core';
import { eventually } from '../../support/eventually.ts';
import type { Kind } from '../kind.ts';
import type { Rig, StartedJob } from '../rig.ts';

/** Calls of the jobs that create one resource of a user. */
export const storage = 'block-storage';

/** What kinds of such jobs have in common. */
export const resourceCreation = {
  runsSlowFaults: true,
  isCancellable: true,
  prepare: async () => '',
} satisfies Partial<Kind>;

export async function startResourceJob(
  rig: Rig,
  path: string,
  { body, requestId }: { body: object; requestId: string },
): Promise<StartedJob> {
  const stream = await rig.gateway(0).startJob(path, body, requestId);
  return { jobId: stream.headers.get('x-job-id') ?? '', stream };
}

/** Creates a volume past the gateway, and waits until it is available. */
export async function prepareVolume(rig: Rig, sizeGb = 1): Promise<string> {
  const { volume } = await rig.cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
    volume: {
      name: 'prepared',
      size: sizeGb,
      // As of a volume that an earlier job has created.
      metadata: { ...KEEP_VOLUME_METADATA, [JOB_METADATA_KEY]: 'earlier' },
    },
  });
  await becomes(rig, `/volumes/${volume.id}`, 'available');
  return volume.id;
}

export async function becomes(rig: Rig, path: string, wanted: string): Promise<void> {
  await eventually(async () => {
    const [record] = Object.values(
      await rig.cloud.call<Record<string, { status: string }>>('volumev3', 'GET', path),
    );
    return record?.status === wanted;
  });
}
