import type { GatewayClient } from '@gateway/client';
import type { Field } from '../catalog/operation.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { askSecret, canAsk, readLines } from '../session/prompt.ts';
import { givenText } from '../text-input.ts';
import { isSecret, optionKey, optionName } from './field-options.ts';
import { resolveId } from './resolve.ts';

type Values = Record<string, unknown>;

/** The fields that the user has given as options. Names of rows become ids. */
export async function fieldValues(
  context: Context,
  gateway: GatewayClient,
  fields: readonly Field[],
  options: Values,
): Promise<Values> {
  const values: Values = {};
  for (const field of fields) {
    const given = options[optionKey(field)];
    if (given === undefined || isSecret(field)) continue;
    const idOf = (name: unknown) => resolveId(context, gateway, field, String(name));
    if (field.holdsText) values[field.name] = await givenText(context, String(given));
    else if (field.list === undefined) values[field.name] = given;
    else values[field.name] = Array.isArray(given) ? await Promise.all(given.map(idOf)) : await idOf(given);
  }
  return values;
}

/**
 * The body of a request: the fields of `--data`, the options, which replace these, and secrets.
 * @throws CliError for another JSON value, or without a required field
 */
export async function bodyOf(
  context: Context,
  gateway: GatewayClient,
  fields: readonly Field[],
  options: Values,
): Promise<Values> {
  const data = options.data === undefined ? {} : await readData(context, String(options.data));
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw usageError('--data is not a JSON object.');
  }
  const body: Values = { ...data, ...(await fieldValues(context, gateway, fields, options)) };
  const missing = fields.filter((field) => field.isRequired && !isSecret(field) && !(field.name in body));
  if (missing.length > 0) {
    throw usageError(`Missing: ${missing.map((field) => `--${optionName(field)}`).join(', ')}.`);
  }
  const secrets = fields.filter(
    (field) => isSecret(field) && !(field.name in body) && (field.isRequired || options[optionKey(field)]),
  );
  return { ...body, ...(await secretValues(context, secrets)) };
}

/** JSON from the argument itself, from a file (`@file`) or from the standard input (`-`). */
export async function readData(context: Context, given: string): Promise<unknown> {
  const text = await givenText(context, given);
  try {
    return JSON.parse(text);
  } catch {
    throw usageError('--data is not valid JSON.');
  }
}

/** Asked for on a terminal, else one line of the standard input each. */
async function secretValues(context: Context, fields: readonly Field[]): Promise<Values> {
  if (fields.length === 0) return {};
  const lines = canAsk(context) ? null : await readLines(context);
  const values: Values = {};
  for (const [index, { name }] of fields.entries()) {
    const value = lines === null ? await askSecret(context, name.replaceAll('_', ' '), '') : lines[index];
    if (!value) throw usageError(`The standard input lacks the line with ${name}.`);
    values[name] = value;
  }
  return values;
}
