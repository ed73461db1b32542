import type { GpuQuota, GpuQuotas } from '@gateway/resources';
import Joi from 'joi';
import { existingNameField, idField, part } from '../../http/schemas/fields.ts';

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

export const defaultGpuQuotasShape = Joi.object<Record<string, number>>()
  .pattern(Joi.string(), Joi.number().integer())
  .description('Limits by GPU type; -1 is unlimited.')
  .meta({ example: () => ({ A100: 2 }) });

/** The GPU quotas of a project. */
export const gpuQuotasShape = Joi.object<GpuQuotas>()
  .pattern(
    Joi.string(),
    part<GpuQuota>({
      limit: Joi.number().integer().description('-1 for no limit.'),
      in_use: Joi.number()
        .integer()
        .description('GPUs of instances, also of stopped ones, and of creations under way.'),
      available: Joi.number().integer().description('-1 for no limit.'),
      source: Joi.string().valid('project', 'default'),
    }),
  )
  .description('By GPU type. A type without an entry has no limit.')
  .meta({ example: () => ({ A100: { limit: 8, in_use: 4, available: 4, source: 'project' } }) });
