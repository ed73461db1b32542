import { isRuleOf, parseOverlayMetadata, serviceUserMissing } from '@gateway/libraries';
import {
  type BoundClient,
  knownMarks,
  nullIfNotFound,
  type PortRecord,
  type ServerRecord,
  waitFor,
} from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';

/** An access rule by which a share grants access to an address. */
interface Grant {
  shareId: string;
  ruleId: string;
  /** The client that may change the rule. */
  manager: BoundClient;
}

/** The rules that the job of an instance has created for the address of its port. */
export async function findGrants(
  request: RequestContext,
  { metadata, tenant_id }: ServerRecord,
  { port, jobId }: { port: PortRecord; jobId: string },
): Promise<Grant[]> {
  const { shareIds, strategy } = parseOverlayMetadata(metadata ?? {});
  if (shareIds.length === 0 || !request.app.config.services.sharedFs) return [];
  const manager = strategy === 'dynamic' ? request.openstack : await bindService(request);
  const addresses = port.fixed_ips.map(({ ip_address }) => ip_address);
  const rules = await Promise.all(shareIds.map((shareId) => rulesOf(manager, shareId)));
  return rules
    .flat()
    .filter(
      ({ rule }) =>
        addresses.includes(rule.access_to) &&
        isRuleOf(knownMarks('sharedFileSystem', rule), tenant_id, jobId),
    )
    .map(({ rule, shareId }) => ({ shareId, ruleId: rule.id, manager }));
}

/** Prebuilt shares belong to the gateway's own user. */
async function bindService({ app, requestId }: RequestContext): Promise<BoundClient> {
  const service = await app.serviceAccount.bind({ requestId });
  if (service === null) throw serviceUserMissing();
  return service;
}

async function rulesOf({ sharedFileSystem }: BoundClient, shareId: string) {
  const rules = (await nullIfNotFound(sharedFileSystem.accessRules.list(shareId))) ?? [];
  return rules.map((rule) => ({ rule, shareId }));
}

/** Longer than the services usually take. The request can be repeated. */
const REVOKE_MS = 30_000;

/**
 * Revokes the rules and waits until they are gone: the next owner of the address would inherit the access.
 */
export async function revokeGrants({ app }: RequestContext, grants: readonly Grant[]): Promise<void> {
  for (const { manager, shareId, ruleId } of grants) {
    await nullIfNotFound(manager.sharedFileSystem.accessRules.deny(shareId, ruleId));
  }
  const intervalMs = app.config.jobs.pollIntervalMs;
  const wait = {
    describe: 'The removal of the interface',
    timeoutMs: REVOKE_MS,
    intervals: { firstMs: intervalMs, maxMs: intervalMs },
    signal: app.waitAbort.signal,
  };
  for (const { manager, shareId, ruleId } of grants) {
    await waitFor(async () => {
      const rules = await rulesOf(manager, shareId);
      return rules.some(({ rule }) => rule.id === ruleId) ? undefined : true;
    }, wait);
  }
}
