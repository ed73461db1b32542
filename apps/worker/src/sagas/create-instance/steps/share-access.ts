import { GatewayError } from '@gateway/core';
import { instanceProgress } from '@gateway/jobs';
import { ruleMark } from '@gateway/libraries';
import { awaitAccessRule, findAccessRules } from '../../resources/access-rules.ts';
import { removeAccessRule } from '../../resources/removal.ts';
import { removalOptions, waitOptions } from '../../resources/wait-options.ts';
import { type CreateStepContext, defineCreateStep, isLayered, type ShareAccess } from '../saga.ts';
import { accessOf, findOwnAccesses, type LayeredShare, layeredShares } from '../shares.ts';

/** Grants the instance, and only the instance, access to its shares. */
export const grantShareAccess = defineCreateStep<{ accesses: ShareAccess[] }>({
  name: 'share-access',
  beginUpdate: {
    step: 'FILESHARE_PREPARING',
    progress: instanceProgress.FILESHARE_PREPARING,
    message: 'Access to the share of the libraries is being granted.',
  },
  when: isLayered,
  onRepeat: 'adopts',
  // A share has one rule for each name or address, and refuses a second one.
  async run(context) {
    const accesses: ShareAccess[] = [];
    for (const share of await layeredShares(context)) {
      const ruleId = (await findRule(share, context)) ?? (await allow(share, context));
      accesses.push({ shareId: share.id, ruleId });
    }
    return { accesses };
  },
  async find(context) {
    const accesses = await findOwnAccesses(context);
    return accesses.map(({ shareId, ruleId }) => ({ accesses: [{ shareId, ruleId }] }));
  },
  async settle(context, { accesses }) {
    const shares = await layeredShares(context);
    for (const { shareId, ruleId } of accesses) {
      const share = shares.find(({ id }) => id === shareId);
      if (share === undefined) continue;
      const wait = waitOptions(context, 'access rule', {
        describe: 'The access rule of the share',
        seconds: context.config.timeLimits.shareSeconds,
      });
      await awaitAccessRule(share.manager, ruleId, share.protocol === 'NATIVEFS', wait);
    }
    return undefined;
  },
  async undo(context, { accesses }) {
    const shares = await layeredShares(context, context.remover());
    for (const access of accesses) {
      const share = shares.find(({ id }) => id === access.shareId);
      if (share === undefined) continue;
      await removeAccessRule(
        share.manager,
        access,
        removalOptions(context, 'access rule', context.config.timeLimits.shareSeconds),
      );
    }
  },
  isOwn: ({ accesses }, found) =>
    found.accesses.every(({ ruleId }) => accesses.some((own) => own.ruleId === ruleId)),
  leftover: ({ accesses }) => ({ type: 'access_rule', id: accesses.map(({ ruleId }) => ruleId).join(',') }),
});

async function findRule(share: LayeredShare, context: CreateStepContext): Promise<string | null> {
  const [rule] = await findAccessRules(share.manager, share.id, context);
  return rule?.id ?? null;
}

async function allow(share: LayeredShare, context: CreateStepContext): Promise<string> {
  const { accessTo, accessType, accessLevel } = accessOf(context, share);
  try {
    const rule = await share.manager.sharedFileSystem.accessRules.allow(share.id, {
      access_type: accessType,
      access_to: accessTo,
      access_level: accessLevel,
      metadata: ruleMark(context.projectId, context.jobId),
    });
    return rule.id;
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'conflict')) throw error;
    // The existing rule may be this job's own, created by a late call.
    const own = await findRule(share, context);
    if (own !== null) return own;
    throw accessTaken(share, accessTo, error);
  }
}

/** Networks of different projects may use the same addresses, which a share cannot distinguish. */
function accessTaken({ libraryIds }: LayeredShare, accessTo: string, cause: GatewayError): GatewayError {
  return new GatewayError(
    409,
    'share_access_conflict',
    `Another instance with the address ${accessTo} uses the library ${libraryIds.join(', ')}, and its share cannot distinguish them: please choose another network.`,
    { cause },
  );
}
