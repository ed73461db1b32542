import { badRequest } from './service-error.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under the key; an empty one when there is none. */
export function objectAt(value: Json | undefined, key: string): JsonObject {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

/** The envelope's content, or the service's complaint about a body without it. */
export function envelope(body: Json | undefined, key: string, complaint: () => Error): JsonObject {
  const found = isObject(body) ? body[key] : undefined;
  if (!isObject(found)) throw complaint();
  return found;
}

export function textAt(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: JsonObject, key: string): number | undefined {
  const found = value[key];
  if (typeof found === 'number') return found;
  return typeof found === 'string' && /^\d+$/.test(found) ? Number(found) : undefined;
}

export function listAt(value: JsonObject, key: string): Json[] {
  const found = value[key];
  return Array.isArray(found) ? found : [];
}

export function truthAt(value: JsonObject, key: string, otherwise: boolean): boolean {
  const found = value[key];
  return typeof found === 'boolean' ? found : otherwise;
}

/** A mapping of text to text, as metadata is. */
export function textMapAt(value: JsonObject, key: string): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, entry] of Object.entries(objectAt(value, key))) {
    if (typeof entry !== 'string')
      throw badRequest(
        `Invalid input for field/attribute ${name}. Value: ${pythonText(entry)}. ${pythonText(entry)} is not of type 'string'`,
      );
    result[name] = entry;
  }
  return result;
}

/** A value as Python prints it: the services quote refused input in this form. */
export function pythonText(value: Json | undefined): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, entry]) => `'${key}': ${pythonText(entry)}`)
    .join(', ')}}`;
}
