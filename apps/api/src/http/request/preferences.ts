import type { IncomingMessage } from 'node:http';

/** A value in quotes may hold commas, and text that is no preference. */
const QUOTED = /"[^"]*"/g;

/** Whether the header `Prefer` has a preference (RFC 7240), with or without a value and parameters. */
export function prefers({ headers }: Pick<IncomingMessage, 'headers'>, preference: string): boolean {
  const given = [headers.prefer ?? []].flat().join(',').replaceAll(QUOTED, '');
  return given.split(',').some((item) => item.split(/[=;]/, 1)[0]?.trim().toLowerCase() === preference);
}
