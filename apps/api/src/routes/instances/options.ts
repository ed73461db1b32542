import type { InstanceCreationOptions } from '@gateway/jobs';
import { checkInstanceOptions } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { InstanceOptionsBody } from './options-schema.ts';

type OptionsRequest = RequestContext<unknown, unknown, InstanceOptionsBody>;

/**
 * The options of a creation, checked before a job starts. The job checks them again, because they may change
 * while it waits.
 *
 * @throws 400 for what the project does not have, 409 for a port that is in use
 */
export async function readOptions(request: OptionsRequest): Promise<InstanceCreationOptions> {
  const { app, body, caller, openstack } = request;
  const { networks = [], security_group_ids, server_group_id, user_data } = body;
  const options = {
    nics: networks.map(({ network_id, port_id }) => ({
      networkId: network_id ?? null,
      portId: port_id ?? null,
    })),
    securityGroupIds: security_group_ids ?? [],
    serverGroupId: server_group_id ?? null,
  };
  await checkInstanceOptions(openstack, caller.identity.projectId, options);
  return {
    ...options,
    floatingIp: body.floating_ip ?? true,
    sealedUserData: user_data === undefined ? null : app.sealer.seal('userData', user_data),
  };
}
