import { CLUSTER_METADATA_KEY } from '@gateway/core';
import { serverNodeName } from '@gateway/lite';
import { requireState } from '../../../saga/index.ts';
import { volumeStep } from '../../resources/volume-step.ts';
import { announce, type CreateLiteClusterContext, type CreateLiteClusterState } from '../saga.ts';

export const createServerVolume = volumeStep<CreateLiteClusterContext, CreateLiteClusterState>({
  name: 'server-volume',
  beginUpdate: announce('server_volume', 'The boot volume of the control node is being created.'),
  key: 'serverVolumeId',
  title: 'The boot volume of the control node',
  request(context) {
    const { imageId, serverVolumeSizeGb } = requireState(context, 'plan');
    const { cluster } = requireState(context, 'agentPlan');
    return {
      name: `${serverNodeName(cluster)}-boot`,
      size: serverVolumeSizeGb,
      imageRef: imageId,
      metadata: { [CLUSTER_METADATA_KEY]: cluster.id },
    };
  },
});
