import { type BoundClient, nullIfNotFound, waitFor } from '@gateway/openstack';
import type { ResourceKind } from './kind.ts';
import { isGone, type RemovalOptions } from './removal.ts';

/** What is left of access goes with its share, or with the port of its address. */
export const accessRule = { poll: [0.25, 1], leftovers: null } as const satisfies ResourceKind;

/**
 * Not limited to the job's project: the share may belong to another project, which has the library. A rule
 * never moves to another share.
 */
export async function removeAccessRule(
  { sharedFileSystem }: BoundClient,
  { shareId, ruleId }: { shareId: string; ruleId: string },
  options: RemovalOptions,
): Promise<void> {
  const { accessRules } = sharedFileSystem;
  if (await isGone(accessRules.deny(shareId, ruleId))) return;
  await waitFor(
    async () => {
      const rules = (await nullIfNotFound(accessRules.list(shareId))) ?? [];
      return rules.some(({ id }) => id === ruleId) ? undefined : true;
    },
    { ...options, describe: 'The access rule' },
  );
}
