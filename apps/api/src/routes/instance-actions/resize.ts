import { invalidInput } from '@gateway/core';
import { type FlavorRecord, readRequested, UpstreamError } from '@gateway/openstack';
import { instanceActions } from '@gateway/resources';
import { act, type InstanceAction, type InstanceRequest } from './act.ts';
import type { ResizeBody } from './change-schemas.ts';
import { sendWithinGpuQuota } from './within-gpu-quota.ts';

/**
 * Gives an instance another flavor, until the change is confirmed or reverted.
 *
 * @throws 400 for an unknown flavor or the one that the instance has, 409 `quota_exceeded` and in states that
 * forbid it
 */
export async function resizeInstance(request: InstanceRequest<ResizeBody>): Promise<void> {
  const { body, openstack } = request;
  const { flavors, servers } = openstack.compute;
  await act(request, {
    ...instanceActions.resize,
    async send(_request, server) {
      const { flavor_id } = body;
      const flavor = await readRequested(flavors.get(flavor_id), 'flavor_id', `Flavor ${flavor_id}`);
      await sendWithinGpuQuota(request, server, flavor, async () => {
        try {
          await servers.resize(server.id, flavor.id);
        } catch (error) {
          throw isSameFlavor(error) ? sameFlavor(flavor, error) : error;
        }
      });
    },
  });
}

/** Only the service knows: another flavor may have the name of the one that the instance has. */
function isSameFlavor(error: unknown): boolean {
  return error instanceof UpstreamError && /must change flavor/i.test(error.upstreamMessage ?? '');
}

function sameFlavor({ name }: FlavorRecord, cause: unknown) {
  return invalidInput(`The instance has the flavor ${name} already.`, {
    cause,
    errors: [{ field: 'body.flavor_id', message: 'must be another flavor' }],
  });
}

/** The service answers 400 once a resize is being confirmed, which the state does not show. */
const refusalStatuses = [400, 409];

export const confirmResize: InstanceAction = {
  ...instanceActions.confirm_resize,
  refusalStatuses,
  send: ({ openstack }, { id }) => openstack.compute.servers.confirmResize(id),
};

export const revertResize: InstanceAction = {
  ...instanceActions.revert_resize,
  refusalStatuses,
  send: ({ openstack }, { id }) => openstack.compute.servers.revertResize(id),
};
