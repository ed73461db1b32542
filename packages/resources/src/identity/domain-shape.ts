import { flag, id, type ShapeType, shape, text } from '@gateway/core/shapes';

export const domainShape = shape('Domain', {
  id: id('domain'),
  name: text('Default'),
  description: text(''),
  enabled: flag(),
});

/** A domain for administrators. */
export type Domain = ShapeType<typeof domainShape>;
