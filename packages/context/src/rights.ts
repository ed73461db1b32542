import { forbidden } from '@gateway/core';
import { type Identity, isAdministrator } from '@gateway/openstack';
import type { IdentityConfig } from '@gateway/platform';

export type RightsConfig = Pick<IdentityConfig, 'adminRole' | 'adminScope' | 'readerRoles'>;

interface Rule {
  isGranted(identity: Identity, config: RightsConfig): boolean;
  /** For callers without the right. */
  refusal: string;
}

/** What the gateway itself allows some callers only. The services of the cloud have further rules. */
const RULES = {
  administer: { isGranted: isAdministrator, refusal: 'This requires the administrator role.' },
  change: {
    isGranted: ({ roles }, { readerRoles }) => roles.some((role) => !readerRoles.includes(role)),
    refusal: 'This requires a role that may change the project.',
  },
} satisfies Record<string, Rule>;

export type Right = keyof typeof RULES;

export const RIGHTS = Object.keys(RULES) as Right[];

/** The rights of an identity in its project; none for a token without a project. */
export function rightsOf(identity: Identity, config: RightsConfig): Right[] {
  if (identity.projectId === '') return [];
  return RIGHTS.filter((right) => RULES[right].isGranted(identity, config));
}

/** @throws 403 for a caller without the right */
export function requireRight({ can }: { can: readonly Right[] }, right: Right): void {
  if (!can.includes(right)) throw forbidden(RULES[right].refusal);
}
