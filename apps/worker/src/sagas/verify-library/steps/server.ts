import { requireState } from '../../../saga/index.ts';
import { bootDevice, dataDevice, serverStep } from '../../resources/server-step.ts';
import { announce, nameFor, needsPort, type VerifyLibraryContext, type VerifyLibraryState } from '../saga.ts';
import { verifierUserData } from '../user-data.ts';

export const createServer = serverStep<VerifyLibraryContext, VerifyLibraryState>({
  name: 'server',
  beginUpdate: announce('VERIFIER_CREATING', 'The verifier is being created.'),
  key: 'serverId',
  title: 'The verifier',
  serverName: (context) => nameFor(context, 'server'),
  async request(context) {
    const { buildSeconds, serverSeconds } = context.config.timeLimits;
    const plan = requireState(context, 'plan');
    const token = await context.callback.open(serverSeconds + buildSeconds);
    return {
      flavorRef: plan.flavorId,
      networks: [needsPort(plan) ? { port: requireState(context, 'port').id } : { uuid: plan.networkId }],
      block_device_mapping_v2: [
        bootDevice(requireState(context, 'bootVolumeId')),
        dataDevice(requireState(context, 'upperVolumeId')),
      ],
      user_data: await verifierUserData(context, token),
    };
  },
  // A short verification may have ended before the first check.
  readyStates: ['SHUTOFF'],
  beforeUndo: ({ callback }) => callback.close(),
});
