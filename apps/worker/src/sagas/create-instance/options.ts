import type { Sealer } from '@gateway/core';
import type { InstanceCreation } from '@gateway/jobs';

/** The user's own first-boot data; null for none. */
export function ownUserDataOf({ input, sealer }: { input: InstanceCreation; sealer: Sealer }): string | null {
  const { sealedUserData } = input.options;
  return sealedUserData === null ? null : sealer.open('userData', sealedUserData);
}

/** The security groups of new ports as a field for the network service; empty for the default group. */
export function groupsOfPort({ options: { securityGroupIds } }: InstanceCreation): string[] | undefined {
  return securityGroupIds.length === 0 ? undefined : securityGroupIds;
}
