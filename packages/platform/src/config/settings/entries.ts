import type Joi from 'joi';
import { settings } from './index.ts';
import { OPERATOR } from './kinds.ts';

/** A declared setting, or a section, which holds others. */
export interface SettingEntry {
  /** Its keys in the file; those of an item of a list follow the list's. */
  path: string[];
  type: string;
  unit: string | null;
  /** Undefined for a section, and for what is required. */
  defaultValue: unknown;
  isRequired: boolean;
  description: string;
  example: unknown;
  /** The environment variable that overrides it. */
  variable: string | null;
  /** Whether the variable may contain a password. */
  isSecret: boolean;
  isForOperators: boolean;
  /** Whether a process reads it anew at a SIGHUP. */
  reloads: boolean;
  /** Of a section, or of the items of a list. */
  entries: SettingEntry[];
}

/** All sections, in the order of the file. */
export const SETTINGS: readonly SettingEntry[] = entriesOf(settings, []);

/** All entries, a section before what it holds. */
export function flatEntries(entries = SETTINGS): SettingEntry[] {
  return entries.flatMap((entry) => [entry, ...flatEntries(entry.entries)]);
}

/** Reads the terms of a schema, because `describe()` adds a fifth to the time of loading. */
function entriesOf(schema: Joi.Schema, path: string[], isReloaded = false): SettingEntry[] {
  const [item] = (schema.$_terms.items ?? []) as Joi.Schema[];
  const keys = ((item ?? schema).$_terms.keys ?? []) as { key: string; schema: Joi.Schema }[];
  // Keys for each service have no description of their own.
  return keys
    .filter(({ schema: setting }) => setting._flags.description !== undefined)
    .map(({ key, schema: setting }) => entryOf(setting, [...path, key], isReloaded));
}

function entryOf(setting: Joi.Schema, path: string[], isReloaded: boolean): SettingEntry {
  const { default: defaultValue, description, presence, unit = null } = setting._flags;
  const { examples, metas, tags } = setting.$_terms;
  const meta = Object.assign({}, ...(metas ?? []));
  const { variable = null, isSecret = false, reloads = isReloaded } = meta;
  return {
    path,
    type: String(setting.type),
    unit,
    defaultValue: isDeep(defaultValue) ? undefined : defaultValue,
    isRequired: presence === 'required',
    description,
    example: examples?.[0],
    variable,
    isSecret,
    isForOperators: tags?.includes(OPERATOR) === true,
    reloads,
    entries: entriesOf(setting, path, reloads),
  };
}

/** What Joi says of a section that may be absent. */
function isDeep(value: unknown): boolean {
  return typeof value === 'symbol';
}
