import {
  flag,
  id,
  integer,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';
import { PROJECT_RESOURCE_TYPES } from '@gateway/resources';

export const startedPurgeShape = shape('StartedPurge', {
  job_id: id('job'),
  project_id: id('project'),
});

export type StartedPurge = ShapeType<typeof startedPurgeShape>;

export const purgePreviewShape = shape('PurgePreview', {
  project_id: id('project'),
  project_name: text('demo'),
  enabled: flag(),
  child_projects: integer(0).describe(
    'How many projects are directly below it. A purge is refused while there are any.',
  ),
  resources: listOf(
    part({
      type: oneOf(PROJECT_RESOURCE_TYPES, 'volume'),
      id: nonEmptyText('d5ec7b1d-3a2a-4f44-a1f8-2f6f0dbb4f0c'),
      name: text('data').describe('Of a floating IP, its address.'),
    }),
  ).describe('In the order of their removal.'),
});

export type PurgePreview = ShapeType<typeof purgePreviewShape>;
