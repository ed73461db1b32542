import { InvalidArgumentError, Option } from 'commander';
import type { Field } from '../catalog/operation.ts';
import { FileOption, NamingOption } from './completed-values.ts';

const SECRET = /(?:^|_)(?:pass|password|secret|auth_key|access_key|passcode)$/;

/** Secrets are not arguments, because other users of the machine can see these. */
export function isSecret({ name }: Pick<Field, 'name'>): boolean {
  return SECRET.test(name);
}

/** `image_id` becomes `--image`, because names are accepted as well, and `libraries` `--library`. */
export function optionName({ name, list, type }: Field): string {
  const one = type === 'strings' ? name.replace(/ies$/, 'y').replace(/s$/, '') : name;
  return (list === undefined ? one : one.replace(/_id$/, '')).replaceAll('_', '-');
}

/** The name under which commander stores the option. */
export function optionKey(field: Field): string {
  return optionName(field).replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** Two for a boolean: `--enabled` and `--no-enabled`. */
export function optionsOf(field: Field): Option[] {
  const name = optionName(field);
  const description = descriptionOf(field);
  if (isSecret(field))
    return [new Option(`--${name}`, `${description} Asked for, or read from a pipe.`.trim())];
  if (field.type === 'boolean') {
    return [new Option(`--${name}`, description), new Option(`--no-${name}`, 'The opposite.')];
  }
  const option = valuedOption(field, `--${name} <${placeholder(field)}>`, description);
  if (field.choices && field.type === 'string') option.choices(field.choices);
  else option.argParser((text: string, previous: unknown) => parse(field, text, previous));
  return [option];
}

function valuedOption({ list, holdsText }: Field, flags: string, description: string): Option {
  if (list !== undefined) return new NamingOption(flags, description, list);
  return holdsText ? new FileOption(flags, description, '@') : new Option(flags, description);
}

function descriptionOf({ description = '', isRequired, list, type, holdsText }: Field): string {
  const parts = [
    ...(isRequired ? ['Required.'] : []),
    ...(description === '' ? [] : [description.split('\n')[0]]),
    ...(list === undefined ? [] : ['Name or id.']),
    ...(holdsText ? ['The text, @file or - for the standard input.'] : []),
    ...(type === 'strings' ? ['May be repeated.'] : []),
  ];
  return parts.join(' ');
}

function placeholder({ type, list }: Field): string {
  if (list !== undefined) return 'name';
  return { string: 'text', strings: 'text', integer: 'number', number: 'number', boolean: '', json: 'json' }[
    type
  ];
}

function parse({ type }: Field, text: string, previous: unknown): unknown {
  if (type === 'strings') return [...(Array.isArray(previous) ? previous : []), text];
  if (type === 'integer' || type === 'number') {
    const value = Number(text);
    const isNumber =
      text.trim() !== '' && (type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value));
    if (!isNumber) throw new InvalidArgumentError('It is not a number.');
    return value;
  }
  if (type !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It is not valid JSON.');
  }
}
