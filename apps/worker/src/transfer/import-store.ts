import { UnknownSealingKeyError } from '@gateway/core';
import type { GpuLimits, GpuQuotaOwner } from '@gateway/inventory';
import { addHistory } from '@gateway/jobs';
import type { ExportFile } from './export-file.ts';
import type { TransferContext } from './transfer-context.ts';

interface ImportOptions {
  /** Replaces records that are stored already. */
  overwrite: boolean;
}

interface Imported {
  /** One line for each kind, and one for each record that was refused. */
  lines: string[];
  /** Whether a record was refused. */
  isIncomplete: boolean;
}

type Outcome = 'created' | 'replaced' | 'kept';

/** The outcomes of one kind. */
class Tally {
  readonly #kind: string;
  readonly #counts: Record<Outcome, number> = { created: 0, replaced: 0, kept: 0 };

  constructor(kind: string) {
    this.#kind = kind;
  }

  count(outcome: Outcome): void {
    this.#counts[outcome] += 1;
  }

  toString(): string {
    const { created, kept, replaced } = this.#counts;
    return `${this.#kind}: ${created} created, ${replaced} replaced, ${kept} were there and are kept`;
  }
}

/**
 * Stores the records of an export. Can be repeated: what is stored already stays as it is, unless it is to be
 * replaced. Due times until now do not count for the auto backups, whose queue entries workers add.
 */
export async function importStore(
  { autoBackups, config, gpuQuotas, liteClusters, redis }: TransferContext,
  file: ExportFile,
  options: ImportOptions,
): Promise<Imported> {
  const refused: string[] = [];
  const now = Date.now();
  const importAll = async <Record>(
    kind: string,
    records: readonly Record[],
    { describe, store }: RecordImport<Record>,
  ) => {
    const tally = new Tally(kind);
    for (const record of records) {
      try {
        const outcome = await store(record);
        if (outcome === 'taken') refused.push(`${describe(record)} is refused: another one has its place.`);
        else tally.count(outcome);
      } catch (error) {
        if (!(error instanceof UnknownSealingKeyError)) throw error;
        refused.push(`${describe(record)} is refused: ${error.reason}`);
      }
    }
    return String(tally);
  };
  const backups = await importAll('auto backups', file.auto_backups, {
    describe: ({ volumeId }) => `The auto backup of volume ${volumeId}`,
    async store(configuration) {
      const { trustId } = autoBackups.delegations.open(configuration.sealedDelegation);
      const isKept = (sealed: string) => mayHaveTrust(autoBackups, sealed, trustId);
      return autoBackups.store.import({ ...configuration, handledUntil: now }, { ...options, isKept });
    },
  });
  const clusters = await importAll('lite clusters', file.lite_clusters, {
    describe: ({ id, name }) => `Lite cluster ${name} (${id})`,
    store: (fields) => liteClusters.importFields(fields, options),
  });
  const { defaults, projects } = file.gpu_quotas;
  const quotas = new Tally('GPU quotas');
  const owners: [GpuQuotaOwner, GpuLimits][] = [
    ['defaults', defaults],
    ...Object.entries(projects).map(([projectId, limits]): [GpuQuotaOwner, GpuLimits] => [
      { projectId },
      limits,
    ]),
  ];
  for (const [owner, limits] of owners) {
    const stored = await gpuQuotas.readLimits(owner);
    for (const [key, limit] of Object.entries(limits)) {
      const isStored = stored[key] !== undefined;
      if (isStored && !options.overwrite) {
        quotas.count('kept');
        continue;
      }
      await gpuQuotas.updateLimits(owner, { [key]: limit });
      quotas.count(isStored ? 'replaced' : 'created');
    }
  }
  const histories = new Tally('entries of histories');
  for (const history of file.histories) {
    const isNew = await addHistory(redis.store, history, config.history.keepSeconds);
    for (const added of isNew) histories.count(added ? 'created' : 'kept');
  }
  const lines = [backups, clusters, String(quotas), String(histories), ...refused];
  return { lines, isIncomplete: refused.length > 0 };
}

interface RecordImport<Record> {
  describe(record: Record): string;
  store(record: Record): Promise<Outcome | 'taken'>;
}

/**
 * Whether a stored delegation is the one that an import brings, sealed at another time. One that cannot be
 * read may be: to retire it could end the one that the configuration works with.
 */
function mayHaveTrust(
  { delegations }: TransferContext['autoBackups'],
  sealed: string,
  trustId: string,
): boolean {
  try {
    return delegations.open(sealed).trustId === trustId;
  } catch (error) {
    if (error instanceof UnknownSealingKeyError) return true;
    throw error;
  }
}
