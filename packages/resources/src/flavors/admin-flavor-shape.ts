import { idOrEmpty, type ShapeType, shape, text } from '@gateway/core/shapes';
import { flavorFields } from './flavor-fields.ts';

export const adminFlavorShape = shape('AdminFlavor', {
  ...flavorFields,
  description: text(''),
});

/** A flavor for administrators. */
export type AdminFlavor = ShapeType<typeof adminFlavorShape>;

export const flavorAccessShape = shape('FlavorAccess', {
  flavor_id: idOrEmpty('flavor'),
  project_id: idOrEmpty('project'),
  project_name: text('demo').describe(
    'Empty for a project that does not exist any more, and if the identity service is unavailable.',
  ),
});

/** A project that may use a private flavor. */
export type FlavorAccess = ShapeType<typeof flavorAccessShape>;
