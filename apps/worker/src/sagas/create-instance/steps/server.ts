import { overlayMetadata } from '@gateway/libraries';
import type { ServerCreate } from '@gateway/openstack';
import { requireState } from '../../../saga/index.ts';
import { valueUnder } from '../../resources/resource-step.ts';
import { bootDevice, serverStep } from '../../resources/server-step.ts';
import {
  announce,
  type CreateInstanceContext,
  type CreateInstanceState,
  type CreateStepContext,
  groupsOfPort,
  isLayered,
  zoneOf,
} from '../saga.ts';
import { adminPassOf, issueToken, userDataOf } from '../user-data.ts';

/**
 * Only a server that was up reaches these: its owner, or a program inside, may act before the job reads it,
 * above all if another run resumes the job.
 */
const LEFT_BY_OWNER = [
  'SHUTOFF',
  'PAUSED',
  'SUSPENDED',
  'SHELVED',
  'SHELVED_OFFLOADED',
  'RESCUE',
  'VERIFY_RESIZE',
];

export const createServer = serverStep<CreateInstanceContext, CreateInstanceState>({
  name: 'server',
  beginUpdate: announce('SERVER_CREATING', 'The server is being created.'),
  key: 'serverId',
  title: 'The instance',
  serverName: ({ input }) => input.name,
  async request(context) {
    const { deleteBootVolumeOnTermination, flavorId, keyName } = context.input;
    const bootVolumeId = requireState(context, 'bootVolumeId');
    const adminPass = adminPassOf(context);
    return {
      flavorRef: flavorId,
      networks: networksOf(context),
      ...placementOf(context),
      block_device_mapping_v2: [bootDevice(bootVolumeId, deleteBootVolumeOnTermination)],
      metadata: layerMetadata(context),
      user_data: await userDataOf(context, await issueToken(context)),
      ...(keyName !== null && { key_name: keyName }),
      ...zoneOf(context),
      ...(adminPass !== null && { adminPass }),
    };
  },
  readyStates: LEFT_BY_OWNER,
  beforeUndo: ({ firstBoot }) => firstBoot.close(),
  resourceId: (result) => valueUnder<CreateInstanceState, string>(result, 'serverId'),
});

function networksOf(context: CreateStepContext): ({ port: string } | { uuid: string })[] {
  const { needsPort, networkId, nics = [{ networkId, portId: null }] } = requireState(context, 'plan');
  return nics.map((nic, index) => {
    if (needsPort && index === 0) return { port: requireState(context, 'port').id };
    return nic.portId === null ? { uuid: nic.networkId } : { port: nic.portId };
  });
}

/** The compute service takes ids of groups as names. */
function placementOf({ input }: CreateStepContext): Pick<ServerCreate, 'security_groups' | 'serverGroupId'> {
  const { serverGroupId } = input.options;
  const groups = groupsOfPort(input);
  return {
    ...(groups !== undefined && { security_groups: groups.map((name) => ({ name })) }),
    ...(serverGroupId !== null && { serverGroupId }),
  };
}

function layerMetadata(context: CreateStepContext): Record<string, string> {
  if (!isLayered(context)) return {};
  const { libraryIds, prebuiltShares, strategy } = requireState(context, 'plan');
  return overlayMetadata({
    libraries: libraryIds,
    strategy,
    shareIds:
      strategy === 'dynamic' ? [requireState(context, 'dynamicShareId')] : prebuiltShares.map(({ id }) => id),
    upperVolumeId: requireState(context, 'upperVolumeId'),
  });
}
