import { conflict } from '@gateway/core';
import { nullIfNotFound } from '@gateway/openstack';
import { readHostServers, requireServiceHost } from '@gateway/resources';
import { requireState, type Step } from '../../saga/index.ts';
import { parkUntil } from '../resources/wait-options.ts';
import { describeStayed, leftOnHost } from './left-instances.ts';
import { moveInstances } from './move-instances.ts';
import { announce, defineEvacuationStep, type EvacuateHostContext, type EvacuateHostState } from './saga.ts';

const look = defineEvacuationStep<Pick<EvacuateHostState, 'host'>>({
  name: 'look',
  onRepeat: 'idempotent',
  async run({ input, owner }) {
    const { service, state, status } = await owner().compute.hypervisors.get(input.hypervisorId);
    const isUp = state === 'up';
    // Instances that still run there would run twice, with the same volumes.
    if (!isUp && !input.isHostOff) {
      throw conflict(
        'confirmation_required',
        'The host went down after the request, which has not said that it is off.',
      );
    }
    return {
      host: {
        serviceHost: requireServiceHost(service.host),
        serviceId: service.id,
        isUp,
        wasEnabled: status === 'enabled',
      },
    };
  },
});

/** The scheduler chooses the host for nothing more. The reason of an administrator stays. */
const disable = defineEvacuationStep<Record<never, never>>({
  name: 'disable',
  beginUpdate: announce('HOST_DISABLING', 'The host is being disabled, so that no instance comes to it.'),
  when: ({ state }) => state.host?.wasEnabled === true,
  onRepeat: 'idempotent',
  async run(context) {
    const { input, owner } = context;
    const { serviceId } = requireState(context, 'host');
    const disabled = { status: 'disabled', disabled_reason: input.disabledReason } as const;
    await owner().compute.services.setStatus(serviceId, disabled);
    return {};
  },
  /** Once an instance has been asked to leave, the host stays disabled: otherwise others would come. */
  async undo(context) {
    if (Object.values(context.state.moves ?? {}).some(({ move }) => move !== undefined)) return;
    parkUntil(context.lateUntil);
    const { serviceId } = requireState(context, 'host');
    await nullIfNotFound(context.owner().compute.services.setStatus(serviceId, { status: 'enabled' }));
  },
});

const plan = defineEvacuationStep<Pick<EvacuateHostState, 'planned'>>({
  name: 'plan',
  beginUpdate: announce('INSTANCES_LISTING', 'The instances on the host are being listed.'),
  onRepeat: 'idempotent',
  async run({ input, owner }) {
    const cloud = owner();
    const servers = await readHostServers(cloud, await cloud.compute.hypervisors.get(input.hypervisorId));
    return { planned: servers.map(({ id, name, tenant_id }) => ({ id, name, projectId: tenant_id })) };
  },
});

const check = defineEvacuationStep<Pick<EvacuateHostState, 'left'>>({
  name: 'check',
  beginUpdate: announce('EMPTINESS_CHECKING', 'The host is being checked for instances.'),
  onRepeat: 'idempotent',
  async run(context) {
    const cloud = context.owner();
    const record = await cloud.compute.hypervisors.get(context.input.hypervisorId);
    return { left: leftOnHost(context.state, await readHostServers(cloud, record)) };
  },
});

/** Makes the job fail, after the list of what has stayed is part of its messages. */
const conclude = defineEvacuationStep<Record<never, never>>({
  name: 'conclude',
  onRepeat: 'idempotent',
  async run(context) {
    const left = requireState(context, 'left');
    if (left.length > 0) throw conflict('incomplete', describeStayed(left));
    return {};
  },
});

/**
 * Moves all instances away from a host. What has moved does not come back after a failure: the host stays
 * disabled, and a second evacuation continues with the rest.
 */
export const evacuateHostSteps: readonly Step<EvacuateHostContext, EvacuateHostState>[] = [
  look,
  disable,
  plan,
  moveInstances,
  check,
  conclude,
];
