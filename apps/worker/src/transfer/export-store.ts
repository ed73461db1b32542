import { type Sealer, UnknownSealingKeyError } from '@gateway/core';
import { readHistories } from '@gateway/jobs';
import { type ExportFile, formatExport } from './export-file.ts';
import type { TransferContext } from './transfer-context.ts';

interface Exported {
  text: string;
  /** One line for each kind, and one for each record that is missing. */
  lines: string[];
  /** Whether a record is missing. */
  isIncomplete: boolean;
}

/**
 * Everything of the store that nobody could create again from the cloud: auto backups, lite clusters that are
 * not being created or deleted, quotas on GPUs, and the latest entries of histories.
 *
 * @param receiver seals the secrets with a key of the gateway that imports them
 */
export async function exportStore(context: TransferContext, receiver: Sealer): Promise<Exported> {
  const { autoBackups, gpuQuotas, liteClusters } = context;
  const missing: string[] = [];
  const unlessUnreadable = async (what: string, read: () => Promise<void>) => {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof UnknownSealingKeyError)) throw error;
      missing.push(`${what} is missing: ${error.reason}`);
    }
  };
  const auto_backups: ExportFile['auto_backups'] = [];
  for (const id of await autoBackups.store.allIds()) {
    const found = await autoBackups.store.read(id);
    if (found === null) continue;
    await unlessUnreadable(`The auto backup of volume ${found.volumeId}`, async () => {
      const sealedDelegation = autoBackups.delegations.sealFor(receiver, found.sealedDelegation);
      auto_backups.push({ ...found, sealedDelegation });
    });
  }
  const lite_clusters: ExportFile['lite_clusters'] = [];
  for (const id of await liteClusters.openIds()) {
    const status = (await liteClusters.read(id))?.status;
    if (status !== 'ACTIVE' && status !== 'ERROR') {
      if (status !== undefined) missing.push(`Lite cluster ${id} is missing: its status is ${status}.`);
      continue;
    }
    await unlessUnreadable(`Lite cluster ${id}`, async () => {
      const fields = await liteClusters.exportFields(id, receiver);
      if (fields !== null) lite_clusters.push(fields);
    });
  }
  const owners = await gpuQuotas.readOwners();
  const limits = await Promise.all(
    owners.map(async (projectId) => [projectId, await gpuQuotas.readLimits({ projectId })] as const),
  );
  const defaults = await gpuQuotas.readLimits('defaults');
  const gpu_quotas = { defaults, projects: Object.fromEntries(limits) };
  const histories = await readHistories(context.redis.store);
  return {
    text: formatExport({ auto_backups, lite_clusters, gpu_quotas, histories }),
    lines: [
      `auto backups: ${auto_backups.length}`,
      `lite clusters: ${lite_clusters.length}`,
      `GPU quotas: ${Object.keys(defaults).length} defaults, ${owners.length} projects`,
      `entries of histories: ${histories.reduce((sum, { entries }) => sum + entries.length, 0)}`,
      ...missing,
    ],
    isIncomplete: missing.length > 0,
  };
}
