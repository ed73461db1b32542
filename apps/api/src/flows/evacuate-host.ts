import { conflict } from '@gateway/core';
import type { HypervisorRecord } from '@gateway/openstack';
import { requireServiceHost } from '@gateway/resources';
import type { RequestContext } from '../pipeline/request-context.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';

interface Evacuation {
  disabledReason: string | undefined;
  isHostOff: boolean;
}

/**
 * Enqueues a job that moves all instances away from a host.
 *
 * @throws 409 if the request does not fit the state of the host, and while another job evacuates it
 */
export async function evacuateHost(
  request: RequestContext,
  { hypervisor_hostname, id, service, state }: HypervisorRecord,
  { disabledReason = 'Evacuation', isHostOff }: Evacuation,
): Promise<void> {
  const isUp = state === 'up';
  if (isUp && isHostOff) {
    throw conflict(
      'wrong_state',
      'The host is up. Its instances are moved while they run: send no "host_is_off".',
    );
  }
  if (!isUp && !isHostOff) {
    throw conflict(
      'confirmation_required',
      'The host is down, so its instances are built anew on other hosts. Say with "host_is_off" that it is powered off: ' +
        'an instance that still runs there would run twice, and damage its volumes.',
    );
  }
  await enqueueWithDelegation(
    request,
    {
      type: 'host.evacuate',
      payload: { hypervisorId: id, disabledReason, isHostOff },
      resourceId: id,
      resourceName: hypervisor_hostname,
      exclusive: {
        subject: `evacuate:${requireServiceHost(service.host)}`,
        refusal: 'The host is being evacuated already.',
      },
    },
    { asAdministrator: true },
  );
}
