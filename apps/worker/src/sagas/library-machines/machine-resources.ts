import { conflict } from '@gateway/core';
import { type BuildSettings, buildSettings, osVersionOf, unsupportedLibraries } from '@gateway/libraries';
import { type BoundClient, type FlavorRecord, type ImageRecord, smallestVolumeGb } from '@gateway/openstack';
import type { Config, LibraryDefinition } from '@gateway/platform';
import {
  findFlavorsByNameOrId,
  findImagesByNameOrId,
  findNetworksByNameOrId,
  requireOne,
} from '@gateway/resources';

/** The project of the service user, which sees what all projects have. */
interface ServiceProject {
  service: BoundClient;
  projectId: string;
}

/** What a machine for a library is made of, decided before anything is created. */
export interface MachinePlan {
  imageId: string;
  flavorId: string;
  networkId: string;
  bootVolumeSizeGb: number;
}

const NOT_CONFIGURED = { code: 'builds_not_configured', refusal: 'Libraries cannot be built here' } as const;

/** @throws 409 if the library does not support the image, 503 unless the configuration names one of each */
export async function planMachine(
  owner: ServiceProject,
  config: Pick<Config, 'builds' | 'publicEndpoint'>,
  library: LibraryDefinition,
): Promise<{ flavor: FlavorRecord; machine: MachinePlan }> {
  const settings = buildSettings(config, library);
  const [image, flavor, networkId] = await Promise.all([
    findImage(owner, settings, library),
    findFlavor(owner, settings),
    findNetworkId(owner, settings),
  ]);
  const bootVolumeSizeGb = Math.max(config.builds.bootVolumeSizeGb, smallestVolumeGb(image));
  return { flavor, machine: { imageId: image.id, flavorId: flavor.id, networkId, bootVolumeSizeGb } };
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
  const found = requireOne(
    offered,
    `public image "${image}", or one of the service user's project`,
    NOT_CONFIGURED,
  );
  const osVersion = osVersionOf(found);
  const [unsupported] = osVersion === undefined ? [] : unsupportedLibraries([library], osVersion);
  if (unsupported !== undefined) {
    throw conflict('unsuitable', `The library does not support the image for builds: ${unsupported.message}`);
  }
  return found;
}

async function findFlavor({ service }: ServiceProject, { flavor }: BuildSettings): Promise<FlavorRecord> {
  const found = await findFlavorsByNameOrId(service, flavor, { is_public: 'None' });
  return requireOne(found, `flavor "${flavor}"`, NOT_CONFIGURED);
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
    const usable = own.filter(({ subnets }) => subnets.length > 0);
    return requireOne(usable, "network in the service user's project", NOT_CONFIGURED).id;
  }
  const named = await findNetworksByNameOrId(service, network);
  const offered = named.filter(
    ({ id, project_id, shared, 'router:external': isExternal }) =>
      id === network || shared || isExternal || project_id === projectId,
  );
  const what = `shared network "${network}", or one of the service user's project`;
  return requireOne(offered, what, NOT_CONFIGURED).id;
}
