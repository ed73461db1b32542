import { conflict, notFound } from '@gateway/core';
import { parseOverlayMetadata } from '@gateway/libraries';
import { requireWholeServer, UpstreamError } from '@gateway/openstack';
import { instanceActions } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { explainRefusal } from '../../resources/instance-state.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';
import { explainVolumeRefusal, isVolumeRefusal } from './volume-refusal.ts';

/**
 * @throws 404 for a volume that the instance does not have; 409 for its boot volume or upper volume, and in
 * wrong states
 */
export async function detachFromInstance(
  request: RequestContext,
  instanceId: string,
  volumeId: string,
): Promise<void> {
  const { openstack } = request;
  const server = await getOwnServer(request, instanceId);
  requireWholeServer(server);
  const attached = server['os-extended-volumes:volumes_attached'];
  if (!attached.some(({ id }) => id === volumeId)) throw notFound('The instance has no such volume.');
  if (parseOverlayMetadata(server.metadata ?? {}).upperVolumeId === volumeId) {
    throw conflict(
      'protected',
      "The volume cannot be detached: it is the writable layer of the instance's libraries, without which /workspace does not work.",
    );
  }
  requireAction(request, instanceActions.detach_volume, server);
  try {
    await openstack.compute.volumeAttachments.detach(server.id, volumeId);
  } catch (error) {
    if (isBootVolume(error))
      throw conflict('protected', 'The boot volume of an instance cannot be detached.');
    if (isVolumeRefusal(error)) {
      throw await explainVolumeRefusal(openstack, volumeId, 'The volume cannot be detached', error);
    }
    throw await explainRefusal(request, server.id, instanceActions.detach_volume, error);
  }
}

/** Only the service knows from which volume an instance boots. */
function isBootVolume(error: unknown): boolean {
  return error instanceof UpstreamError && /root device/i.test(error.upstreamMessage ?? '');
}
