import type { ServerResponse } from 'node:http';

/** An answer, with what has been found out about its request so far; Express's own form of it has this too. */
export type Answer = ServerResponse & { locals: Record<string, unknown> };
