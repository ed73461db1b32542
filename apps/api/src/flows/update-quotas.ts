import { type FieldError, invalidInput } from '@gateway/core';
import {
  type BlockStorageQuotas,
  type BoundClient,
  type ComputeQuotas,
  isTransient,
  type QuotaUsage,
} from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

export interface Quotas {
  compute: ComputeQuotas;
  storage: BlockStorageQuotas;
}

/** The new limits, by quota. Memory in MiB, sizes in GiB; -1 is unlimited. */
export type NewLimits = Partial<Record<ComputeName | StorageName, number>>;

type ComputeName = (typeof COMPUTE)[number];
type StorageName = (typeof STORAGE)[number];

const COMPUTE = ['instances', 'cores', 'ram'] as const;
const STORAGE = ['volumes', 'gigabytes'] as const;

/** @throws 404 for an unknown project: block storage would answer with its default limits */
export async function readQuotas(openstack: BoundClient, projectId: string): Promise<Quotas> {
  await openstack.identity.projects.get(projectId);
  const [compute, storage] = await Promise.all([
    openstack.compute.quotas.get(projectId),
    openstack.blockStorage.quotas.get(projectId),
  ]);
  return { compute, storage };
}

/** The limits of one service. */
interface Part {
  set(): Promise<void>;
  putBack(): Promise<void>;
}

/**
 * Sets the limits of several services, all or none. Before the error of one service is thrown, the limits of those that were
 * set, and of one that may have been, are put back.
 *
 * @throws 400 for a limit below what is in use, 404 for an unknown project
 */
export async function updateQuotas(
  { logger, openstack }: Pick<RequestContext, 'logger' | 'openstack'>,
  projectId: string,
  limits: NewLimits,
): Promise<void> {
  const before = await readQuotas(openstack, projectId);
  requireRoom(limits, { ...before.storage, ...before.compute });
  const { blockStorage, compute } = openstack;
  const parts = [
    // What came into use meanwhile may be more than the old limit.
    ...partOf(COMPUTE, limits, before.compute, (values, force) =>
      compute.quotas.update(projectId, values, { force }),
    ),
    ...partOf(STORAGE, limits, before.storage, (values) => blockStorage.quotas.update(projectId, values)),
  ];
  const changed: Part[] = [];
  for (const part of parts) {
    try {
      await part.set();
      changed.push(part);
    } catch (error) {
      if (isTransient(error)) changed.push(part);
      const results = await Promise.allSettled(changed.map((one) => one.putBack()));
      for (const result of results) {
        if (result.status === 'fulfilled') continue;
        logger.error('Failed to put back a quota', { error: result.reason, quota_project_id: projectId });
      }
      throw error;
    }
  }
}

function requireRoom(limits: NewLimits, used: Record<ComputeName | StorageName, QuotaUsage>): void {
  const problems: FieldError[] = [];
  for (const name of [...COMPUTE, ...STORAGE]) {
    const limit = limits[name];
    const inUse = used[name].in_use + used[name].reserved;
    if (limit === undefined || limit === -1 || limit >= inUse) continue;
    problems.push({ field: `body.${name}`, message: `must be at least ${inUse}, which are in use, or -1` });
  }
  if (problems.length === 0) return;
  const sentences = problems.map(({ field, message }) => `${field.replace('body.', '')} ${message}`);
  throw invalidInput(`The quotas can not be changed: ${sentences.join('; ')}.`, { errors: problems });
}

/** Empty if no limit of the service changes. */
function partOf<Name extends ComputeName | StorageName>(
  names: readonly Name[],
  limits: NewLimits,
  before: Record<Name, QuotaUsage>,
  write: (values: Partial<Record<Name, number>>, isPutBack: boolean) => Promise<void>,
): Part[] {
  const changing = names.filter((name) => limits[name] !== undefined);
  const values = (limitOf: (name: Name) => number | undefined) =>
    Object.fromEntries(changing.map((name) => [name, limitOf(name)])) as Partial<Record<Name, number>>;
  if (changing.length === 0) return [];
  return [
    {
      set: () =>
        write(
          values((name) => limits[name]),
          false,
        ),
      putBack: () =>
        write(
          values((name) => before[name].limit),
          true,
        ),
    },
  ];
}
