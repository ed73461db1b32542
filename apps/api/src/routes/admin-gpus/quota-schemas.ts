import { integer, mapOf } from '@gateway/core/shapes';
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
