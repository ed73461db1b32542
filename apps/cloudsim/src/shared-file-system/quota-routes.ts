import { objectAt } from '../common/json.ts';
import { badRequest, forbidden } from '../common/service-error.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import { owns, requireAdmin } from '../http/policy.ts';
import type { SharedFileSystemCall } from './cloud.ts';
import { shareLimits, shareUsage } from './quotas.ts';

function getLimits(call: SharedFileSystemCall): Reply {
  const state = call.cloud.sharedFileSystem;
  const limits = shareLimits(state, call.caller.projectId);
  const usage = shareUsage(state, call.caller.projectId);
  const absolute = {
    maxTotalShares: limits.shares,
    maxTotalShareSnapshots: limits.snapshots,
    maxTotalShareGigabytes: limits.gigabytes,
    maxTotalSnapshotGigabytes: limits.snapshot_gigabytes,
    maxTotalShareNetworks: limits.share_networks,
    totalSharesUsed: usage.shares,
    totalShareSnapshotsUsed: usage.snapshots,
    totalShareGigabytesUsed: usage.gigabytes,
    totalSnapshotGigabytesUsed: usage.snapshot_gigabytes,
    totalShareNetworksUsed: usage.share_networks,
  };
  return ok({ limits: { rate: [], absolute } });
}

function quotaProject(call: SharedFileSystemCall): string {
  const id = call.params.id ?? '';
  if (!owns(call.caller, id)) throw forbidden('Access was denied to this resource.');
  return id;
}

function getQuota(call: SharedFileSystemCall): Reply {
  const id = quotaProject(call);
  return ok({ quota_set: { id, ...shareLimits(call.cloud.sharedFileSystem, id) } });
}

function getQuotaDetail(call: SharedFileSystemCall): Reply {
  const id = quotaProject(call);
  const usage = shareUsage(call.cloud.sharedFileSystem, id);
  const rows = Object.entries(shareLimits(call.cloud.sharedFileSystem, id)).map(([key, limit]) => [
    key,
    { limit, in_use: usage[key] ?? 0, reserved: 0 },
  ]);
  return ok({ quota_set: { id, ...Object.fromEntries(rows) } });
}

function updateQuota(call: SharedFileSystemCall): Reply {
  requireAdmin(call, 'quota_set:update');
  const id = call.params.id ?? '';
  const input = objectAt(call.body, 'quota_set');
  const quota = { ...call.cloud.sharedFileSystem.quotas.get(id) };
  const usage = shareUsage(call.cloud.sharedFileSystem, id);
  for (const [key, value] of Object.entries(input)) {
    if (key === 'force') continue;
    const limit = Number(value);
    if (input.force !== true && limit >= 0 && limit < (usage[key] ?? 0))
      throw badRequest(`Quota value ${limit} for ${key} must be greater than already used ${usage[key]}.`);
    quota[key] = limit;
  }
  call.cloud.sharedFileSystem.quotas.set(id, quota);
  return getQuota(call);
}

export const quotaOperations = [
  operation('limits.get', 'GET /limits', getLimits),
  operation('quotas.detail', 'GET /quota-sets/:id/detail', getQuotaDetail),
  operation('quotas.get', 'GET /quota-sets/:id', getQuota),
  operation('quotas.update', 'PUT /quota-sets/:id', updateQuota),
];
