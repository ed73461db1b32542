import { buildProgress } from '@gateway/jobs';
import { JOB_METADATA_KEY } from '@gateway/views';
import { need } from '../../need.ts';
import { awaitServer } from '../../resources/await-ready.ts';
import { findServers } from '../../resources/find-made.ts';
import { removeServer } from '../../resources/removal.ts';
import { bootDisk } from '../../resources/server-facts.ts';
import { patience, waiting } from '../../waiting.ts';
import { builderUserData } from '../first-boot.ts';
import { announce, defineBuildStep, makerOf, nameFor } from '../saga.ts';

export const createServer = defineBuildStep<{ serverId: string }>({
  name: 'server',
  beginUpdate: announce('BUILDER_CREATING', buildProgress.BUILDER_CREATING, 'The builder is being made.'),
  async run(context) {
    const { buildSeconds, serverSeconds } = context.config.timeLimits;
    const { flavorId, networkId, protocol } = need(context, 'plan');
    const service = await context.service();
    const token = await context.callback.open(serverSeconds + buildSeconds);
    const server = await service.compute.servers.create({
      name: nameFor(context, 'server'),
      flavorRef: flavorId,
      networks: [protocol === 'NFS' ? { port: need(context, 'port').id } : { uuid: networkId }],
      block_device_mapping_v2: [bootDisk(need(context, 'bootVolumeId'))],
      metadata: { [JOB_METADATA_KEY]: context.jobId },
      user_data: await builderUserData(context, token),
    });
    return { serverId: server.id };
  },
  async find(context) {
    const maker = await makerOf(context);
    const servers = await findServers(await context.service(), nameFor(context, 'server'), maker);
    return servers.map(({ id }) => ({ serverId: id }));
  },
  async settle(context, { serverId }) {
    const wait = waiting(context, 'The builder', context.config.timeLimits.serverSeconds);
    // A short build may have ended before anybody looked.
    await awaitServer(await context.service(), serverId, wait, ['SHUTOFF']);
    return undefined;
  },
  async undo(context, { serverId }) {
    await context.callback.close();
    const { serverSeconds } = context.config.timeLimits;
    await removeServer(await context.service(), serverId, patience(context, serverSeconds));
  },
  leftover: ({ serverId }) => ({ type: 'server', id: serverId }),
});
