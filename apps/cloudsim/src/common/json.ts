import { badRequest } from './service-error.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under the key, or an empty object. */
export function objectAt(value: Json | undefined, key: string): JsonObject {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

/** The content of the envelope. @throws `missingError()` when the body has no such envelope. */
export function envelope(body: Json | undefined, key: string, missingError: () => Error): JsonObject {
  const found = isObject(body) ? body[key] : undefined;
  if (!isObject(found)) throw missingError();
  return found;
}

export function stringAt(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: JsonObject, key: string): number | undefined {
  const found = value[key];
  if (typeof found === 'number') return found;
  return typeof found === 'string' && /^\d+$/.test(found) ? Number(found) : undefined;
}

export function arrayAt(value: JsonObject, key: string): Json[] {
  const found = value[key];
  return Array.isArray(found) ? found : [];
}

export function booleanAt(value: JsonObject, key: string, fallback: boolean): boolean {
  const found = value[key];
  return typeof found === 'boolean' ? found : fallback;
}

/** A map of strings, such as metadata. @throws 400 for other values. */
export function stringMapAt(value: JsonObject, key: string): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, entry] of Object.entries(objectAt(value, key))) {
    if (typeof entry !== 'string')
      throw badRequest(
        `Invalid input for field/attribute ${name}. Value: ${pythonRepr(entry)}. ${pythonRepr(entry)} is not of type 'string'`,
      );
    result[name] = entry;
  }
  return result;
}

/** The Python representation of a value, which the services use to quote invalid input. */
export function pythonRepr(value: Json | undefined): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, entry]) => `'${key}': ${pythonRepr(entry)}`)
    .join(', ')}}`;
}
