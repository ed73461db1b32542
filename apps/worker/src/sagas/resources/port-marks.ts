import { conflict } from '@gateway/core';
import type { BoundClient } from '@gateway/openstack';

/**
 * Refuses the creation of a port in a cloud where it could have no mark, before anything is created. See
 * decision 42.
 *
 * @throws 409
 */
export async function requirePortMarks({ network }: BoundClient): Promise<void> {
  if (await network.extensions.hasDescriptions()) return;
  throw conflict(
    'not_supported',
    'The network service of this cloud keeps no descriptions (extension standard-attr-description). Without them, the gateway could not find the port that it would create.',
  );
}
