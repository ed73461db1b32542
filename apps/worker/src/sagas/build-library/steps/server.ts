import { requireState } from '../../../saga/index.ts';
import { bootDevice, serverStep } from '../../resources/server-step.ts';
import { announce, type BuildLibraryContext, type BuildLibraryState, nameFor } from '../saga.ts';
import { builderUserData } from '../user-data.ts';

export const createServer = serverStep<BuildLibraryContext, BuildLibraryState>({
  name: 'server',
  beginUpdate: announce('BUILDER_CREATING', 'The builder is being created.'),
  key: 'serverId',
  title: 'The builder',
  serverName: (context) => nameFor(context, 'server'),
  async request(context) {
    const { buildSeconds, serverSeconds } = context.config.timeLimits;
    const { flavorId, networkId, protocol } = requireState(context, 'plan');
    const token = await context.callback.open(serverSeconds + buildSeconds);
    return {
      flavorRef: flavorId,
      networks: [protocol === 'NFS' ? { port: requireState(context, 'port').id } : { uuid: networkId }],
      block_device_mapping_v2: [bootDevice(requireState(context, 'bootVolumeId'))],
      user_data: await builderUserData(context, token),
    };
  },
  // A short build may have ended before the first check.
  readyStates: ['SHUTOFF'],
  beforeUndo: ({ callback }) => callback.close(),
});
