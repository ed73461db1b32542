import { notFound } from '@gateway/core';
import {
  type GpuLimits,
  type GpuQuotaOwner,
  gpuTypeKey,
  gpuTypeNamed,
  listServerGpus,
} from '@gateway/inventory';
import { type GpuQuotas, presentGpuQuotas } from '@gateway/resources';
import { toValidationError } from '../../http/request/validation-errors.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import type { GpuLimitsBody } from './quota-schemas.ts';

type DefaultsRequest<Params = unknown> = RequestContext<Params, unknown, GpuLimitsBody>;
type ProjectRequest<Body = unknown> = RequestContext<{ project_id: string }, unknown, Body>;

export async function getDefaultGpuQuotas({
  app,
}: Pick<RequestContext, 'app'>): Promise<Record<string, number>> {
  const limits = await app.gpuQuotas.readLimits('defaults');
  return Object.fromEntries(Object.values(limits).map(({ type, limit }) => [type, limit]));
}

export async function updateDefaultGpuQuotas(request: DefaultsRequest): Promise<Record<string, number>> {
  const limits = limitsIn(request);
  await changingListsOf(request, 'everybody', ['quota'], () =>
    request.app.gpuQuotas.updateLimits('defaults', limits),
  );
  return getDefaultGpuQuotas(request);
}

export async function deleteDefaultGpuQuota(request: RequestContext<{ gpu_type: string }>): Promise<void> {
  await changingListsOf(request, 'everybody', ['quota'], () => removeLimit(request, 'defaults'));
}

export async function getGpuQuotas(request: ProjectRequest): Promise<GpuQuotas> {
  const [quotas] = await Promise.all([readQuotas(request), requireProject(request)]);
  return quotas;
}

export async function updateGpuQuotas(request: ProjectRequest<GpuLimitsBody>): Promise<GpuQuotas> {
  const limits = limitsIn(request);
  await requireProject(request);
  const projectId = request.params.project_id;
  await changingListsOf(request, { projectId }, ['quota'], () =>
    request.app.gpuQuotas.updateLimits({ projectId }, limits),
  );
  return readQuotas(request);
}

export async function deleteGpuQuota(
  request: RequestContext<{ project_id: string; gpu_type: string }>,
): Promise<void> {
  const projectId = request.params.project_id;
  await changingListsOf(request, { projectId }, ['quota'], () => removeLimit(request, { projectId }));
}

/** Throws 404. An unknown project would look like a project without quotas. */
async function requireProject({ openstack, params }: ProjectRequest): Promise<void> {
  await openstack.identity.projects.get(params.project_id);
}

async function readQuotas({ app, openstack, params }: ProjectRequest): Promise<GpuQuotas> {
  const { project_id } = params;
  const records = await app.gpuQuotas.readProject(project_id);
  return presentGpuQuotas(records, () =>
    listServerGpus(openstack, app.config.gpu, { all_tenants: 1, project_id }),
  );
}

async function removeLimit(
  { app, params }: RequestContext<{ gpu_type: string }>,
  owner: GpuQuotaOwner,
): Promise<void> {
  const type = gpuTypeNamed(params.gpu_type, app.config.gpu.devices);
  if (await app.gpuQuotas.removeLimit(owner, gpuTypeKey(type))) return;
  throw notFound(
    `There is no ${owner === 'defaults' ? 'default quota' : 'quota of the project'} for this GPU type.`,
  );
}

/** Types are stored under the key of their device, so that each device has one limit. */
function limitsIn({ app, body }: RequestContext<unknown, unknown, GpuLimitsBody>): GpuLimits {
  const limits: GpuLimits = {};
  for (const [type, value] of Object.entries(body)) {
    const key = gpuTypeKey(gpuTypeNamed(type, app.config.gpu.devices));
    const problem = key === '' ? 'must name a GPU type' : key in limits ? 'must name another GPU type' : null;
    if (problem !== null) throw toValidationError([{ path: ['body', type], message: problem }]);
    limits[key] = { type, limit: typeof value === 'number' ? value : value.limit };
  }
  return limits;
}
