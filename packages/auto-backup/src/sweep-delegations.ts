import type { Clock } from '@gateway/core';
import type { CallContext, Delegation, Delegations, Identity } from '@gateway/openstack';
import type { DelegationIntent, DelegationLedger, StoredIntent } from './delegation-ledger.ts';

interface SweepParts {
  ledger: DelegationLedger;
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
  { ledger, delegations, open }: SweepParts,
  call: CallContext,
  { configurationId, owner, isNeeded, onError }: RevokeOptions,
): Promise<number> {
  let remaining = 0;
  for (const retired of await ledger.readRetired()) {
    if (configurationId !== undefined && configurationId !== retired.configurationId) continue;
    await attempt(onError, async () => {
      if (await isNeeded?.(retired.configurationId)) return;
      remaining += 1;
      const delegation = open(retired.sealed);
      const own = owner?.userId === delegation.trustorId ? owner : null;
      if (!(await delegations.revoke(delegation, own, call))) return;
      await ledger.removeRetired(retired);
      remaining -= 1;
    });
  }
  return remaining;
}

/** Revokes delegations of intents that were not completed in time. */
export async function sweepIntents(parts: SweepParts, call: CallContext, limits: SweepLimits): Promise<void> {
  for (const { stored, intent } of await parts.ledger.readIntents()) {
    await attempt(limits.onError, () => sweepIntent(parts, call, limits, { stored, intent }));
  }
}

async function sweepIntent(
  { ledger, delegations, clock, open }: SweepParts,
  call: CallContext,
  { lateCallMs, recheckMs, sealedInUse }: SweepLimits,
  { stored, intent }: { stored: StoredIntent; intent: DelegationIntent },
): Promise<void> {
  // Only a search that starts after the deadline sees every late delegation.
  const searchedAt = clock.now();
  if (searchedAt < intent.since + lateCallMs) return;
  const abandoned = await ledger.abandon(stored, intent);
  if (abandoned === null) return;
  const found = await delegations.find(intent, call);
  const inUse = found.length === 0 ? [] : (await sealedInUse()).map((sealed) => open(sealed).trustId);
  for (const delegation of found) {
    if (!inUse.includes(delegation.trustId)) await delegations.revoke(delegation, null, call);
  }
  if (searchedAt >= intent.since + recheckMs) await ledger.end(abandoned);
}

async function attempt(onError: RevokeOptions['onError'], action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (onError === undefined) throw error;
    onError(error);
  }
}
