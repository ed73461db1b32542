import { GatewayError } from '@gateway/core';
import type { CallContext, Openstack } from '@gateway/openstack';

/** Revokes a token at the identity service. A token that is no longer valid counts as revoked. */
export async function revokeToken(
  { openstack }: { openstack: Openstack },
  token: string,
  call: CallContext,
): Promise<void> {
  try {
    await openstack.identity.revoke(token, call);
  } catch (error) {
    if (!(error instanceof GatewayError && error.status === 401)) throw error;
  }
}
