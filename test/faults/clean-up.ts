import { eventually } from '../support/eventually.ts';
import { readClusters } from '../support/lite/clusters.ts';
import { type AutoBackup, autoBackupPath } from '../support/subjects/auto-backups.ts';
import type { Rig } from './rig.ts';

const TIMEOUT_MS = 20_000;
const CLUSTER_TIMEOUT_MS = 60_000;
/** The name of ports that a kind prepares. */
export const PREPARED_PORT = 'prepared';

type Cleaned = Pick<Rig, 'baseline' | 'cloud' | 'control' | 'gateway' | 'service'>;

/** How what a case has created is deleted, in this order, with the kinds that are gone after it. */
const CLEAN_UPS: readonly { kinds: readonly string[]; clean(rig: Cleaned): Promise<void> }[] = [
  {
    kinds: ['application_credentials', 'load_balancers', 'secrets', 'security_groups'],
    clean: removeClusters,
  },
  { kinds: ['access_rules', 'shares'], clean: removeShares },
  { kinds: ['attachments', 'floating_ips', 'ports', 'servers'], clean: removeServers },
  { kinds: ['ports'], clean: removePreparedPorts },
  { kinds: ['images'], clean: removeImages },
  { kinds: ['clusters'], clean: removeManagedClusters },
  { kinds: ['backups'], clean: removeAutoBackups },
  { kinds: ['volumes'], clean: removeKeptVolumes },
];

export const cleanedKinds: ReadonlySet<string> = new Set(CLEAN_UPS.flatMap(({ kinds }) => kinds));

/** Deletes all resources beyond the baseline. What cannot be deleted stays. */
export async function removeCreated(rig: Cleaned): Promise<void> {
  for (const { clean } of CLEAN_UPS) await clean(rig);
}

async function removeShares(rig: Cleaned): Promise<void> {
  for (const id of await newOnes(rig, 'shares')) {
    // The share of an instance is deleted with the instance.
    await rig.service.call('sharev2', 'DELETE', `/shares/${id}`, undefined, [403, 404]);
  }
}

async function removeServers(rig: Cleaned): Promise<void> {
  for (const id of await newOnes(rig, 'servers')) {
    // A Redis that was killed may just be coming back.
    await eventually(async () => {
      const { status } = await rig.gateway().request('DELETE', `/api/instances/${id}`);
      return [204, 404].includes(status);
    });
  }
}

async function removeImages(rig: Cleaned): Promise<void> {
  for (const id of await newOnes(rig, 'images')) {
    await rig.cloud.call('image', 'DELETE', `/v2/images/${id}`, undefined, [404]);
  }
}

async function newOnes({ baseline, control }: Cleaned, kind: string): Promise<Iterable<string>> {
  const known = baseline.get(kind) ?? new Set();
  return (await control.inventory()).get(kind)?.difference(known) ?? [];
}

/** Deletes the ports that a kind has prepared, which outlast the instance. */
async function removePreparedPorts({ cloud }: Cleaned): Promise<void> {
  const path = `/v2.0/ports?name=${PREPARED_PORT}`;
  const { ports } = await cloud.call<{ ports: { id: string }[] }>('network', 'GET', path);
  for (const { id } of ports) await cloud.call('network', 'DELETE', `/v2.0/ports/${id}`, undefined, [404]);
}

/** Deletes all clusters with their resources, and waits until their groups, which go late, are gone. */
async function removeClusters(rig: Cleaned): Promise<void> {
  await eventually(async () => {
    const clusters = await readClusters(rig.gateway());
    for (const { id } of clusters) await rig.gateway().request('DELETE', `/api/lite/clusters/${id}`);
    const groups = [...(await newOnes(rig, 'security_groups'))];
    return clusters.length === 0 && groups.length === 0;
  }, CLUSTER_TIMEOUT_MS).catch(() => {});
}

async function removeManagedClusters(rig: Cleaned): Promise<void> {
  await eventually(async () => {
    const left = [...(await newOnes(rig, 'clusters'))];
    for (const id of left) {
      await rig.cloud.call('container-infra', 'DELETE', `/clusters/${id}`, undefined, [404]);
    }
    return left.length === 0;
  }, TIMEOUT_MS).catch(() => {});
}

/** Deletes all auto backups, and then all backups, which they leave behind. */
async function removeAutoBackups(rig: Cleaned): Promise<void> {
  await eventually(async () => {
    const configurations = await rig
      .gateway()
      .request<AutoBackup[]>('POST', '/api/volumes/backups/auto-backup/configs');
    if (configurations.status !== 200) return undefined;
    for (const { volume_id } of configurations.body) {
      await rig.gateway().request('DELETE', autoBackupPath(volume_id));
    }
    const { backups } = await rig.cloud.call<{ backups: { id: string }[] }>('volumev3', 'GET', '/backups');
    for (const { id } of backups) {
      await rig.cloud.call('volumev3', 'DELETE', `/backups/${id}`, undefined, [400, 404]);
    }
    return backups.length === 0 && configurations.body.length === 0;
  }, TIMEOUT_MS).catch(() => {});
}

/** Deletes volumes that outlast their instance: kept volumes, and volumes prepared by a kind. */
async function removeKeptVolumes({ baseline, cloud }: Cleaned): Promise<void> {
  await eventually(async () => {
    const { volumes } = await cloud.call<{ volumes: { id: string; metadata: object }[] }>(
      'volumev3',
      'GET',
      '/volumes/detail',
    );
    const kept = volumes.filter(({ id, metadata }) => {
      const isKept = 'gateway_keep_volume' in metadata || !('gateway_job_id' in metadata);
      return isKept && !baseline.get('volumes')?.has(id);
    });
    for (const { id } of kept) {
      await cloud.call('volumev3', 'DELETE', `/volumes/${id}`, undefined, [400, 404]);
    }
    return kept.length === 0;
  }, TIMEOUT_MS).catch(() => {});
}
