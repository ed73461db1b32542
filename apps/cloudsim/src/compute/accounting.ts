import { type JsonObject, numberAt, objectAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { denied, owns, requireAdmin } from '../http/policy.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { computeLimits, computeUsage, DEFAULT_LIMITS, type Limits } from './quotas.ts';

/** Version 2.36 removed the limits of the network proxies, version 2.57 those of injected files. */
const UNTIL_36 = ['fixed_ips', 'floating_ips', 'security_group_rules', 'security_groups'];
const UNTIL_57 = ['injected_file_content_bytes', 'injected_file_path_bytes', 'injected_files'];

function atVersion(limits: Limits, minor: number): Limits {
  const removed = [...(minor >= 36 ? UNTIL_36 : []), ...(minor >= 57 ? UNTIL_57 : [])];
  return Object.fromEntries(Object.entries(limits).filter(([key]) => !removed.includes(key)));
}

function getLimits(call: ComputeCall): Reply {
  const { minor, cloud, caller } = call;
  const requested = call.query.get('tenant_id');
  if (requested !== null && !owns(caller, requested)) throw denied('os_compute_api:limits:other_project');
  const projectId = requested ?? caller.projectId;
  const limits = computeLimits(cloud.compute, projectId);
  const usage = computeUsage(cloud.compute, projectId);
  const absolute = {
    maxTotalInstances: limits.instances,
    maxTotalCores: limits.cores,
    maxTotalRAMSize: limits.ram,
    maxServerMeta: limits.metadata_items,
    ...(minor < 39 ? { maxImageMeta: limits.metadata_items } : {}),
    ...(minor < 57 ? { maxPersonality: 5, maxPersonalitySize: 10240 } : {}),
    maxTotalKeypairs: limits.key_pairs,
    maxServerGroups: limits.server_groups,
    maxServerGroupMembers: limits.server_group_members,
    ...(minor < 36 ? { maxTotalFloatingIps: -1, maxSecurityGroups: -1, maxSecurityGroupRules: -1 } : {}),
    totalRAMUsed: usage.ram,
    totalCoresUsed: usage.cores,
    totalInstancesUsed: usage.instances,
    ...(minor < 36 ? { totalFloatingIpsUsed: 0, totalSecurityGroupsUsed: 0 } : {}),
    totalServerGroupsUsed: 0,
  };
  return ok({ limits: { rate: [], absolute } });
}

function projectOf(call: ComputeCall): string {
  const id = call.params.id ?? '';
  if (!owns(call.caller, id)) throw denied('os_compute_api:os-quota-sets:show');
  return id;
}

function getQuota(call: ComputeCall): Reply {
  const id = projectOf(call);
  return ok({ quota_set: { id, ...atVersion(computeLimits(call.cloud.compute, id), call.minor) } });
}

function getQuotaDetail(call: ComputeCall): Reply {
  const id = projectOf(call);
  const usage: Limits = computeUsage(call.cloud.compute, id);
  const limits = atVersion(computeLimits(call.cloud.compute, id), call.minor);
  const rows = Object.entries(limits).map(([key, limit]) => [
    key,
    { limit, in_use: usage[key] ?? 0, reserved: 0 },
  ]);
  return ok({ quota_set: { id, ...Object.fromEntries(rows) } });
}

function getDefaults(call: ComputeCall): Reply {
  return ok({ quota_set: { id: call.params.id, ...atVersion(DEFAULT_LIMITS, call.minor) } });
}

function requireAboveUsage(call: ComputeCall, projectId: string, input: JsonObject): void {
  for (const [resource, used] of Object.entries(computeUsage(call.cloud.compute, projectId))) {
    const limit = numberAt(input, resource);
    if (limit === undefined || limit < 0 || limit >= used) continue;
    throw badRequest(
      `Quota limit ${limit} for ${resource} must be greater than or equal to already used and reserved ${used}.`,
    );
  }
}

function updateQuota(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-quota-sets:update');
  const id = call.params.id ?? '';
  const input = objectAt(call.body, 'quota_set');
  if (!call.cloud.identity.projects.has(id)) throw badRequest(`Project ID ${id} is not a valid project.`);
  if (input.force !== true) requireAboveUsage(call, id, input);
  const quota = { ...call.cloud.compute.quotas.get(id) };
  for (const [key, value] of Object.entries(input)) if (key !== 'force') quota[key] = Number(value);
  call.cloud.compute.quotas.set(id, quota);
  return ok({ quota_set: atVersion(computeLimits(call.cloud.compute, id), call.minor) });
}

export const accountingOperations: Operation<ComputeCloud>[] = [
  operation('limits.get', 'GET /limits', getLimits),
  operation('quotas.defaults', 'GET /os-quota-sets/:id/defaults', getDefaults),
  operation('quotas.detail', 'GET /os-quota-sets/:id/detail', getQuotaDetail),
  operation('quotas.get', 'GET /os-quota-sets/:id', getQuota),
  operation('quotas.update', 'PUT /os-quota-sets/:id', updateQuota),
];
