import Joi from 'joi';

/** Durations in seconds, at most a year. */
export const seconds = (defaultValue: number, min = 1) =>
  Joi.number().integer().min(min).max(31_536_000).default(defaultValue);
/** A duration for a timer. Timers are limited to 24 days, because Node.js fires longer ones at once. */
export const timerSeconds = (defaultValue: number, min = 1) => seconds(defaultValue, min).max(2_000_000);
export const sizeGb = (defaultValue: number) =>
  Joi.number().integer().min(1).max(65_536).default(defaultValue);
export const text = () => Joi.string().max(255);
/** The id or name of a resource of the cloud. */
export const id = () => text().allow(null).default(null);
export const file = () => Joi.string().allow(null).default(null);
export const httpUrl = () => Joi.string().uri({ scheme: ['http', 'https'] });
/** A URL to which paths are appended. */
export const baseUrl = () =>
  httpUrl()
    .pattern(/^[^?#@]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a URL without user, query and fragment' });
export const sha256 = () => Joi.string().hex().length(64).lowercase();

/** The name of an operating system package, which may have a version. */
export const packageName = () =>
  text()
    // The package manager would remove a package whose name ends with a hyphen.
    .pattern(/^[A-Za-z0-9]([\w.+:~=-]*[\w.+])?$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the name of a package' });

/** A section that may be absent; its keys then have their defaults. */
export function section(keys: Joi.SchemaMap): Joi.ObjectSchema {
  return Joi.object(keys).default();
}
