import { z } from 'zod';

/** The service returns numbers and booleans as it got them. */
export const labelValue = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]);
