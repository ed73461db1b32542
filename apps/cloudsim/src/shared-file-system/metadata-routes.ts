import { isObject } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import type { SharedFileSystemCall } from './cloud.ts';
import { validMetadata } from './metadata.ts';
import { ownShare, shareOf } from './share-of-call.ts';

/** Checks the metadata that the share would have after the change. */
function change(replace: boolean): (call: SharedFileSystemCall) => Reply {
  return (call) => {
    const share = ownShare(call, 'update_share_metadata');
    const input = isObject(call.body) ? call.body.metadata : undefined;
    if (!isObject(input)) throw badRequest('Malformed request body');
    share.metadata = validMetadata(replace ? input : { ...share.metadata, ...input });
    return ok({ metadata: share.metadata });
  };
}

function remove(call: SharedFileSystemCall): Reply {
  const share = ownShare(call, 'delete_share_metadata');
  const key = call.params.key ?? '';
  if (!(key in share.metadata)) throw notFound('MetadataItemNotFound: Metadata item is not found.');
  delete share.metadata[key];
  return ok(undefined);
}

export const metadataOperations = [
  operation('shares.get_metadata', 'GET /shares/:id/metadata', (call: SharedFileSystemCall) =>
    ok({ metadata: shareOf(call).metadata }),
  ),
  operation('shares.set_metadata', 'POST /shares/:id/metadata', change(false)),
  operation('shares.replace_metadata', 'PUT /shares/:id/metadata', change(true)),
  operation('shares.delete_metadata', 'DELETE /shares/:id/metadata/:key', remove),
];
