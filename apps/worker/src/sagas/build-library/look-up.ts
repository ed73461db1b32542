import type { LibraryDefinition } from '@gateway/config';
import { conflict, GatewayError } from '@gateway/core';
import { type BuildSettings, osVersionOf, unsupportedLibraries } from '@gateway/libraries';
import { type BoundClient, type FlavorRecord, type ImageRecord, isNotFound } from '@gateway/openstack';

/** @throws 409 if the library does not support the image, 503 if there is no such image or more than one */
export async function findImage(
  { image: { images } }: BoundClient,
  { image }: BuildSettings,
  library: LibraryDefinition,
): Promise<ImageRecord> {
  const found = requireOne(
    await byNameOrId(
      () => images.list({ name: image }),
      () => images.get(image),
    ),
    `image "${image}"`,
  );
  const osVersion = osVersionOf(found);
  const [unsupported] = osVersion === undefined ? [] : unsupportedLibraries([library], osVersion);
  if (unsupported !== undefined) {
    throw conflict(`The library does not support the image for builds: ${unsupported.message}`);
  }
  return found;
}

/** @throws 503 if there is no such flavor or more than one */
export async function findFlavor({ compute }: BoundClient, { flavor }: BuildSettings): Promise<FlavorRecord> {
  const all = await compute.flavors.list({ is_public: 'None' });
  return requireOne(
    all.filter(({ id, name }) => id === flavor || name === flavor),
    `flavor "${flavor}"`,
  );
}

/**
 * The configured network, else the project's only network with a subnet.
 *
 * @throws 503 if there is no such network or more than one
 */
export async function findNetworkId(
  { network: { networks } }: BoundClient,
  { network }: BuildSettings,
  projectId: string,
): Promise<string> {
  if (network === null) {
    const own = await networks.list({ project_id: projectId, 'router:external': false });
    return requireOne(
      own.filter(({ subnets }) => subnets.length > 0),
      "network in the service user's project",
    ).id;
  }
  const found = await byNameOrId(
    () => networks.list({ name: network }),
    () => networks.get(network),
  );
  return requireOne(found, `network "${network}"`).id;
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

function requireOne<T>(found: T[], what: string): T {
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new GatewayError(
    503,
    'builds_not_configured',
    `Libraries cannot be built here: there is ${first === undefined ? 'no' : 'more than one'} ${what}.`,
  );
}
