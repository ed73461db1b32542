import {
  type Clock,
  forbidden,
  formatStored,
  GatewayError,
  parseStored,
  type Sealer,
  storedForms,
  systemClock,
} from '@gateway/core';
import { type DelegationIntent, Intents, type StoredIntent } from '@gateway/jobs';
import {
  type CallContext,
  type Delegation,
  type Delegations,
  explainRefusal,
  type Identity,
  isConflict,
  refusalOf,
  rolesToDelegate,
  UpstreamError,
} from '@gateway/openstack';
import { type Redis, replaceFieldScript } from '@gateway/store';
import type { AutoBackup } from './auto-backup.ts';
import { autoBackupKeys } from './keys.ts';
import { RetiredDelegations } from './retired-delegations.ts';
import { type RevokeOptions, revokeRetired, type SweepLimits, sweepIntents } from './sweep-delegations.ts';

export interface NewDelegation {
  /** The recorded intent, which the write of the configuration completes. */
  intent: StoredIntent;
  delegation: Delegation;
  sealed: string;
}

export interface StandingDelegationsParts {
  redis: Redis;
  sealer: Sealer;
  delegations: Pick<Delegations, 'createUntil' | 'find' | 'revoke'>;
  /** The role that is not delegated if the user has other roles. */
  adminRole: string;
  clock?: Clock;
}

const PURPOSE = 'auto-backup-delegation';
const YEAR_SECONDS = 365 * 24 * 3600;
const MIN_LIFETIME_YEARS = 10;
const MAX_ATTEMPTS = 5;
const NOT_CONFIGURED = 'delegation_not_configured';

/**
 * Delegations that last as long as their configuration. A delegation is recorded before it is created, and
 * from when its configuration no longer uses it until it is revoked, so that none is left behind.
 */
export class StandingDelegations {
  readonly #parts: StandingDelegationsParts;
  readonly #intents: Intents<DelegationIntent>;
  readonly #retired: RetiredDelegations;
  readonly #clock: Clock;

  constructor(parts: StandingDelegationsParts) {
    this.#parts = parts;
    this.#intents = new Intents(parts.redis, autoBackupKeys.intents);
    this.#retired = new RetiredDelegations(parts.redis);
    this.#clock = parts.clock ?? systemClock;
  }

  /**
   * Delegates the user's roles in their project to the service user, without the administrator's role if
   * there are others.
   *
   * @throws 403 when the identity service refuses, 503 without a service user, and what a call to the service
   * throws
   */
  async create(identity: Identity, call: CallContext): Promise<NewDelegation> {
    const { adminRole, delegations, sealer } = this.#parts;
    const roles = rolesToDelegate(identity, adminRole);
    for (let attempt = 1; ; attempt += 1) {
      const since = this.#clock.now();
      const expiresAt = uniqueExpiry(since);
      const { userId: trustorId, projectId } = identity;
      const intent = await this.#intents.put({ trustorId, projectId, expiresAt, since });
      try {
        const delegation = await delegations.createUntil(identity, { roles, expiresAt }, call);
        return {
          intent,
          delegation,
          sealed: sealer.seal(PURPOSE, formatStored(storedForms.delegation, delegation)),
        };
      } catch (error) {
        // No delegation was created.
        if (isDelegationRefused(error) || isNotConfigured(error))
          await this.#intents.remove(intent.id).catch(() => {});
        if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw explained(error, identity);
      }
    }
  }

  open(sealed: string): Delegation {
    return parseStored(storedForms.delegation, this.#parts.sealer.open(PURPOSE, sealed));
  }

  /** The delegation, encrypted for another gateway. */
  sealFor(receiver: Sealer, sealed: string): string {
    return receiver.seal(PURPOSE, this.#parts.sealer.open(PURPOSE, sealed));
  }

  /** Encrypts the delegation of a configuration with the current key, before its old key is removed. */
  async renewSeal({ id, sealedDelegation }: Pick<AutoBackup, 'id' | 'sealedDelegation'>): Promise<void> {
    const { sealer } = this.#parts;
    if (sealer.isCurrent(sealedDelegation)) return;
    const renewed = sealer.seal(PURPOSE, sealer.open(PURPOSE, sealedDelegation));
    // Unless the configuration has another one by now.
    const args = { field: 'delegation', expected: sealedDelegation, value: renewed };
    await replaceFieldScript.run(this.#parts.redis, { hash: autoBackupKeys.record(id) }, args);
  }

  /** Revokes a delegation that no configuration has adopted. If that fails, the sweep revokes it. */
  async discard({ delegation, intent }: NewDelegation, owner: Identity, call: CallContext): Promise<void> {
    if (await this.#parts.delegations.revoke(delegation, owner, call)) await this.#intents.remove(intent.id);
  }

  /** The delegation that a configuration used before it was removed or changed, if it is not revoked yet. */
  async retiredOf(configurationId: string): Promise<Delegation | null> {
    const retired = await this.#retired.read();
    const found = retired.find((one) => one.configurationId === configurationId);
    return found === undefined ? null : this.open(found.sealed);
  }

  /**
   * Revokes delegations that are no longer used. Returns how many could not be revoked yet; their records
   * stay.
   */
  revokeRetired(call: CallContext, options: RevokeOptions = {}): Promise<number> {
    return revokeRetired(this.#sweepParts(), call, options);
  }

  /** Revokes delegations whose creator died before a configuration adopted them. */
  sweepIntents(call: CallContext, limits: SweepLimits): Promise<void> {
    return sweepIntents(this.#sweepParts(), call, limits);
  }

  #sweepParts() {
    const open = (sealed: string) => this.open(sealed);
    const { delegations } = this.#parts;
    return { intents: this.#intents, retired: this.#retired, delegations, clock: this.#clock, open };
  }
}

/** In whole seconds, because identity services return no fractions. */
function uniqueExpiry(now: number): string {
  const seconds = Math.floor(now / 1000) + Math.floor((MIN_LIFETIME_YEARS + Math.random()) * YEAR_SECONDS);
  return new Date(seconds * 1000).toISOString().replace('.000Z', '.000000Z');
}

function isDelegationRefused(error: unknown): boolean {
  return error instanceof UpstreamError && error.upstreamStatus !== null && error.status < 500;
}

function isNotConfigured(error: unknown): boolean {
  return error instanceof GatewayError && error.code === NOT_CONFIGURED;
}

function explained(error: unknown, identity: Identity): unknown {
  const refusal = refusalOf(error, identity);
  if (error instanceof UpstreamError && refusal !== 'failed') {
    return forbidden(`An auto backup works with a delegation, but ${explainRefusal(refusal)}`, {
      cause: error,
      upstream: error.upstream,
    });
  }
  if (isNotConfigured(error)) {
    return new GatewayError(
      503,
      NOT_CONFIGURED,
      'Auto backups are not available: the configuration of the gateway has no service user.',
      { retryAfterSeconds: 3600 },
    );
  }
  return error;
}
