import type { AutoBackup } from '@gateway/auto-backup';
import { isId, RESOURCE_ID } from '@gateway/core';
import type { GpuLimits } from '@gateway/inventory';
import type { StoredHistory } from '@gateway/jobs';

const VERSION = 1;

/** What one store gives to another. Secrets are sealed with a key of the receiver. */
export interface ExportFile {
  version: typeof VERSION;
  /** ISO 8601. */
  exported_at: string;
  /** As they are stored, with the sealed delegation. */
  auto_backups: AutoBackup[];
  /** The fields of each record, with its sealed secrets. */
  lite_clusters: Record<string, string>[];
  gpu_quotas: { defaults: GpuLimits; projects: Record<string, GpuLimits> };
  histories: StoredHistory[];
}

export function formatExport(content: Omit<ExportFile, 'version' | 'exported_at'>): string {
  const file: ExportFile = { version: VERSION, exported_at: new Date().toISOString(), ...content };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** @throws Error with a sentence that says what is wrong with the file */
export function parseExport(text: string): ExportFile {
  const file = parseJson(text) as Partial<ExportFile> | null;
  if (file?.version === undefined) throw new Error('The file is not an export of a gateway.');
  if (file.version !== VERSION) {
    throw new Error(`The file has version ${file.version}, and this release reads version ${VERSION}.`);
  }
  check(Array.isArray(file.auto_backups) && file.auto_backups.every(isAutoBackup), 'auto_backups');
  check(Array.isArray(file.lite_clusters) && file.lite_clusters.every(isCluster), 'lite_clusters');
  const { defaults, projects } = file.gpu_quotas ?? {};
  check(isLimits(defaults) && isObject(projects), 'gpu_quotas');
  check(
    Object.entries(projects ?? {}).every(([id, limits]) => RESOURCE_ID.test(id) && isLimits(limits)),
    'gpu_quotas',
  );
  check(Array.isArray(file.histories) && file.histories.every(isHistory), 'histories');
  return file as ExportFile;
}

function check(isValid: boolean, name: string): void {
  if (!isValid) throw new Error(`The file is damaged: ${name} is not valid.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TEXTS = ['id', 'projectId', 'volumeId', 'userId', 'schedule', 'prefix', 'sealedDelegation'];
const NUMBERS = ['retention', 'fullEvery', 'version', 'createdAt', 'updatedAt'];

function isAutoBackup(value: unknown): boolean {
  return (
    isObject(value) &&
    TEXTS.every((name) => typeof value[name] === 'string') &&
    NUMBERS.every((name) => Number.isSafeInteger(value[name])) &&
    typeof value.enabled === 'boolean' &&
    isId(String(value.id)) &&
    [value.projectId, value.volumeId].every((id) => RESOURCE_ID.test(String(id)))
  );
}

/** Each field besides secrets is JSON. */
function isCluster(value: unknown): boolean {
  if (!isObject(value) || !Object.values(value).every((field) => typeof field === 'string')) return false;
  const { id, name, projectId, status } = value;
  const texts = [id, name, projectId, status].map((field) => parseJson(String(field)));
  return (
    texts.every((text) => typeof text === 'string') &&
    isId(String(texts[0])) &&
    (texts[3] === 'ACTIVE' || texts[3] === 'ERROR')
  );
}

function isLimits(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).every(
      (limit) => isObject(limit) && typeof limit.type === 'string' && Number.isSafeInteger(limit.limit),
    )
  );
}

function isHistory(value: unknown): boolean {
  if (!isObject(value) || !RESOURCE_ID.test(String(value.project_id)) || !Array.isArray(value.entries))
    return false;
  return value.entries.every(
    (entry) =>
      isObject(entry) &&
      isId(String(entry.id)) &&
      Number.isFinite(entry.at) &&
      [entry.request, entry.job].every((part) => part === null || isObject(parseJson(String(part)))),
  );
}
