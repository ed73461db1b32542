import { GatewayError } from '@gateway/core';
import { removeAccessRule } from '@gateway/inventory';
import { ruleMark, type ShareProtocol } from '@gateway/libraries';
import type { BoundClient } from '@gateway/openstack';
import type { Step, StepContext } from '../../saga/index.ts';
import { awaitAccessRule, findAccessRules } from './access-rules.ts';
import { type ResourceContext, resultUnder, type StateKeyOf, valueUnder } from './resource-step.ts';
import { removalOptions, waitOptions } from './wait-options.ts';

/** An access rule of a machine. */
export interface ShareAccess {
  shareId: string;
  ruleId: string;
}

/** A share that a machine mounts. */
export interface MountedShare {
  id: string;
  protocol: ShareProtocol;
  /** The libraries that the share contains. */
  libraryIds: string[];
  /** The rights to change the access rules. */
  manager: BoundClient;
}

/** The identity that a share grants access to: a client name of the machine, or its address. */
export interface ShareIdentity {
  accessTo: string;
  accessType: 'cephx' | 'ip';
  accessLevel: 'ro' | 'rw';
}

interface SharingContext extends ResourceContext {
  projectId: string;
}

interface ShareAccessStep<Context, State extends object, Share extends MountedShare>
  extends Pick<Step<Context, State>, 'name' | 'beginUpdate' | 'when'> {
  /** The key of the state for the rules. */
  key: StateKeyOf<State, ShareAccess[]>;
  shares(context: StepContext<Context, State>): Promise<Share[]>;
  /** The same shares, with rights that may also work after the owner's have ended. */
  sharesForRemoval(context: StepContext<Context, State>): Promise<Share[]>;
  identityFor(context: StepContext<Context, State>, share: Share): ShareIdentity;
}

/** Grants a machine, and only this machine, access to its shares; the rollback withdraws it. */
export function shareAccessStep<
  Context extends SharingContext,
  State extends object,
  Share extends MountedShare,
>(spec: ShareAccessStep<Context, State, Share>): Step<Context, State> {
  const { key, shares, sharesForRemoval, identityFor, ...step } = spec;
  const accessesIn = (result: Partial<State>) => valueUnder<State, ShareAccess[]>(result, key);
  const under = (accesses: ShareAccess[]) => resultUnder<State, ShareAccess[]>(key, accesses);
  return {
    ...step,
    onRepeat: 'adopts',
    // A share has one rule for each name or address, and refuses a second one.
    async run(context) {
      const accesses: ShareAccess[] = [];
      for (const share of await shares(context)) {
        const ruleId =
          (await findRule(share, context)) ?? (await allow(share, context, identityFor(context, share)));
        accesses.push({ shareId: share.id, ruleId });
      }
      return under(accesses);
    },
    async find(context) {
      const accesses = await findAccesses(await sharesForRemoval(context), context);
      return accesses.map(({ shareId, ruleId }) => under([{ shareId, ruleId }]));
    },
    async settle(context, result) {
      const all = await shares(context);
      for (const { shareId, ruleId } of accessesIn(result)) {
        const share = all.find(({ id }) => id === shareId);
        if (share === undefined) continue;
        const wait = waitOptions(context, 'access_rule', {
          describe: 'The access rule of the share',
          seconds: context.config.timeLimits.shareSeconds,
        });
        await awaitAccessRule(share.manager, ruleId, share.protocol === 'NATIVEFS', wait);
      }
      return undefined;
    },
    async undo(context, result) {
      const all = await sharesForRemoval(context);
      for (const access of accessesIn(result)) {
        const share = all.find(({ id }) => id === access.shareId);
        if (share === undefined) continue;
        const { shareSeconds } = context.config.timeLimits;
        await removeAccessRule(share.manager, access, removalOptions(context, 'access_rule', shareSeconds));
      }
    },
    isOwn: (result, found) =>
      accessesIn(found).every(({ ruleId }) => accessesIn(result).some((own) => own.ruleId === ruleId)),
    leftover: (result) => ({
      type: 'access_rule',
      id: accessesIn(result)
        .map(({ ruleId }) => ruleId)
        .join(','),
    }),
  };
}

interface FoundAccess extends ShareAccess {
  /** The client name or address that the rule grants access to. */
  accessTo: string;
}

/** The access rules of this job that still exist. */
export async function findAccesses(
  shares: readonly MountedShare[],
  job: Pick<SharingContext, 'jobId' | 'projectId'>,
): Promise<FoundAccess[]> {
  const accesses: FoundAccess[] = [];
  for (const { id: shareId, manager } of shares) {
    const rules = await findAccessRules(manager, shareId, job);
    accesses.push(...rules.map(({ id, access_to }) => ({ shareId, ruleId: id, accessTo: access_to })));
  }
  return accesses;
}

async function findRule(
  { id, manager }: MountedShare,
  job: Pick<SharingContext, 'jobId' | 'projectId'>,
): Promise<string | null> {
  const [rule] = await findAccessRules(manager, id, job);
  return rule?.id ?? null;
}

async function allow(
  share: MountedShare,
  { jobId, projectId }: SharingContext,
  { accessLevel, accessTo, accessType }: ShareIdentity,
): Promise<string> {
  try {
    const rule = await share.manager.sharedFileSystem.accessRules.allow(share.id, {
      access_type: accessType,
      access_to: accessTo,
      access_level: accessLevel,
      metadata: ruleMark(projectId, jobId),
    });
    return rule.id;
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'conflict')) throw error;
    // The existing rule may be this job's own, created by a late call.
    const own = await findRule(share, { jobId, projectId });
    if (own !== null) return own;
    throw accessTaken(share.libraryIds, accessTo, error);
  }
}

/** Networks of different projects may use the same addresses, which a share cannot distinguish. */
function accessTaken(libraryIds: string[], accessTo: string, cause: GatewayError): GatewayError {
  return new GatewayError(
    409,
    'share_access_conflict',
    `Another instance with the address ${accessTo} uses the library ${libraryIds.join(', ')}, and its share cannot distinguish them: please choose another network.`,
    { cause },
  );
}
