import { flatEntries, type SettingEntry } from './settings/entries.ts';

/** The environment variables of a process. */
export type Environment = Record<string, string | undefined>;

/** The only place that reads `process.env`. */
export function processEnvironment(): Environment {
  return process.env;
}

/** The value of a variable; an empty value counts as not set. */
export function variable(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}

/** Variables that override a setting. */
export const VARIABLES: ReadonlyMap<string, SettingEntry> = new Map(
  flatEntries().flatMap((entry) => (entry.variable === null ? [] : [[entry.variable, entry]])),
);

/** A copy of the file's tree in which environment variables override keys. */
export function applyVariables(
  tree: Record<string, unknown>,
  environment: Environment,
): Record<string, unknown> {
  const merged = { ...tree };
  for (const [name, entry] of VARIABLES) {
    const text = variable(environment, name);
    const [section, key] = entry.path;
    if (text === undefined || section === undefined || key === undefined) continue;
    const current = merged[section];
    // The schema rejects a section of the wrong type.
    if (current !== undefined && current !== null && (typeof current !== 'object' || Array.isArray(current)))
      continue;
    const value = entry.type === 'array' ? text.split(',').map((item) => item.trim()) : text;
    merged[section] = { ...current, [key]: value };
  }
  return merged;
}

/**
 * The variable that overrides a key, such as `identity.url`, or contains a value inside it,
 * such as `jobs.queues.0`.
 */
export function variableFor(path: string): string | undefined {
  return VARIABLES.entries().find(([, entry]) => `${path}.`.startsWith(`${entry.path.join('.')}.`))?.[0];
}
