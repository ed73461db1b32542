import { instanceProgress } from '@gateway/jobs';
import { overlayMetadata } from '@gateway/libraries';
import { JOB_METADATA_KEY } from '@gateway/views';
import { need } from '../../need.ts';
import { awaitServer } from '../../resources/await-ready.ts';
import { findServers } from '../../resources/find-made.ts';
import { removeServer } from '../../resources/removal.ts';
import { bootDisk } from '../../resources/server-facts.ts';
import { patience, waiting } from '../../waiting.ts';
import { adminPassOf, userDataOf } from '../first-boot.ts';
import { type CreateStepContext, defineCreateStep, isLayered } from '../saga.ts';

export const createServer = defineCreateStep<{ serverId: string }>({
  name: 'server',
  beginUpdate: {
    step: 'SERVER_CREATING',
    progress: instanceProgress.SERVER_CREATING,
    message: 'The server is being made.',
  },
  async run(context) {
    const { availabilityZone, deleteBootVolumeOnTermination, flavorId, keyName, name } = context.input;
    const bootVolume = bootDisk(need(context, 'bootVolumeId'), deleteBootVolumeOnTermination);
    const adminPass = adminPassOf(context);
    const server = await context.owner().compute.servers.create({
      name,
      flavorRef: flavorId,
      networks: [networkOf(context)],
      block_device_mapping_v2: [bootVolume],
      metadata: { ...overlayFacts(context), [JOB_METADATA_KEY]: context.jobId },
      user_data: await userDataOf(context),
      ...(keyName !== null && { key_name: keyName }),
      ...(availabilityZone !== null && { availability_zone: availabilityZone }),
      ...(adminPass !== null && { adminPass }),
    });
    return { serverId: server.id };
  },
  async find(context) {
    const servers = await findServers(context.remover(), context.input.name, context);
    return servers.map(({ id }) => ({ serverId: id }));
  },
  resourceId: ({ serverId }) => serverId,
  async settle(context, { serverId }) {
    const wait = waiting(context, 'The instance', context.config.timeLimits.serverSeconds);
    await awaitServer(context.owner(), serverId, wait);
    return undefined;
  },
  undo: (context, { serverId }) =>
    removeServer(context.remover(), serverId, patience(context, context.config.timeLimits.serverSeconds)),
  leftover: ({ serverId }) => ({ type: 'server', id: serverId }),
});

function networkOf(context: CreateStepContext): { port: string } | { uuid: string } {
  const plan = need(context, 'plan');
  return plan.needsPort ? { port: need(context, 'port').id } : { uuid: plan.networkId };
}

function overlayFacts(context: CreateStepContext): Record<string, string> {
  if (!isLayered(context)) return {};
  const { libraryIds, prebuiltShares, strategy } = need(context, 'plan');
  return overlayMetadata({
    libraries: libraryIds,
    strategy,
    shareIds: strategy === 'dynamic' ? [need(context, 'dynamicShareId')] : prebuiltShares.map(({ id }) => id),
    upperVolumeId: need(context, 'upperVolumeId'),
  });
}
