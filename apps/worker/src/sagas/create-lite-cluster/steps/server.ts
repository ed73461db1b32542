import { CLUSTER_METADATA_KEY } from '@gateway/core';
import { serverNodeName } from '@gateway/lite';
import { requireState } from '../../../saga/index.ts';
import { bootDevice, serverStep } from '../../resources/server-step.ts';
import { announce, type CreateLiteClusterContext, type CreateLiteClusterState } from '../saga.ts';
import { controlNodeUserData } from '../user-data.ts';

export const createServer = serverStep<CreateLiteClusterContext, CreateLiteClusterState>({
  name: 'server',
  beginUpdate: announce('server_creating', 'The control node is being created.'),
  key: 'serverId',
  title: 'The control node',
  serverName: (context) => serverNodeName(requireState(context, 'agentPlan').cluster),
  async request(context) {
    const { serverSeconds, liteCallbackSeconds } = context.config.timeLimits;
    const { keyName } = context.input;
    const tokens = {
      installation: await context.callback.open(serverSeconds + liteCallbackSeconds),
      renewal: await context.issueRenewalToken(),
    };
    return {
      flavorRef: requireState(context, 'plan').serverFlavorId,
      networks: [{ port: requireState(context, 'port').id }],
      block_device_mapping_v2: [bootDevice(requireState(context, 'serverVolumeId'))],
      metadata: { [CLUSTER_METADATA_KEY]: context.clusterId },
      user_data: await controlNodeUserData(context, tokens),
      ...(keyName !== null && { key_name: keyName }),
    };
  },
  beforeUndo: ({ callback }) => callback.close(),
});
