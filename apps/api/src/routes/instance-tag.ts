import type { Tag } from '../pipeline/endpoint.ts';

/** The tag of all endpoints under `/api/instances`. */
export const instanceTag: Tag = { name: 'instances', description: 'Virtual machines' };
