import type { MarkedResource } from '@gateway/inventory';
import { removeBackup } from '../resources/backup-removal.ts';
import {
  type RemovalRights,
  removeFloatingIp,
  removePort,
  removeSecurityGroup,
  removeServer,
  removeShare,
  removeVolume,
} from '../resources/removal.ts';
import { removalOptions } from '../resources/wait-options.ts';
import { revokeAccess } from './revoke-access.ts';
import type { RemoveLeftoverStepContext } from './saga.ts';

/**
 * Removes a resource and waits until it is gone, as rollbacks and sweeps do. Some services would remove a
 * resource that has got an owner since the read. There, only the revision that was read is removed.
 */
export async function removeResource(
  context: RemoveLeftoverStepContext,
  resource: MarkedResource,
): Promise<void> {
  const { serverSeconds, shareSeconds, volumeSeconds } = context.config.timeLimits;
  const { id, revision, type } = resource;
  const client = context.remover(resource.projectId);
  // Administrators may force a deletion themselves.
  const rights: RemovalRights = { remover: () => client, forcer: async () => client };
  switch (type) {
    case 'server':
      return removeServer(client, id, removalOptions(context, 'server', serverSeconds));
    case 'volume':
      return removeVolume(rights, id, removalOptions(context, 'volume', volumeSeconds));
    case 'backup':
      return removeBackup(rights, id, removalOptions(context, 'backup', volumeSeconds));
    case 'share':
      return removeShare(rights, id, removalOptions(context, 'share', shareSeconds));
    case 'port':
      await revokeAccess(context, resource);
      return removePort(client, id, revision);
    case 'floating_ip':
      return removeFloatingIp(client, id, revision);
    case 'security_group':
      return removeSecurityGroup(client, id);
  }
}
