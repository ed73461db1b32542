import { type FieldError, invalidInput } from '@gateway/core';
import {
  type NewQuotaLimits,
  type QuotaServiceName,
  type QuotaUpdate,
  quotaLimits,
  quotaProgress,
} from '@gateway/jobs';
import { type BoundClient, isTransient, type QuotaUsage } from '@gateway/openstack';
import type { Logger } from '@gateway/platform';
import { announcer, defineStep, type Step, type StepContext } from '../../saga/index.ts';
import { parkUntil } from '../resources/wait-options.ts';
import { limitsIn, quotaServices } from './services.ts';

export interface UpdateQuotasContext {
  input: QuotaUpdate;
  logger: Logger;
  owner(): BoundClient;
}

export interface UpdateQuotasState {
  /** The limits that the job may update, as they were. */
  before: NewQuotaLimits;
}

type QuotaStepContext = StepContext<UpdateQuotasContext, UpdateQuotasState>;

const defineQuotaStep = defineStep<UpdateQuotasContext, UpdateQuotasState>();

const announce = announcer(quotaProgress);

const serviceNames = Object.keys(quotaLimits) as QuotaServiceName[];

/**
 * For how long the job tries to restore the old limits. Later it could overwrite limits that somebody has set
 * meanwhile.
 */
const PUT_BACK_MS = 60_000;

/**
 * Stores the limits before the first update. Its undo reverts all changes, whichever of them have taken
 * effect.
 */
const remember = defineQuotaStep<{ before: NewQuotaLimits }>({
  name: 'read-limits',
  beginUpdate: announce('QUOTAS_CHANGING', 'The quotas are being changed.'),
  onRepeat: 'idempotent',
  async run({ input: { limits, quotaProjectId }, owner }) {
    const used = await readUsedQuotas(owner(), quotaProjectId, limits);
    requireRoom(limits, used);
    return { before: Object.fromEntries(Object.keys(limits).map((name) => [name, used[name]?.limit ?? -1])) };
  },
  async undo(context, { before }) {
    // An update that takes effect only now would come after its reversal.
    parkUntil(context.lateUntil);
    const results = await Promise.allSettled(serviceNames.map((name) => putBack(context, name, before)));
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      context.signal.throwIfAborted();
      if (isTransient(result.reason) && Date.now() < context.since + PUT_BACK_MS) throw result.reason;
      const { quotaProjectId } = context.input;
      context.logger.error('Failed to restore a quota', {
        error: result.reason,
        quota_project_id: quotaProjectId,
      });
    }
  },
});

/** Writes only limits that differ: a service that has refused the change would also refuse its reversal. */
async function putBack(
  { input, owner }: QuotaStepContext,
  name: QuotaServiceName,
  before: NewQuotaLimits,
): Promise<void> {
  if (!hasLimits(name, before)) return;
  const service = quotaServices[name];
  const limits = limitsIn(name, before);
  const current = await service.read(owner(), input.quotaProjectId);
  const isBack = Object.entries(limits).every(([quota, limit]) => current[quota]?.limit === limit);
  // The usage may have grown beyond the old limit meanwhile.
  if (!isBack) await service.write(owner(), input.quotaProjectId, limits, { force: true });
}

/** @throws 404 for an unknown project, for which block storage would return its default limits */
async function readUsedQuotas(
  client: BoundClient,
  projectId: string,
  limits: NewQuotaLimits,
): Promise<Record<string, QuotaUsage>> {
  await client.identity.projects.get(projectId);
  const names = serviceNames.filter((name) => hasLimits(name, limits));
  const reads = names.map((name) => quotaServices[name].read(client, projectId));
  return Object.assign({}, ...(await Promise.all(reads)));
}

function hasLimits(name: QuotaServiceName, limits: NewQuotaLimits): boolean {
  return Object.keys(limitsIn(name, limits)).length > 0;
}

function updateLimits(name: QuotaServiceName) {
  return defineQuotaStep<Record<never, never>>({
    name,
    // Also after a response that does not say whether the limits are set.
    onRepeat: 'idempotent',
    when: ({ input }) => hasLimits(name, input.limits),
    async run({ input, owner }) {
      await quotaServices[name].write(owner(), input.quotaProjectId, limitsIn(name, input.limits), {});
      return {};
    },
  });
}

function requireRoom(limits: QuotaUpdate['limits'], used: Record<string, QuotaUsage>): void {
  const problems: FieldError[] = [];
  for (const [name, limit] of Object.entries(limits)) {
    const { in_use = 0, reserved = 0 } = used[name] ?? {};
    if (limit === -1 || limit >= in_use + reserved) continue;
    const message = `must be at least ${in_use + reserved}, which are in use, or -1`;
    problems.push({ field: `body.${name}`, message });
  }
  if (problems.length === 0) return;
  const sentences = problems.map(({ field, message }) => `${field.replace('body.', '')} ${message}`);
  throw invalidInput(`The quotas cannot be changed: ${sentences.join('; ')}.`, { errors: problems });
}

/** Updates the limits of a project at several services: all or none. */
export const updateQuotasSteps: readonly Step<UpdateQuotasContext, UpdateQuotasState>[] = [
  remember,
  ...serviceNames.map(updateLimits),
];
