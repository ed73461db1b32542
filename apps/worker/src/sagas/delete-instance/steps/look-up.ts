import { parseOverlayMetadata } from '@gateway/libraries';
import type { ServerRecord } from '@gateway/openstack';
import { JOB_METADATA_KEY } from '@gateway/views';
import { isRuleOf, jobMark } from '../../resources/names.ts';
import { orNull } from '../../resources/removal.ts';
import { type Belongings, type DeleteStepContext, defineDeleteStep } from '../saga.ts';

export const lookUpBelongings = defineDeleteStep<{ belongings: Belongings }>({
  name: 'look-up',
  async run(context) {
    const server = await context.owner().compute.servers.get(context.instanceId);
    const jobId = server.metadata[JOB_METADATA_KEY] ?? null;
    const [volumeIds, addresses, shares] = await Promise.all([
      findVolumes(context, server, jobId),
      findAddresses(context, server, jobId),
      findShares(context, server, jobId),
    ]);
    return { belongings: { volumeIds, ...addresses, ...shares } };
  },
});

/** Volumes that were made to go with the server, or that its job made. */
async function findVolumes(
  context: DeleteStepContext,
  server: ServerRecord,
  jobId: string | null,
): Promise<string[]> {
  const { volumes } = context.owner().blockStorage;
  const attached = server['os-extended-volumes:volumes_attached'];
  const belongs = await Promise.all(
    attached.map(async ({ id, delete_on_termination }) => {
      if (delete_on_termination) return true;
      if (jobId === null) return false;
      const volume = await orNull(volumes.get(id));
      return volume?.metadata.gateway_job_id === jobId;
    }),
  );
  return attached.filter((_, index) => belongs[index]).map(({ id }) => id);
}

async function findAddresses(
  context: DeleteStepContext,
  server: ServerRecord,
  jobId: string | null,
): Promise<Pick<Belongings, 'floatingIpIds' | 'portIds'>> {
  const { floatingIps, ports } = context.owner().network;
  const [ofServer, ofJob] = await Promise.all([
    ports.list({ device_id: server.id }),
    jobId === null ? [] : ports.list({ description: jobMark(jobId) }),
  ]);
  // One that was taken off the server goes too, but not one that another server has got since.
  const own = ofJob.filter(
    ({ project_id, device_id }) => project_id === server.tenant_id && [server.id, ''].includes(device_id),
  );
  const ids = [...new Set([...ofServer, ...own].map(({ id }) => id))];
  const addresses = ids.length === 0 ? [] : await floatingIps.list({ port_id: ids });
  return { floatingIpIds: addresses.map(({ id }) => id), portIds: own.map(({ id }) => id) };
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
    const shares = await Promise.all(
      shareIds.map((id) => orNull(context.owner().sharedFileSystem.shares.get(id))),
    );
    found.dynamicShareIds = shares
      .filter((share) => share?.metadata.overlay_instance === jobId)
      .flatMap((share) => share?.id ?? []);
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
