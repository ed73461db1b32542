import {
  type BoundClient,
  type FlavorRecord,
  type ImageRecord,
  isNotFound,
  type NetworkRecord,
} from '@gateway/openstack';

/** Resources that the configuration names. Several may have the same name. */

export function imagesCalled({ image: { images } }: BoundClient, nameOrId: string): Promise<ImageRecord[]> {
  return byNameOrId(
    () => images.list({ name: nameOrId }),
    () => images.get(nameOrId),
  );
}

export function networksCalled(
  { network: { networks } }: BoundClient,
  nameOrId: string,
): Promise<NetworkRecord[]> {
  return byNameOrId(
    () => networks.list({ name: nameOrId }),
    () => networks.get(nameOrId),
  );
}

export async function flavorsCalled(
  { compute }: BoundClient,
  nameOrId: string,
  query?: { is_public: 'None' },
): Promise<FlavorRecord[]> {
  const all = await compute.flavors.list(query);
  return all.filter(({ id, name }) => id === nameOrId || name === nameOrId);
}

async function byNameOrId<T>(list: () => Promise<T[]>, get: () => Promise<T>): Promise<T[]> {
  const byName = await list();
  if (byName.length > 0) return byName;
  try {
    return [await get()];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
