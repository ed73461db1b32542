import { conflict, invalidInput } from '@gateway/core';
import type { ShareSource } from '@gateway/jobs';
import { reservedKeys } from '@gateway/libraries';
import type { ShareCreate, ShareRecord } from '@gateway/openstack';
import {
  type FileStorage,
  mountablePaths,
  nameFileStorages,
  presentFileStorage,
  presentFileStorageQuota,
  shareFields,
} from '@gateway/resources';
import { followResourceJob } from '../../flows/follow-resource-job.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import { reportChanges } from '../../pipeline/report-changes.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { createOnce } from '../../resources/create-once.ts';
import { getOwnShareNetwork, getOwnShareSnapshot } from '../../resources/own-records.ts';
import { findShare } from './find-share.ts';
import { removeShare } from './remove-share.ts';
import type { CreateFileStorageBody } from './schemas.ts';
import { withQuotaValues } from './with-quota-values.ts';

type CreateRequest = RequestContext<unknown, unknown, CreateFileStorageBody>;
type ShareRequest = RequestContext<{ file_storage_id: string }>;

export async function getFileStorage(request: ShareRequest): Promise<FileStorage> {
  const { share, client } = await findShare(request, request.params.file_storage_id);
  const locations = await client.sharedFileSystem.exportLocations.list(share.id);
  return present(request, share, mountablePaths(locations));
}

export async function createFileStorage(request: CreateRequest): Promise<FileStorage> {
  const { app, body, openstack } = request;
  const { metadata = {}, share_network_id, share_type } = body;
  refuseReservedKeys(metadata);
  if (share_network_id !== undefined) await getOwnShareNetwork(request, share_network_id);
  const source = await findSource(request);
  const wanted: ShareCreate = {
    name: body.name,
    size: body.size_gb,
    ...(await shareFields(openstack, app.config.fileStorage, {
      protocol: body.share_proto,
      shareType: share_type,
      shareNetworkId: share_network_id,
      source,
    })),
  };
  const { shares } = openstack.sharedFileSystem;
  const share = await withQuotaValues(openstack, wanted.size, () =>
    createOnce(request, {
      service: 'sharedFileSystem',
      create: (mark) => shares.create({ ...wanted, metadata: { ...metadata, ...mark } }),
      list: () => shares.listByName(body.name),
    }),
  );
  return present(request, share, []);
}

/**
 * The snapshot that fills the share; null without one. The service takes type and network from its share.
 *
 * @throws 404, 409 for a snapshot that is not available, 400 for a size below its own
 */
async function findSource(request: CreateRequest): Promise<ShareSource | null> {
  const { body } = request;
  if (body.snapshot_id === undefined) return null;
  const { id, share_proto, size, status } = await getOwnShareSnapshot(request, body.snapshot_id);
  if (status !== 'available') {
    throw conflict('wrong_state', `The snapshot is ${status}. A file storage needs one that is available.`);
  }
  if (body.size_gb >= size) return { share_proto, snapshot_id: id };
  const message = `must be at least ${size}, the size of the snapshot`;
  throw invalidInput(`The size of the file storage ${message}.`, {
    errors: [{ field: 'body.size_gb', message }],
  });
}

async function present(
  request: RequestContext,
  share: ShareRecord,
  exportPaths: readonly string[],
): Promise<FileStorage> {
  const sources = sourcesOf(request);
  const row = presentFileStorage(share, exportPaths, request.app.config.libraries, sources);
  await nameFileStorages(sources, [row]);
  return row;
}

export async function createFileStorageAsync(request: CreateRequest) {
  const { metadata = {}, name, share_network_id, share_proto, share_type, size_gb } = request.body;
  refuseReservedKeys(metadata);
  if (share_network_id !== undefined) await getOwnShareNetwork(request, share_network_id);
  const source = await findSource(request);
  const wanted = {
    name,
    sizeGb: size_gb,
    protocol: share_proto,
    shareType: share_type ?? null,
    shareNetworkId: share_network_id ?? null,
    metadata,
    ...(source !== null && { source }),
  };
  return followResourceJob(request, 'share.create', wanted, { resourceName: name });
}

export async function deleteFileStorage(request: ShareRequest): Promise<void> {
  const found = await findShare(request, request.params.file_storage_id);
  try {
    await removeShare(request, found);
  } finally {
    // A prebuilt share may belong to another project, and all projects see its library.
    if (found.isPrebuilt) await reportChanges(request, found.share.project_id, ['file_storage', 'library']);
  }
}

export async function getFileStorageQuota({ openstack }: RequestContext) {
  return presentFileStorageQuota(await openstack.sharedFileSystem.limits.get());
}

function refuseReservedKeys(metadata: Record<string, string>): void {
  const reserved = reservedKeys(metadata);
  if (reserved.length === 0) return;
  throw invalidInput(`These metadata keys are reserved for the gateway: ${reserved.join(', ')}.`, {
    errors: reserved.map((key) => ({
      field: `body.metadata.${key}`,
      message: 'is reserved for the gateway',
    })),
  });
}
