import { integer, mapOf, oneOf, part } from '@gateway/core/shapes';
import Joi from 'joi';
import { existingNameField, idField } from '../../http/schemas/fields.ts';

/** By GPU type. */
export type GpuLimitsBody = Record<string, number | { limit: number }>;

const MAX_TYPES = 100;
const MAX_LIMIT = 1_000_000;

function limit() {
  return Joi.number().integer().min(-1).max(MAX_LIMIT);
}

export const gpuLimitsBody = Joi.object<GpuLimitsBody>()
  .pattern(existingNameField(), Joi.alternatives(limit(), Joi.object({ limit: limit().required() })))
  .max(MAX_TYPES)
  .required()
  .description(
    'GPU types with their limits; -1 is unlimited. Types are compared without case, blanks, `-` and `_`.',
  )
  .meta({ example: () => ({ A100: 8, VGPU: -1 }) });

export const gpuTypeParams = Joi.object<{ gpu_type: string }, true>({
  gpu_type: existingNameField().required(),
});

export const projectParams = Joi.object<{ project_id: string }, true>({ project_id: idField().required() });

export const projectTypeParams = Joi.object<{ project_id: string; gpu_type: string }, true>({
  project_id: idField().required(),
  gpu_type: existingNameField().required(),
});

export const defaultGpuQuotasShape = mapOf(integer(), { A100: 2 }).describe(
  'Limits by GPU type; -1 is unlimited.',
);

/** The GPU quotas of a project. */
export const gpuQuotasShape = mapOf(
  part({
    limit: integer(20).describe('-1 for no limit.'),
    in_use: integer(3).describe('GPUs of instances, also of stopped ones, and of creations under way.'),
    available: integer(4).describe('-1 for no limit.'),
    source: oneOf(['project', 'default']),
  }),
  { A100: { limit: 8, in_use: 4, available: 4, source: 'project' } },
).describe('By GPU type. A type without an entry has no limit.');
