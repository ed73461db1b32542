import type { ServerResponse } from 'node:http';

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 120;

/**
 * Names what of the request is not known and had no effect, such as `body.nodes.0.size, query.force`. Names
 * are URL-encoded, because they come from the request.
 */
export function nameIgnored(
  response: ServerResponse,
  paths: readonly (readonly (string | number)[])[],
): void {
  if (paths.length === 0) return;
  const names = paths.slice(0, MAX_NAMES).map(nameOf);
  response.setHeader('X-Ignored', (paths.length > MAX_NAMES ? [...names, '...'] : names).join(', '));
}

function nameOf(path: readonly (string | number)[]): string {
  const name = path.map((part) => encodeURIComponent(String(part).toWellFormed())).join('.');
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH - 3)}...`;
}
