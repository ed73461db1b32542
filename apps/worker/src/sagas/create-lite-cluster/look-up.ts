import { GatewayError, invalidInput } from '@gateway/core';
import { liteClusterSettings } from '@gateway/lite';
import type { FlavorRecord, ImageRecord } from '@gateway/openstack';
import { flavorsCalled, imagesCalled } from '../resources/by-name-or-id.ts';
import { missing, named } from '../resources/requested.ts';
import type { CreateLiteClusterStepContext } from './saga.ts';

/** The services' records of the image, flavors and key pair of the nodes. */
interface Found {
  image: ImageRecord;
  serverFlavor: FlavorRecord;
  agentFlavor: FlavorRecord;
}

/**
 * @throws 400 for a flavor or key pair of the request that does not exist, 503 for an image or flavor of the
 * configuration
 */
export async function lookUp(context: CreateLiteClusterStepContext): Promise<Found> {
  const { config, input } = context;
  const client = context.owner();
  const settings = liteClusterSettings(config);
  const { keyName } = input;
  const [images, serverFlavors, agentFlavors] = await Promise.all([
    imagesCalled(client, settings.image),
    flavorsCalled(client, settings.serverFlavor),
    flavorsCalled(client, input.agentFlavor),
    keyName === null
      ? null
      : named(client.compute.keypairs.get(keyName), 'key_name', `Key pair "${keyName}"`),
  ]);
  const [agentFlavor] = agentFlavors;
  if (agentFlavor === undefined) throw missing('agent_flavor_id', `Flavor ${input.agentFlavor}`);
  const image = requireConfigured(images, `image "${settings.image}"`);
  const serverFlavor = requireConfigured(serverFlavors, `flavor "${settings.serverFlavor}"`);
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

function requireConfigured<T>(found: T[], what: string): T {
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new GatewayError(
    503,
    'lite_not_configured',
    `Clusters cannot be created here: there is ${first === undefined ? 'no' : 'more than one'} ${what}.`,
  );
}
