import { flag, id, idOrEmpty, mapOf, type ShapeType, shape, text } from '@gateway/core/shapes';

export const adminVolumeTypeShape = shape('AdminVolumeType', {
  id: id('volume_type'),
  name: text('ssd'),
  description: text(''),
  is_public: flag().describe('Whether every project may use it.'),
  extra_specs: mapOf(text()),
});

/** A volume type as administrators see it. */
export type AdminVolumeType = ShapeType<typeof adminVolumeTypeShape>;

export const volumeTypeAccessShape = shape('VolumeTypeAccess', {
  volume_type_id: idOrEmpty('volume_type'),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable().describe('Null for a project that does not exist any more.'),
});

/** A project that may use a private volume type. */
export type VolumeTypeAccess = ShapeType<typeof volumeTypeAccessShape>;
