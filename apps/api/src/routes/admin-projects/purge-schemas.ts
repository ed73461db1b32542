import { PROJECT_RESOURCE_TYPES, type ProjectResource } from '@gateway/resources';
import Joi from 'joi';
import { listOf, part, shape, text } from '../../http/schemas/fields.ts';

export interface StartedPurge {
  job_id: string;
  project_id: string;
}

export const startedPurgeShape = shape<StartedPurge>('StartedPurge', {
  job_id: Joi.string(),
  project_id: Joi.string(),
});

export interface PurgePreview {
  project_id: string;
  project_name: string;
  enabled: boolean;
  resources: ProjectResource[];
}

export const purgePreviewShape = shape<PurgePreview>(
  'PurgePreview',
  {
    project_id: Joi.string(),
    project_name: text(),
    enabled: Joi.boolean(),
    resources: listOf(
      part<ProjectResource>({
        type: Joi.string().valid(...PROJECT_RESOURCE_TYPES),
        id: Joi.string(),
        name: text().description('Of a floating IP, its address.'),
      }),
    ).description('In the order of their removal.'),
  },
  () => ({ resources: [{ type: 'volume', id: 'd5ec7b1d-3a2a-4f44-a1f8-2f6f0dbb4f0c', name: 'data' }] }),
);
