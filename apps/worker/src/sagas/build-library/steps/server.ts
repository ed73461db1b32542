import { buildProgress } from '@gateway/jobs';
import { waitForStatus } from '@gateway/openstack';
import { JOB_METADATA_KEY } from '@gateway/views';
import { need } from '../../need.ts';
import { removeServer } from '../../removal.ts';
import { patience, waiting } from '../../waiting.ts';
import { builderUserData } from '../first-boot.ts';
import { announce, defineBuildStep, nameFor } from '../saga.ts';

export const createServer = defineBuildStep<{ serverId: string }>({
  name: 'server',
  announce: announce('BUILDER_CREATING', buildProgress.BUILDER_CREATING, 'The builder is being made.'),
  async run(context) {
    const { buildSeconds, serverSeconds } = context.config.timeLimits;
    const { flavorId, networkId, protocol } = need(context, 'plan');
    const service = await context.service();
    const token = await context.callback.open(serverSeconds + buildSeconds);
    const server = await service.compute.servers.create({
      name: nameFor(context, 'server'),
      flavorRef: flavorId,
      networks: [protocol === 'NFS' ? { port: need(context, 'port').id } : { uuid: networkId }],
      block_device_mapping_v2: [
        {
          boot_index: 0,
          uuid: need(context, 'bootVolumeId'),
          source_type: 'volume',
          destination_type: 'volume',
          delete_on_termination: true,
        },
      ],
      metadata: { [JOB_METADATA_KEY]: context.jobId },
      user_data: await builderUserData(context, token),
    });
    return { serverId: server.id };
  },
  async find(context) {
    const service = await context.service();
    const servers = await service.compute.servers.listByName(nameFor(context, 'server'));
    const server = servers.find(({ metadata }) => metadata[JOB_METADATA_KEY] === context.jobId);
    return server === undefined ? null : { serverId: server.id };
  },
  async settle(context, { serverId }) {
    const { servers } = (await context.service()).compute;
    await waitForStatus(
      () => servers.get(serverId),
      ({ status }) => status,
      {
        ...waiting(context, 'The builder', context.config.timeLimits.serverSeconds),
        // A short build may have ended before anybody looked.
        target: ['ACTIVE', 'SHUTOFF'],
        failure: ['ERROR', 'DELETED'],
      },
    );
    return undefined;
  },
  async undo(context, { serverId }) {
    await context.callback.close();
    const { serverSeconds } = context.config.timeLimits;
    await removeServer(await context.service(), serverId, patience(context, serverSeconds));
  },
  leftover: ({ serverId }) => ({ type: 'server', id: serverId }),
});
