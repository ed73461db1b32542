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
