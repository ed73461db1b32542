import {
  type LeftoverType,
  leftoverKind,
  type MarkedResource,
  type PolledKind,
  type RemovalRights,
} from '@gateway/inventory';
import { removalOptions } from '../resources/wait-options.ts';
import { revokeAccess } from './revoke-access.ts';
import type { RemoveLeftoverStepContext } from './saga.ts';

/** Removes a resource and waits until it is gone, as rollbacks and sweeps do. */
export async function removeResource(
  context: RemoveLeftoverStepContext,
  type: LeftoverType,
  resource: MarkedResource,
): Promise<void> {
  const client = context.remover(resource.projectId);
  // Administrators may force a deletion themselves.
  const rights: RemovalRights = { remover: () => client, forcer: async () => client };
  if (type === 'port') await revokeAccess(context, resource);
  const { timeLimits } = context.config;
  await leftoverKind(type).remove(rights, resource, (limit, creation = limit) =>
    // Only what is waited for asks for options.
    removalOptions(context, type as PolledKind, timeLimits[limit], timeLimits[creation]),
  );
}
