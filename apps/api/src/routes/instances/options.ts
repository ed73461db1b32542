import type { InstanceCreationOptions } from '@gateway/jobs';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { InstanceOptionsBody } from './options-schema.ts';

type OptionsRequest = RequestContext<unknown, unknown, InstanceOptionsBody>;

/** The options of a creation, as its job gets them. */
export function optionsOf({ app, body }: OptionsRequest): InstanceCreationOptions {
  const { networks = [], security_group_ids, server_group_id, user_data } = body;
  return {
    nics: networks.map(({ network_id, port_id }) => ({
      networkId: network_id ?? null,
      portId: port_id ?? null,
    })),
    securityGroupIds: security_group_ids ?? [],
    serverGroupId: server_group_id ?? null,
    floatingIp: body.floating_ip ?? true,
    sealedUserData: user_data === undefined ? null : app.sealer.seal('userData', user_data),
  };
}
