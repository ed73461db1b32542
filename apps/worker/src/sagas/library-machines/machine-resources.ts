import type { LibraryDefinition } from '@gateway/config';
import { conflict, GatewayError } from '@gateway/core';
import { type BuildSettings, osVersionOf, unsupportedLibraries } from '@gateway/libraries';
import type { BoundClient, FlavorRecord, ImageRecord } from '@gateway/openstack';
import {
  findFlavorsByNameOrId,
  findImagesByNameOrId,
  findNetworksByNameOrId,
} from '../resources/find-by-name-or-id.ts';

/** The project of the service user, which sees what all projects have. */
interface ServiceProject {
  service: BoundClient;
  projectId: string;
}

/**
 * Anybody can give an image the configured name, and libraries are built for all projects. So an image that
 * is named counts only if it is public or belongs to the service user's project.
 *
 * @throws 409 if the library does not support the image, 503 if there is no such image or more than one
 */
export async function findImage(
  { service, projectId }: ServiceProject,
  { image }: BuildSettings,
  library: LibraryDefinition,
): Promise<ImageRecord> {
  const named = await findImagesByNameOrId(service, image);
  const offered = named.filter(
    ({ id, owner, visibility }) => id === image || visibility === 'public' || owner === projectId,
  );
  const found = requireOne(offered, `public image "${image}", or one of the service user's project`);
  const osVersion = osVersionOf(found);
  const [unsupported] = osVersion === undefined ? [] : unsupportedLibraries([library], osVersion);
  if (unsupported !== undefined) {
    throw conflict(`The library does not support the image for builds: ${unsupported.message}`);
  }
  return found;
}

/** @throws 503 if there is no such flavor or more than one */
export async function findFlavor(
  { service }: ServiceProject,
  { flavor }: BuildSettings,
): Promise<FlavorRecord> {
  return requireOne(
    await findFlavorsByNameOrId(service, flavor, { is_public: 'None' }),
    `flavor "${flavor}"`,
  );
}

/**
 * The configured network, else the project's only network with a subnet. As with images, a network that is
 * named is shared or belongs to the service user's project.
 *
 * @throws 503 if there is no such network or more than one
 */
export async function findNetworkId(
  { service, projectId }: ServiceProject,
  { network }: BuildSettings,
): Promise<string> {
  if (network === null) {
    const own = await service.network.networks.list({ project_id: projectId, 'router:external': false });
    return requireOne(
      own.filter(({ subnets }) => subnets.length > 0),
      "network in the service user's project",
    ).id;
  }
  const named = await findNetworksByNameOrId(service, network);
  const offered = named.filter(
    ({ id, project_id, shared, 'router:external': isExternal }) =>
      id === network || shared || isExternal || project_id === projectId,
  );
  return requireOne(offered, `shared network "${network}", or one of the service user's project`).id;
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
