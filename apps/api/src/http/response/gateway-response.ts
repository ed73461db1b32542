import type { ServerResponse } from 'node:http';

/** A response with `locals`, which hold what is known about the request so far, as in Express. */
export type GatewayResponse = ServerResponse & { locals: Record<string, unknown> };

export function requestIdOf({ locals }: Pick<GatewayResponse, 'locals'>): string {
  return String(locals.requestId);
}
