import { toTimestamp } from '@gateway/core';
import { isRuleOf, parseOverlayMetadata } from '@gateway/libraries';
import { descriptionsOf, isKept, JOB_METADATA_KEY, jobDescription } from '@gateway/marks';
import { nullIfNotFound, type ServerRecord, type VolumeRecord } from '@gateway/openstack';
import { findServers } from '../../resources/find-by-mark.ts';
import { type AssociatedResources, type DeleteStepContext, defineDeleteStep } from '../saga.ts';

export const findAssociatedResources = defineDeleteStep<{ associated: AssociatedResources }>({
  name: 'look-up',
  async run(context) {
    const server = await context.owner().compute.servers.get(context.instanceId);
    const jobId = server.metadata[JOB_METADATA_KEY] ?? null;
    const [duplicateIds, volumeIds, addresses, shares] = await Promise.all([
      findDuplicates(context, server, jobId),
      findVolumes(context, server, jobId),
      findAddresses(context, server, jobId),
      findShares(context, server, jobId),
    ]);
    const creation = jobId === null ? {} : { creationJobId: jobId };
    return { associated: { ...creation, duplicateIds, volumeIds, ...addresses, ...shares } };
  },
});

/** Servers that a late call has created beside this one. */
async function findDuplicates(
  context: DeleteStepContext,
  server: ServerRecord,
  jobId: string | null,
): Promise<string[]> {
  if (jobId === null) return [];
  const mark = { jobId, projectId: server.tenant_id };
  const servers = await findServers(context.owner(), server.name, mark);
  return servers.map(({ id }) => id).filter((id) => id !== server.id);
}

/** Volumes that are deleted with the server, and those that its job created. */
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
 * Whether a volume with the mark of a server's job was created by that job. The service copies the mark to
 * volumes that are restored from a backup, which belong to the user who restored them. A volume that is
 * attached to another server is in use.
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
): Promise<Pick<AssociatedResources, 'floatingIpIds' | 'portIds'>> {
  const { floatingIps, ports } = context.owner().network;
  const [ofServer, ofJob, marked] = await Promise.all([
    ports.list({ device_id: server.id }),
    jobId === null ? [] : ports.list({ description: jobDescription(jobId) }),
    floatingIps.list({ description: descriptionsOf(server) }),
  ]);
  // A port that was detached from the server is removed as well, unless another server has it now.
  const own = ofJob.filter(
    ({ project_id, device_id }) => project_id === server.tenant_id && [server.id, ''].includes(device_id),
  );
  const ids = [...new Set([...ofServer, ...own].map(({ id }) => id))];
  const addresses = ids.length === 0 ? [] : await floatingIps.list({ port_id: ids });
  // A floating IP that has lost its port is removed as well.
  const free = marked.filter(
    ({ project_id, port_id }) => project_id === server.tenant_id && port_id === null,
  );
  const floatingIpIds = [...new Set([...addresses, ...free].map(({ id }) => id))];
  return { floatingIpIds, portIds: own.map(({ id }) => id) };
}

/**
 * A project can write anything into its server's metadata, so the metadata alone proves nothing. A dynamic
 * share must itself contain the id of this instance's job, and an access rule the project's id.
 */
async function findShares(
  context: DeleteStepContext,
  server: ServerRecord,
  jobId: string | null,
): Promise<Pick<AssociatedResources, 'accessRules' | 'dynamicShareIds'>> {
  const { shareIds, strategy } = parseOverlayMetadata(server.metadata);
  const found: Pick<AssociatedResources, 'accessRules' | 'dynamicShareIds'> = {
    accessRules: [],
    dynamicShareIds: [],
  };
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
    const rules = (await nullIfNotFound(service.sharedFileSystem.accessRules.list(shareId))) ?? [];
    for (const rule of rules) {
      if (isRuleOf(rule, server.tenant_id, jobId)) found.accessRules.push({ shareId, ruleId: rule.id });
    }
  }
  return found;
}
