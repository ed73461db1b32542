import type { Clock } from '@gateway/core';
import { type DelegationIntent, type Intents, settleIntents } from '@gateway/jobs';
import type { CallContext, Delegation, Delegations, Identity } from '@gateway/openstack';
import type { RetiredDelegations } from './retired-delegations.ts';

interface SweepParts {
  intents: Intents<DelegationIntent>;
  retired: RetiredDelegations;
  delegations: Pick<Delegations, 'find' | 'revoke'>;
  clock: Clock;
  open(sealed: string): Delegation;
}

export interface RevokeOptions {
  /** Only those of this configuration; all by default. */
  configurationId?: string;
  /** Whose token may still revoke the delegation. */
  owner?: Identity;
  /** True while a run of the configuration still needs the delegation, which is then not revoked. */
  isNeeded?(configurationId: string): Promise<boolean>;
  /** Called with each error; the others are still tried. Without it, the first error is thrown. */
  onError?(error: unknown): void;
}

export interface SweepLimits {
  /** How long a call may take effect after its sender died. */
  lateCallMs: number;
  /** How long to search for results of calls with an unknown outcome. */
  recheckMs: number;
  /** The sealed delegations that configurations use: never revoked, even if one has the same expiry. */
  sealedInUse(): Promise<string[]>;
  /** As in `RevokeOptions`. */
  onError?(error: unknown): void;
}

/** Revokes delegations that no configuration uses. Returns how many could not be revoked. */
export async function revokeRetired(
  { retired, delegations, open }: SweepParts,
  call: CallContext,
  { configurationId, owner, isNeeded, onError }: RevokeOptions,
): Promise<number> {
  let remaining = 0;
  for (const one of await retired.read()) {
    if (configurationId !== undefined && configurationId !== one.configurationId) continue;
    await attempt(onError, async () => {
      if (await isNeeded?.(one.configurationId)) return;
      remaining += 1;
      const delegation = open(one.sealed);
      const own = owner?.userId === delegation.trustorId ? owner : null;
      if (!(await delegations.revoke(delegation, own, call))) return;
      await retired.remove(one);
      remaining -= 1;
    });
  }
  return remaining;
}

/** Revokes delegations of intents that were not completed in time. */
export async function sweepIntents(
  { intents, delegations, clock, open }: SweepParts,
  call: CallContext,
  { sealedInUse, ...limits }: SweepLimits,
): Promise<void> {
  await settleIntents(intents, {
    ...limits,
    clock,
    async removeUnused(intent, stored) {
      // A configuration has adopted it.
      if (!(await intents.replace(stored, { ...intent, isAbandoned: true }))) return false;
      const found = await delegations.find(intent, call);
      const inUse = found.length === 0 ? [] : (await sealedInUse()).map((sealed) => open(sealed).trustId);
      for (const delegation of found) {
        if (!inUse.includes(delegation.trustId)) await delegations.revoke(delegation, null, call);
      }
      return true;
    },
  });
}

async function attempt(onError: RevokeOptions['onError'], action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (onError === undefined) throw error;
    onError(error);
  }
}
