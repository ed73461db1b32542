import {
  INTERRUPTED,
  type JobRecord,
  lastStep,
  type ProgressMessage,
  type QueuedJob,
  readLastMessage,
} from '@gateway/jobs';
import type { Redis } from '@gateway/store';

/**
 * The last message of a job that a restore has ended. Has the fields of its earlier messages, besides the ids
 * of what the job was creating, which no failed job has.
 */
export async function interruptedMessage(
  redis: Redis,
  { id, type }: JobRecord,
  queued: QueuedJob | null,
): Promise<ProgressMessage> {
  const { detail, code } = INTERRUPTED;
  const earlier = await readLastMessage(redis, id);
  const message = {
    ...(earlier ?? firstFields(queued)),
    ...lastStep(type, 'FAILED'),
    message: detail,
    error: detail,
    code,
  };
  if (type === 'instance.create') return { ...message, instance_id: null } as ProgressMessage;
  if (type === 'volume.auto-backup') return { ...message, backup_id: null } as ProgressMessage;
  return message;
}

/** The fields that the messages of a job's type have, before the first message. */
function firstFields(queued: QueuedJob | null): object {
  const payload: Partial<Record<string, unknown>> = { ...queued?.payload };
  const { clusterId, volumeId } = payload;
  return {
    ...(clusterId !== undefined && { cluster_id: clusterId }),
    ...(volumeId !== undefined && { volume_id: volumeId }),
  };
}
