import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config.ts';
import { camelCaseKey } from './load.ts';
import { type Secrets, secretOrigins } from './secrets.ts';
import { SETTINGS, type SettingEntry } from './settings/entries.ts';

/** What differs between two configurations, by the names of settings and the variables of secrets. */
export interface ConfigChanges {
  /** These have the new value now. */
  reloaded: string[];
  /** These keep the old value until the process starts again. */
  needRestart: string[];
}

/**
 * Gives the configuration of a running process the values of another one, as far as the settings are declared
 * to reload. Its users read them from the same object.
 */
export function takeReloaded(current: Config, next: Config): ConfigChanges {
  const changes: ConfigChanges = { reloaded: [], needRestart: [] };
  for (const { path, reloads } of SETTINGS.flatMap(leavesOf)) {
    const keys = path.map(camelCaseKey);
    const last = keys.pop() ?? '';
    const [ours, theirs] = [sectionOf(current, keys), sectionOf(next, keys)];
    if (isDeepStrictEqual(ours?.[last], theirs?.[last])) continue;
    const isTaken = reloads && ours !== undefined;
    if (isTaken) ours[last] = theirs?.[last];
    (isTaken ? changes.reloaded : changes.needRestart).push(path.join('.'));
  }
  for (const name of Object.keys(next.secrets) as (keyof Secrets)[]) {
    if (isDeepStrictEqual(current.secrets[name], next.secrets[name])) continue;
    const { name: shownName, reloadsWith } = secretOrigins[name];
    const isTaken = reloadsWith !== null && !changes.needRestart.some((path) => isWithin(path, reloadsWith));
    if (isTaken) Object.assign(current.secrets, { [name]: next.secrets[name] });
    (isTaken ? changes.reloaded : changes.needRestart).push(shownName);
  }
  return changes;
}

function isWithin(path: string, settings: readonly string[]): boolean {
  return settings.some((setting) => path === setting || path.startsWith(`${setting}.`));
}

/** The settings without the sections that hold them. A list is compared as a whole. */
function leavesOf(entry: SettingEntry): SettingEntry[] {
  return entry.type === 'array' || entry.entries.length === 0 ? [entry] : entry.entries.flatMap(leavesOf);
}

/** Undefined below an optional section that is not configured. */
function sectionOf(config: Config, keys: readonly string[]): Record<string, unknown> | undefined {
  let section: unknown = config;
  for (const key of keys) section = (section as Record<string, unknown> | null | undefined)?.[key];
  return (section ?? undefined) as Record<string, unknown> | undefined;
}
