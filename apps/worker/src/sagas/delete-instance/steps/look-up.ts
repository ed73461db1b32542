import { toTimestamp } from '@gateway/core';
import { parseOverlayMetadata } from '@gateway/libraries';
import type { ServerRecord, VolumeRecord } from '@gateway/openstack';
import { JOB_METADATA_KEY } from '@gateway/views';
import { findServers } from '../../resources/find-made.ts';
import { isKept, isRuleOf, jobMark } from '../../resources/names.ts';
import { orNull } from '../../resources/removal.ts';
import { type Belongings, type DeleteStepContext, defineDeleteStep } from '../saga.ts';

export const lookUpBelongings = defineDeleteStep<{ belongings: Belongings }>({
  name: 'look-up',
  async run(context) {
    const server = await context.owner().compute.servers.get(context.instanceId);
    const jobId = server.metadata[JOB_METADATA_KEY] ?? null;
    const [twinIds, volumeIds, addresses, shares] = await Promise.all([
      findTwins(context, server, jobId),
      findVolumes(context, server, jobId),
      findAddresses(context, server, jobId),
      findShares(context, server, jobId),
    ]);
    return { belongings: { twinIds, volumeIds, ...addresses, ...shares } };
  },
});

/** A call that came through after it had been given up may have made the server a second time. */
async function findTwins(
  context: DeleteStepContext,
  server: ServerRecord,
  jobId: string | null,
): Promise<string[]> {
  if (jobId === null) return [];
  const maker = { jobId, projectId: server.tenant_id };
  const servers = await findServers(context.owner(), server.name, maker);
  return servers.map(({ id }) => id).filter((id) => id !== server.id);
}

/** Volumes that were made to go with the server, and those that its job made; none that another server has. */
async function findVolumes(
  context: DeleteStepContext,
  server: ServerRecord,
  jobId: string | null,
): Promise<string[]> {
  const { volumes } = context.owner().blockStorage;
  const attached = server['os-extended-volumes:volumes_attached'];
  const going = attached.filter(({ delete_on_termination }) => delete_on_termination).map(({ id }) => id);
  if (jobId === null) return going;
  const marked = await volumes.list({ metadata: JSON.stringify({ [JOB_METADATA_KEY]: jobId }) });
  const made = marked.filter(
    (volume) =>
      volume.metadata[JOB_METADATA_KEY] === jobId &&
      (volume['os-vol-tenant-attr:tenant_id'] ?? server.tenant_id) === server.tenant_id &&
      !isKept(volume) &&
      isOfCreation(volume, server, context.config.jobs.lateCallSeconds),
  );
  return [...new Set([...going, ...made.map(({ id }) => id)])];
}

/**
 * Whether a volume with the mark of a server's job was created by that job. The service copies the mark to volumes that are
 * restored from a backup: these belong to whoever restored them. A volume that is attached to another server is in use.
 *
 * @param lateCallSeconds how long after the server the last call of the job can have created something
 */
export function isOfCreation(
  { attachments, created_at }: Pick<VolumeRecord, 'attachments' | 'created_at'>,
  server: Pick<ServerRecord, 'id' | 'created'>,
  lateCallSeconds: number,
): boolean {
  if (attachments.length > 0) return attachments.every(({ server_id }) => server_id === server.id);
  const [volumeMs, serverMs] = [created_at, server.created].map((time) =>
    Date.parse(toTimestamp(time) ?? ''),
  );
  return (volumeMs ?? 0) <= (serverMs ?? 0) + lateCallSeconds * 1000;
}

async function findAddresses(
  context: DeleteStepContext,
  server: ServerRecord,
  jobId: string | null,
): Promise<Pick<Belongings, 'floatingIpIds' | 'portIds'>> {
  const { floatingIps, ports } = context.owner().network;
  const description = jobId === null ? null : jobMark(jobId);
  const [ofServer, ofJob, addressesOfJob] = await Promise.all([
    ports.list({ device_id: server.id }),
    description === null ? [] : ports.list({ description }),
    description === null ? [] : floatingIps.list({ description }),
  ]);
  // One that was taken off the server goes too, but not one that another server has got since.
  const own = ofJob.filter(
    ({ project_id, device_id }) => project_id === server.tenant_id && [server.id, ''].includes(device_id),
  );
  const ids = [...new Set([...ofServer, ...own].map(({ id }) => id))];
  const addresses = ids.length === 0 ? [] : await floatingIps.list({ port_id: ids });
  const free = addressesOfJob.filter(
    ({ project_id, port_id }) => project_id === server.tenant_id && port_id === null,
  );
  const floatingIpIds = [...new Set([...addresses, ...free].map(({ id }) => id))];
  return { floatingIpIds, portIds: own.map(({ id }) => id) };
}

/**
 * A server's metadata is its project's to write: what it names is only believed as far as it can do no harm to
 * others. A dynamic share must say itself that it is this instance's; a rule must bear the project's id.
 */
async function findShares(
  context: DeleteStepContext,
  server: ServerRecord,
  jobId: string | null,
): Promise<Pick<Belongings, 'accessRules' | 'dynamicShareIds'>> {
  const { shareIds, strategy } = parseOverlayMetadata(server.metadata);
  const found: Pick<Belongings, 'accessRules' | 'dynamicShareIds'> = { accessRules: [], dynamicShareIds: [] };
  if (jobId === null || shareIds.length === 0 || !context.config.services.sharedFs) return found;
  if (strategy === 'dynamic') {
    const shares = await context.owner().sharedFileSystem.shares.list({
      metadata: JSON.stringify({ overlay_instance: jobId }),
    });
    found.dynamicShareIds = shares
      .filter((share) => share.metadata.overlay_instance === jobId && share.project_id === server.tenant_id)
      .map(({ id }) => id);
    return found;
  }
  const service = await context.service();
  if (service === null) return found;
  for (const shareId of shareIds) {
    const rules = (await orNull(service.sharedFileSystem.accessRules.list(shareId))) ?? [];
    for (const rule of rules) {
      if (isRuleOf(rule, server.tenant_id, jobId)) found.accessRules.push({ shareId, ruleId: rule.id });
    }
  }
  return found;
}
