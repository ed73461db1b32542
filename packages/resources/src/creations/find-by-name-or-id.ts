import { GatewayError } from '@gateway/core';
import {
  type BoundClient,
  type FlavorRecord,
  type ImageRecord,
  isNotFound,
  type NetworkRecord,
} from '@gateway/openstack';

/** Resources that the configuration names. Several may have the same name. */

export function findImagesByNameOrId(
  { image: { images } }: BoundClient,
  nameOrId: string,
): Promise<ImageRecord[]> {
  return findByNameOrId(
    () => images.list({ name: nameOrId }),
    () => images.get(nameOrId),
  );
}

export function findNetworksByNameOrId(
  { network: { networks } }: BoundClient,
  nameOrId: string,
): Promise<NetworkRecord[]> {
  return findByNameOrId(
    () => networks.list({ name: nameOrId }),
    () => networks.get(nameOrId),
  );
}

export async function findFlavorsByNameOrId(
  { compute }: BoundClient,
  nameOrId: string,
  query?: { is_public: 'None' },
): Promise<FlavorRecord[]> {
  const all = await compute.flavors.list(query);
  return all.filter(({ id, name }) => id === nameOrId || name === nameOrId);
}

/**
 * The only one of the resources that were found. `what` names it, and `refusal` begins the message: "Clusters
 * cannot be created here".
 *
 * @throws 503 with the code if there is none or more than one
 */
export function requireOne<T>(
  [first, ...others]: readonly T[],
  what: string,
  { code, refusal }: { code: 'builds_not_configured' | 'lite_not_configured'; refusal: string },
): T {
  if (first !== undefined && others.length === 0) return first;
  const count = first === undefined ? 'no' : 'more than one';
  throw new GatewayError(503, code, `${refusal}: there is ${count} ${what}.`);
}

async function findByNameOrId<T>(list: () => Promise<T[]>, get: () => Promise<T>): Promise<T[]> {
  const byName = await list();
  if (byName.length > 0) return byName;
  try {
    return [await get()];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
