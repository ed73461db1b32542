import { invalidInput } from '@gateway/core';
import type { ClusterCreation } from '@gateway/jobs';
import { type FlavorRecord, type ImageRecord, readRequested, requestedNotFound } from '@gateway/openstack';
import type { CreationContext } from './creation-context.ts';
import { findFlavorsByNameOrId, findImagesByNameOrId, requireOne } from './find-by-name-or-id.ts';

/** What the configuration names, by id or name. */
interface ConfiguredNodes {
  image: string;
  serverFlavor: string;
}

/** The services' records of the image, flavors and key pair of the nodes. */
interface Found {
  image: ImageRecord;
  serverFlavor: FlavorRecord;
  agentFlavor: FlavorRecord;
}

const NOT_CONFIGURED = { code: 'lite_not_configured', refusal: 'Clusters cannot be created here' } as const;

/**
 * @throws 400 for a flavor or key pair of the request that does not exist, 503 for an image or flavor of the
 * configuration
 */
export async function findForLiteCluster(
  {
    input,
    owner,
  }: Pick<CreationContext<Pick<ClusterCreation, 'agentFlavor' | 'keyName'>>, 'input' | 'owner'>,
  settings: ConfiguredNodes,
): Promise<Found> {
  const client = owner();
  const { keyName } = input;
  const [images, serverFlavors, agentFlavors] = await Promise.all([
    findImagesByNameOrId(client, settings.image),
    findFlavorsByNameOrId(client, settings.serverFlavor),
    findFlavorsByNameOrId(client, input.agentFlavor),
    keyName === null
      ? null
      : readRequested(client.compute.keypairs.get(keyName), 'key_name', `Key pair "${keyName}"`),
  ]);
  const [agentFlavor] = agentFlavors;
  if (agentFlavor === undefined) throw requestedNotFound('agent_flavor_id', `Flavor ${input.agentFlavor}`);
  const image = requireOne(images, `image "${settings.image}"`, NOT_CONFIGURED);
  const serverFlavor = requireOne(serverFlavors, `flavor "${settings.serverFlavor}"`, NOT_CONFIGURED);
  if (agentFlavor.ram < image.min_ram) {
    throw invalidInput(
      `The nodes need ${image.min_ram} MB of RAM, and the flavor ${agentFlavor.name} has ${agentFlavor.ram} MB.`,
      {
        errors: [{ field: 'body.agent_flavor_id', message: `must have at least ${image.min_ram} MB of RAM` }],
      },
    );
  }
  return { image, serverFlavor, agentFlavor };
}
