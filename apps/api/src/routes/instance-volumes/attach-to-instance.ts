import { conflict, sleep } from '@gateway/core';
import { UpstreamError, type VolumeRecord } from '@gateway/openstack';
import {
  type AttachedVolume,
  instanceActions,
  presentAttachedVolume,
  volumeActions,
} from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { explainRefusal } from '../../resources/instance-state.ts';
import { getOwnVolume } from '../../resources/own-records.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';
import { explainVolumeRefusal, isVolumeRefusal } from './volume-refusal.ts';

/** Statuses that a volume soon leaves by itself. */
const PASSING = ['creating', 'downloading', 'detaching'];

/**
 * Attaches a volume of the project, once it is ready. The compute service checks the states of both again.
 *
 * @throws 404 for an instance or a volume of another project, 409 with the state of the one that forbids it
 */
export async function attachToInstance(
  request: RequestContext,
  instanceId: string,
  volumeId: string,
): Promise<AttachedVolume> {
  const { openstack } = request;
  const server = await getOwnServer(request, instanceId);
  const volume = await readWhenReady(request, volumeId);
  requireAction(request, instanceActions.attach_volume, server);
  requireUnattached(volume, server.id);
  requireAction(request, volumeActions.attach, volume);
  try {
    const attachment = await openstack.compute.volumeAttachments.attach(server.id, {
      volumeId,
      delete_on_termination: false,
    });
    return presentAttachedVolume(attachment, await readAttaching(request, volume), server);
  } catch (error) {
    throw await explainAttachRefusal(request, server.id, volumeId, error);
  }
}

/** The volume when it has left its transient status, or when the time limit is over. */
async function readWhenReady(request: RequestContext, volumeId: string): Promise<VolumeRecord> {
  const { config, waitAbort } = request.app;
  const deadline = performance.now() + config.timeLimits.volumeReadySeconds * 1000;
  for (;;) {
    const volume = await getOwnVolume(request, volumeId);
    const isOver = performance.now() >= deadline || waitAbort.signal.aborted;
    if (isOver || !PASSING.includes(volume.status)) return volume;
    await sleep(config.jobs.pollIntervalMs, waitAbort.signal).catch(() => {});
  }
}

function requireUnattached({ attachments, status }: VolumeRecord, serverId: string): void {
  if (attachments?.some(({ server_id }) => server_id === serverId)) {
    throw conflict(
      'already_done',
      `The volume is attached to this instance already: its status is ${status}.`,
    );
  }
}

/**
 * The volume after the attachment was accepted. If it cannot be read, the earlier record with the status
 * `attaching`.
 */
async function readAttaching({ logger, openstack }: RequestContext, before: VolumeRecord) {
  try {
    return await openstack.blockStorage.volumes.get(before.id);
  } catch (error) {
    logger.debug('A volume could not be read after it was attached', { error });
    return { ...before, status: 'attaching' };
  }
}

async function explainAttachRefusal(
  request: RequestContext,
  serverId: string,
  volumeId: string,
  error: unknown,
): Promise<unknown> {
  if (isVolumeRefusal(error)) {
    return explainVolumeRefusal(request.openstack, volumeId, volumeActions.attach.refusal, error);
  }
  return explainRefusal(
    request,
    serverId,
    instanceActions.attach_volume,
    error,
    isDiskLimit(error) ? [403] : [409],
  );
}

/** The service answers 403 if the instance can have no more disks. */
function isDiskLimit(error: unknown): boolean {
  return error instanceof UpstreamError && /disk devices/i.test(error.upstreamMessage ?? '');
}
