import { flag, id, idOrEmpty, type ShapeType, shape, text } from '@gateway/core/shapes';

export const projectShape = shape('Project', {
  id: id('project'),
  name: text('demo'),
  description: text(''),
  enabled: flag(),
  domain_id: idOrEmpty('domain'),
  domain_name: text('Default').describe("Empty if the gateway's user may not read it."),
});

export type Project = ShapeType<typeof projectShape>;
