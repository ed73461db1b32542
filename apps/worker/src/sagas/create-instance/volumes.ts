import { type VolumeRecord, waitForStatus } from '@gateway/openstack';
import { waiting } from '../waiting.ts';
import type { CreateStepContext } from './saga.ts';

/** The volume that an interrupted run of this job made, by its name. */
export async function findVolume(context: CreateStepContext, name: string): Promise<VolumeRecord | null> {
  const volumes = await context.remover().blockStorage.volumes.listByName(name);
  // A service that does not tell the project was asked for this one's volumes only.
  const isOwn = ({ metadata, 'os-vol-tenant-attr:tenant_id': projectId = context.projectId }: VolumeRecord) =>
    metadata.gateway_job_id === context.jobId && projectId === context.projectId;
  return volumes.find(isOwn) ?? null;
}

export async function awaitAvailable(
  context: CreateStepContext,
  volumeId: string,
  describe: string,
): Promise<undefined> {
  const { volumes } = context.owner().blockStorage;
  await waitForStatus(() => volumes.get(volumeId), statusOf, {
    ...waiting(context, describe, context.config.timeLimits.volumeSeconds),
    // A server that was already made from it by an earlier run has it in use.
    target: ['available', 'in-use'],
    failure: ['error', 'error_deleting', 'error_managing'],
  });
  return undefined;
}

function statusOf({ status }: VolumeRecord): string {
  return status;
}
