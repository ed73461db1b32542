import { descriptionsOf, isKept, JOB_METADATA_KEY, jobDescription, toMilliseconds } from '@gateway/core';
import { isRuleOf, parseOverlayMetadata } from '@gateway/libraries';
import {
  attachmentsOf,
  knownMarks,
  nullIfNotFound,
  type ServerRecord,
  type VolumeRecord,
} from '@gateway/openstack';
import { type AssociatedResources, type DeleteStepContext, defineDeleteStep } from '../saga.ts';

/**
 * Waits while a service is unavailable: what only the server leads to can be found only before it is
 * deleted, and the compute service itself needs the others to detach volumes and to remove ports.
 */
export const findAssociatedResources = defineDeleteStep<{ associated: AssociatedResources }>({
  name: 'look-up',
  unavailableUpdate: (service) => ({
    step: 'SERVER_DELETING',
    progress: 0,
    message: `The deletion waits for the ${service} service, which does not respond or answers with errors.`,
  }),
  async run(context) {
    const jobId = context.server.metadata[JOB_METADATA_KEY] ?? null;
    const [volumeIds, addresses, shares] = await Promise.all([
      findVolumes(context, jobId),
      findAddresses(context, jobId),
      findShares(context, jobId),
    ]);
    const creation = jobId === null ? {} : { creationJobId: jobId };
    return { associated: { ...creation, volumeIds, ...addresses, ...shares } };
  },
});

/** Volumes that are deleted with the server, and those that its job created. */
async function findVolumes(context: DeleteStepContext, jobId: string | null): Promise<string[]> {
  const { instanceId, owner, server } = context;
  const going = await goingVolumes(context);
  if (jobId === null) return going;
  const { volumes } = owner().blockStorage;
  const marked = await volumes.list({ metadata: JSON.stringify({ [JOB_METADATA_KEY]: jobId }) });
  const made = marked.filter(
    (volume) =>
      (volume['os-vol-tenant-attr:tenant_id'] ?? server.projectId) === server.projectId &&
      knownMarks('blockStorage', volume)[JOB_METADATA_KEY] === jobId &&
      !isKept(volume) &&
      isOfCreation(
        volume,
        { id: instanceId, created: server.createdAt },
        context.config.jobs.lateCallSeconds,
      ),
  );
  return [...new Set([...going, ...made.map(({ id }) => id)])];
}

/** What the request has read of the server is not read again at once. */
const FRESH_MS = 60_000;

/**
 * The volumes that are deleted with the server, as the request has read them. A job that has waited does not
 * take those that were detached from the server in the meantime.
 */
async function goingVolumes({ instanceId, owner, server, since }: DeleteStepContext): Promise<string[]> {
  if (Date.now() - since < FRESH_MS) return server.volumeIds;
  const now = await nullIfNotFound(owner().lookups.server(instanceId));
  // The compute service has deleted them with the server.
  if (now === null) return server.volumeIds;
  const attached = now['os-extended-volumes:volumes_attached'].filter(
    ({ delete_on_termination }) => delete_on_termination,
  );
  return server.volumeIds.filter((id) => attached.some((volume) => volume.id === id));
}

/**
 * Whether a volume with the mark of a server's job was created by that job. The service copies the mark to
 * volumes that are restored from a backup, which belong to the user who restored them. A volume that is
 * attached to another server is in use. One whose time or attachments are not known stays, and is among the
 * administrators' leftovers.
 *
 * @param lateCallSeconds how long after the server the last call of the job can have created something
 */
export function isOfCreation(
  volume: Pick<VolumeRecord, 'attachments' | 'created_at' | 'status'>,
  server: Pick<ServerRecord, 'id' | 'created'>,
  lateCallSeconds: number,
): boolean {
  const attachments = attachmentsOf(volume);
  if (attachments === null) return false;
  if (attachments.length > 0) return attachments.every(({ server_id }) => server_id === server.id);
  const [volumeMs, serverMs] = [toMilliseconds(volume.created_at), toMilliseconds(server.created)];
  return volumeMs !== null && serverMs !== null && volumeMs <= serverMs + lateCallSeconds * 1000;
}

async function findAddresses(
  { instanceId, owner, server }: DeleteStepContext,
  jobId: string | null,
): Promise<Pick<AssociatedResources, 'floatingIpIds' | 'portIds'>> {
  const { lookups } = owner();
  const [ofServer, ofJob, floatingIps] = await Promise.all([
    lookups.ports('device_id', instanceId),
    jobId === null ? [] : lookups.ports('description', jobDescription(jobId)),
    lookups.floatingIps(server.projectId),
  ]);
  // A port that was detached from the server is removed as well, unless another server has it now.
  const own = ofJob.filter(
    ({ project_id, device_id }) =>
      project_id === server.projectId && (device_id === '' || device_id === instanceId),
  );
  const portIds = new Set([...ofServer, ...own].map(({ id }) => id));
  const marks = descriptionsOf({ id: instanceId, metadata: server.metadata });
  // A floating IP that has lost its port is removed as well.
  const going = floatingIps.filter(({ description, port_id }) =>
    port_id === null ? description !== null && marks.includes(description) : portIds.has(port_id),
  );
  return { floatingIpIds: going.map(({ id }) => id), portIds: own.map(({ id }) => id) };
}

/**
 * A project can write anything into its server's metadata, so the metadata alone proves nothing. A dynamic
 * share must itself contain the id of this instance's job, and an access rule the project's id.
 */
async function findShares(
  context: DeleteStepContext,
  jobId: string | null,
): Promise<Pick<AssociatedResources, 'accessRules' | 'dynamicShareIds'>> {
  const { server } = context;
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
      .filter(
        (share) =>
          share.project_id === server.projectId &&
          knownMarks('sharedFileSystem', share).overlay_instance === jobId,
      )
      .map(({ id }) => id);
    return found;
  }
  const service = await context.service();
  if (service === null) return found;
  for (const shareId of shareIds) {
    const rules = (await nullIfNotFound(service.sharedFileSystem.accessRules.list(shareId))) ?? [];
    for (const rule of rules) {
      if (isRuleOf(knownMarks('sharedFileSystem', rule), server.projectId, jobId))
        found.accessRules.push({ shareId, ruleId: rule.id });
    }
  }
  return found;
}
