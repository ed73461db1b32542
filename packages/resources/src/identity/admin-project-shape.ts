import { flag, id, idOrEmpty, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';

export const adminProjectShape = shape('AdminProject', {
  id: id('project'),
  name: text('demo'),
  description: text(''),
  enabled: flag(),
  domain_id: idOrEmpty('domain'),
  domain_name: text('Default').nullable(),
  created_at: timestamp(null).nullable().describe('Always null: the service does not record it.'),
});

/** A project for administrators. */
export type AdminProject = ShapeType<typeof adminProjectShape>;

export const projectNameShape = shape('ProjectName', {
  id: id('project_name'),
  name: text('demo'),
});

export type ProjectName = ShapeType<typeof projectNameShape>;
