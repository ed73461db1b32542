import type { Tag } from '../pipeline/endpoint.ts';

/** The tag of all endpoints for administrators. */
export const adminTag: Tag = { name: 'admin', description: 'Operations for administrators' };
