import { GatewayError } from '@gateway/core';
import { instanceProgress } from '@gateway/jobs';
import { overlayMetadata } from '@gateway/libraries';
import { FailedStateError, type ServerRecord, waitForStatus } from '@gateway/openstack';
import { JOB_METADATA_KEY } from '@gateway/views';
import { need } from '../../need.ts';
import { removeServer } from '../../removal.ts';
import { patience, waiting } from '../../waiting.ts';
import { adminPassOf, userDataOf } from '../first-boot.ts';
import { type CreateStepContext, defineCreateStep, isLayered } from '../saga.ts';

export const createServer = defineCreateStep<{ serverId: string }>({
  name: 'server',
  announce: {
    step: 'SERVER_CREATING',
    progress: instanceProgress.SERVER_CREATING,
    message: 'The server is being made.',
  },
  async run(context) {
    const { availabilityZone, flavorId, keyName, name } = context.input;
    const adminPass = adminPassOf(context);
    const server = await context.owner().compute.servers.create({
      name,
      flavorRef: flavorId,
      networks: [networkOf(context)],
      block_device_mapping_v2: [
        {
          boot_index: 0,
          uuid: need(context, 'bootVolumeId'),
          source_type: 'volume',
          destination_type: 'volume',
          delete_on_termination: true,
        },
      ],
      metadata: { ...overlayFacts(context), [JOB_METADATA_KEY]: context.jobId },
      user_data: await userDataOf(context),
      ...(keyName !== null && { key_name: keyName }),
      ...(availabilityZone !== null && { availability_zone: availabilityZone }),
      ...(adminPass !== null && { adminPass }),
    });
    return { serverId: server.id };
  },
  async find(context) {
    const servers = await context.remover().compute.servers.listByName(context.input.name);
    const server = servers.find(
      ({ metadata, tenant_id }) =>
        metadata[JOB_METADATA_KEY] === context.jobId && tenant_id === context.projectId,
    );
    return server === undefined ? null : { serverId: server.id };
  },
  resourceId: ({ serverId }) => serverId,
  async settle(context, { serverId }) {
    const { servers } = context.owner().compute;
    try {
      await waitForStatus(() => servers.get(serverId), statusOf, {
        ...waiting(context, 'The server', context.config.timeLimits.serverSeconds),
        target: ['ACTIVE'],
        failure: ['ERROR', 'DELETED'],
      });
    } catch (error) {
      if (!(error instanceof FailedStateError)) throw error;
      throw explainFault((await servers.get(serverId)).fault?.message ?? '', error);
    }
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

/** What a person can do something with, out of what the compute service says of a server in ERROR. */
function explainFault(fault: string, cause: unknown): GatewayError {
  if (/no valid host/i.test(fault)) {
    return new GatewayError(
      409,
      'no_valid_host',
      'The instance could not be placed: no host has room for this flavor (no valid host was found).',
      { cause },
    );
  }
  const reason = fault === '' ? 'the compute service gave no reason' : fault.replace(/[.\s]+$/, '');
  return new GatewayError(502, 'instance_failed', `The instance could not be started: ${reason}.`, { cause });
}

function statusOf({ status }: ServerRecord): string {
  return status;
}
