import {
  descriptionsOf,
  isKept,
  isRestored,
  JOB_METADATA_KEY,
  jobDescription,
  toMilliseconds,
} from '@gateway/core';
import { isRuleOf, parseOverlayMetadata } from '@gateway/libraries';
import {
  attachmentsOf,
  knownMarks,
  nullIfNotFound,
  requireWholeServer,
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
    const marked = jobId === null ? Promise.resolve([]) : findMarkedVolumes(context, jobId);
    const [volumeIds, addresses, shares] = await Promise.all([
      findVolumes(context, marked),
      findAddresses(context, jobId),
      findShares(context, jobId, marked),
    ]);
    const isOwn = jobId !== null && !isOfOtherServer(await marked, createdServer(context));
    const creation = isOwn ? { creationJobId: jobId } : {};
    return { associated: { ...creation, volumeIds, ...addresses, ...shares } };
  },
});

/** Volumes with the mark of the server's job, without those that restores of backups have given it. */
async function findMarkedVolumes(
  { owner, server }: DeleteStepContext,
  jobId: string,
): Promise<VolumeRecord[]> {
  const { volumes } = owner().blockStorage;
  const marked = await volumes.list({ metadata: JSON.stringify({ [JOB_METADATA_KEY]: jobId }) });
  return marked.filter(
    (volume) =>
      (volume['os-vol-tenant-attr:tenant_id'] ?? server.projectId) === server.projectId &&
      knownMarks('blockStorage', volume)[JOB_METADATA_KEY] === jobId &&
      !isRestored(volume),
  );
}

/** Volumes that are deleted with the server, and those that its job created. */
async function findVolumes(
  context: DeleteStepContext,
  marked: Promise<readonly VolumeRecord[]>,
): Promise<string[]> {
  const [going, all] = await Promise.all([goingVolumes(context), marked]);
  const created = createdServer(context);
  const limits = { ...context.config.timeLimits, ...context.config.jobs };
  const isMade = (volume: VolumeRecord) => !isKept(volume) && isOfCreation(volume, created, limits);
  const made = isOfOtherServer(all, created) ? [] : all.filter(isMade);
  return [...new Set([...going, ...made.map(({ id }) => id)])];
}

function createdServer({ instanceId, server }: DeleteStepContext): Pick<ServerRecord, 'id' | 'created'> {
  return { id: instanceId, created: server.createdAt };
}

/** How long a job relies on what its request has read of the server, by clocks that may differ. */
const FRESH_MS = 60_000;

/**
 * The volumes that are deleted with the server, as the request has read them. A job that has waited does not
 * take those that were detached from the server in the meantime.
 */
async function goingVolumes({ instanceId, owner, server }: DeleteStepContext): Promise<string[]> {
  const { readAt, volumeIds } = server;
  if (Math.abs(Date.now() - readAt) < FRESH_MS) return volumeIds;
  const now = await nullIfNotFound(owner().lookups.server(instanceId));
  // The compute service has deleted them with the server.
  if (now === null) return volumeIds;
  requireWholeServer(now);
  const attached = now['os-extended-volumes:volumes_attached'].filter(
    ({ delete_on_termination }) => delete_on_termination,
  );
  return volumeIds.filter((id) => attached.some((volume) => volume.id === id));
}

/** The boot, the upper and up to ten new volumes, which a creation makes one after the other. */
const VOLUMES_BEFORE_SERVER = 12;

/**
 * Whether a volume with the mark of a server's job was created by that job. Restores of backups copy the
 * mark, also into older volumes, and services before the release Ussuri do not say which they are. An
 * attachment only proves who uses the volume, so the time of its creation decides. One that is attached to
 * another server is in use. One whose time or attachments are not known stays, and is among the
 * administrators' leftovers.
 */
export function isOfCreation(
  volume: Pick<VolumeRecord, 'attachments' | 'created_at' | 'status'>,
  server: Pick<ServerRecord, 'id' | 'created'>,
  { lateCallSeconds, volumeSeconds }: { lateCallSeconds: number; volumeSeconds: number },
): boolean {
  const attachments = attachmentsOf(volume);
  if (attachments?.every(({ server_id }) => server_id === server.id) !== true) return false;
  const [volumeMs, serverMs] = [toMilliseconds(volume.created_at), toMilliseconds(server.created)];
  if (volumeMs === null || serverMs === null) return false;
  const earliest = serverMs - VOLUMES_BEFORE_SERVER * (lateCallSeconds + volumeSeconds) * 1000;
  return volumeMs >= earliest && volumeMs <= serverMs + lateCallSeconds * 1000;
}

/**
 * Whether another server is the one that the job created, and this one has a copy of its metadata, such as an
 * instance that a tool has restored beside the original: the job's first volume, from which its server boots,
 * is attached to the other.
 *
 * @param marked volumes with the job's mark
 */
export function isOfOtherServer(
  marked: readonly Pick<VolumeRecord, 'attachments' | 'created_at' | 'status'>[],
  server: Pick<ServerRecord, 'id' | 'created'>,
): boolean {
  const serverMs = toMilliseconds(server.created) ?? 0;
  const [first] = marked
    .map((volume) => ({ volume, ms: toMilliseconds(volume.created_at) ?? Number.POSITIVE_INFINITY }))
    .filter(({ ms }) => ms <= serverMs)
    .toSorted((a, b) => a.ms - b.ms);
  const attachments = first === undefined ? null : attachmentsOf(first.volume);
  return attachments?.[0] !== undefined && attachments.every(({ server_id }) => server_id !== server.id);
}

async function findAddresses(
  { instanceId, owner, server }: DeleteStepContext,
  jobId: string | null,
): Promise<Pick<AssociatedResources, 'floatingIpIds' | 'portIds' | 'serverPortIds'>> {
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
  return {
    floatingIpIds: going.map(({ id }) => id),
    portIds: own.map(({ id }) => id),
    serverPortIds: ofServer.map(({ id }) => id),
  };
}

/**
 * A project can write anything into its server's metadata, so the metadata alone proves nothing. A dynamic
 * share must itself contain the id of this instance's job, and an access rule the project's id. Those of the
 * server from which the metadata were copied stay.
 */
async function findShares(
  context: DeleteStepContext,
  jobId: string | null,
  marked: Promise<readonly VolumeRecord[]>,
): Promise<Pick<AssociatedResources, 'accessRules' | 'dynamicShareIds'>> {
  const { server } = context;
  const { shareIds, strategy } = parseOverlayMetadata(server.metadata);
  const found: Pick<AssociatedResources, 'accessRules' | 'dynamicShareIds'> = {
    accessRules: [],
    dynamicShareIds: [],
  };
  if (jobId === null || shareIds.length === 0 || !context.config.services.sharedFs) return found;
  if (isOfOtherServer(await marked, createdServer(context))) return found;
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
