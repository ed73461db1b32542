import type { LibraryDefinition } from '@gateway/config';
import { conflict, GatewayError } from '@gateway/core';
import { type BuildSettings, osVersionOf, unsupportedLibraries } from '@gateway/libraries';
import type { BoundClient, FlavorRecord, ImageRecord } from '@gateway/openstack';
import {
  findFlavorsByNameOrId,
  findImagesByNameOrId,
  findNetworksByNameOrId,
} from '../resources/find-by-name-or-id.ts';

/** @throws 409 if the library does not support the image, 503 if there is no such image or more than one */
export async function findImage(
  service: BoundClient,
  { image }: BuildSettings,
  library: LibraryDefinition,
): Promise<ImageRecord> {
  const found = requireOne(await findImagesByNameOrId(service, image), `image "${image}"`);
  const osVersion = osVersionOf(found);
  const [unsupported] = osVersion === undefined ? [] : unsupportedLibraries([library], osVersion);
  if (unsupported !== undefined) {
    throw conflict(`The library does not support the image for builds: ${unsupported.message}`);
  }
  return found;
}

/** @throws 503 if there is no such flavor or more than one */
export async function findFlavor(service: BoundClient, { flavor }: BuildSettings): Promise<FlavorRecord> {
  return requireOne(
    await findFlavorsByNameOrId(service, flavor, { is_public: 'None' }),
    `flavor "${flavor}"`,
  );
}

/**
 * The configured network, else the project's only network with a subnet.
 *
 * @throws 503 if there is no such network or more than one
 */
export async function findNetworkId(
  service: BoundClient,
  { network }: BuildSettings,
  projectId: string,
): Promise<string> {
  if (network === null) {
    const own = await service.network.networks.list({ project_id: projectId, 'router:external': false });
    return requireOne(
      own.filter(({ subnets }) => subnets.length > 0),
      "network in the service user's project",
    ).id;
  }
  return requireOne(await findNetworksByNameOrId(service, network), `network "${network}"`).id;
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
