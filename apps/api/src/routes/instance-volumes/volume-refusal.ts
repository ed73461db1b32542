import { conflict, type GatewayError, notFound, trimEndChars } from '@gateway/core';
import { type BoundClient, nullIfNotFound, UpstreamError } from '@gateway/openstack';
import { ifBlockStorageStays } from '@gateway/resources';

/** The compute service answers 400 if the state of the volume forbids the request. */
export function isVolumeRefusal(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.upstreamStatus === 400;
}

/** A 409 with the state that the volume has now and the service's reason; 404 if the volume is gone. */
export async function explainVolumeRefusal(
  { blockStorage }: BoundClient,
  volumeId: string,
  refusal: string,
  error: UpstreamError,
): Promise<GatewayError> {
  const volume = await nullIfNotFound(blockStorage.volumes.get(volumeId));
  if (volume === null) return noSuchVolume();
  const detail = `${refusal}: its status is ${volume.status}, and the compute service says: ${trimEndChars(error.message, '.')}.`;
  return conflict('wrong_state', detail + ifBlockStorageStays(volume), {
    cause: error,
    upstream: error.upstream,
  });
}

function noSuchVolume(): GatewayError {
  return notFound('There is no such volume in this project.');
}
