import Joi from 'joi';

/**
 * Kinds of values. A setting is a schema of Joi that also has a description, and, where there is one, a unit,
 * an example, the variable that overrides it, and the tag `OPERATOR`. The type `Config`, the checks of what
 * comes in, `docs/settings.md` and `config.example.yaml` follow from it.
 */

export type CamelCase<Key> = Key extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Key;

/** The value of a setting after loading, which converts the keys to camelCase. */
export type ValueOf<Setting> = Setting extends Joi.AnySchema<infer Value> ? Value : never;

/** Settings by their keys in the file. */
type Settings = Record<string, Joi.AnySchema>;

/** Marks what most operators set: `config.example.yaml` has it. The others are only in the reference. */
export const OPERATOR = 'operator';

/** The environment variable that overrides a setting. */
export const variable = (name: string) => ({ variable: name });
/** The same for one that may contain a password, so that `<name>_FILE` can name a file with it. */
export const secretVariable = (name: string) => ({ variable: name, isSecret: true });

/**
 * Marks a setting, or all settings of a section, that a process reads anew at a SIGHUP. Its users read it
 * from the configuration whenever they need it, and keep no copy. All other settings need a restart.
 */
export const RELOADS = { reloads: true };

export function keyed<Keys extends Settings>(
  keys: Keys,
): Joi.ObjectSchema<{ [Key in keyof Keys as CamelCase<Key>]: ValueOf<Keys[Key]> }> {
  return Joi.object(keys);
}

/** Keys that may all be absent and then have their defaults. */
export const section = <Keys extends Settings>(keys: Keys) => keyed(keys).default();

/** Null if it is not set. */
export function optional<Setting extends Joi.AnySchema>(
  setting: Setting,
): Joi.AnySchema<ValueOf<Setting> | null> {
  return setting.allow(null).default(null);
}

export function list<Item extends Joi.AnySchema>(item: Item): Joi.ArraySchema<ValueOf<Item>[]> {
  return Joi.array().items(item).default([]);
}

export function choice<const Value extends string>(...values: readonly Value[]): Joi.StringSchema<Value> {
  return Joi.string<Value>().valid(...values);
}

export const flag = (defaultValue = false): Joi.BooleanSchema => Joi.boolean().default(defaultValue);

export function integer(defaultValue: number, min: number, max?: number): Joi.NumberSchema {
  const atLeast = Joi.number().integer().min(min).default(defaultValue);
  return max === undefined ? atLeast : atLeast.max(max);
}
/** Durations in seconds, at most a year. */
export const seconds = (defaultValue: number, min = 1, max = 31_536_000) =>
  integer(defaultValue, min, max).unit('seconds');
/** A duration for a timer. Timers are limited to 24 days, because Node.js fires longer ones at once. */
export const timerSeconds = (defaultValue: number, min = 1) => seconds(defaultValue, min, 2_000_000);
export const sizeGb = (defaultValue: number) => integer(defaultValue, 1, 65_536).unit('GiB');

export const text = (): Joi.StringSchema => Joi.string().max(255);
/** The id or name of a resource of the cloud. */
export const id = () => optional(text());
export const file = () => optional(Joi.string());
export const httpUrl = (): Joi.StringSchema => Joi.string().uri({ scheme: ['http', 'https'] });
/** A URL to which paths are appended. */
export const baseUrl = () =>
  httpUrl()
    .pattern(/^[^?#@]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a URL without user, query and fragment' });
export const sha256 = (): Joi.StringSchema => Joi.string().hex().length(64).lowercase();

export const network = (): Joi.StringSchema =>
  Joi.string()
    .ip({ cidr: 'optional' })
    .messages({ 'string.ip': '{{#label}} must be an address or a network' });
/** Addresses, networks, or names of predefined networks. */
export const networks = () => list(network().allow('loopback', 'linklocal', 'uniquelocal'));

/** The name of an operating system package, which may have a version. */
export const packageName = () =>
  text()
    // The package manager would remove a package whose name ends with a hyphen.
    .pattern(/^[A-Za-z0-9]([\w.+:~=-]*[\w.+])?$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the name of a package' });
