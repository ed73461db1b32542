import { flag, id, listOf, nonEmptyText, oneOf, part, shapeLike, text } from '@gateway/core/shapes';
import { PROJECT_RESOURCE_TYPES, type ProjectResource } from '@gateway/resources';

export interface StartedPurge {
  job_id: string;
  project_id: string;
}

export const startedPurgeShape = shapeLike<StartedPurge>('StartedPurge', {
  job_id: id('job'),
  project_id: id('project'),
});

export interface PurgePreview {
  project_id: string;
  project_name: string;
  enabled: boolean;
  resources: ProjectResource[];
}

export const purgePreviewShape = shapeLike<PurgePreview>('PurgePreview', {
  project_id: id('project'),
  project_name: text('demo'),
  enabled: flag(),
  resources: listOf(
    part({
      type: oneOf(PROJECT_RESOURCE_TYPES, 'volume'),
      id: nonEmptyText('d5ec7b1d-3a2a-4f44-a1f8-2f6f0dbb4f0c'),
      name: text('data').describe('Of a floating IP, its address.'),
    }),
  ).describe('In the order of their removal.'),
});
