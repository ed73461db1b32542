import { type ShapeType, shape } from '@gateway/core/shapes';
import { flavorFields } from './flavor-fields.ts';

export const flavorShape = shape('Flavor', flavorFields);

export type Flavor = ShapeType<typeof flavorShape>;
