import { flag, id, type ShapeType, shape, text } from '@gateway/core/shapes';

export const shareTypeShape = shape('ShareType', {
  id: id('share_type'),
  name: text('default'),
  description: text(''),
  is_default: flag(false),
  is_public: flag(),
});

export type ShareType = ShapeType<typeof shareTypeShape>;
