import type { Sealer } from '@gateway/core';
import type { InstanceCreation, InstanceCreationOptions } from '@gateway/jobs';

const NONE: InstanceCreationOptions = {
  nics: [],
  securityGroupIds: [],
  serverGroupId: null,
  floatingIp: true,
  sealedUserData: null,
};

/** What the request names beside what each instance has. */
export function optionsOf({ options }: InstanceCreation): InstanceCreationOptions {
  return options ?? NONE;
}

/** The user's own first-boot data; null for none. */
export function ownUserDataOf({ input, sealer }: { input: InstanceCreation; sealer: Sealer }): string | null {
  const { sealedUserData } = optionsOf(input);
  return sealedUserData === null ? null : sealer.open('userData', sealedUserData);
}

/** The security groups of new ports as a field for the network service; empty for the default group. */
export function groupsOfPort(input: InstanceCreation): string[] | undefined {
  const { securityGroupIds } = optionsOf(input);
  return securityGroupIds.length === 0 ? undefined : securityGroupIds;
}
