import {
  id,
  idOrEmpty,
  integer,
  nonEmptyText,
  part,
  type ShapeType,
  text,
  timestamp,
} from '@gateway/core/shapes';

/** A row of the volumes of all projects. */
export const adminVolumeFields = part({
  id: id('volume'),
  name: text('data'),
  status: nonEmptyText('in-use'),
  size: integer(10).describe('GB.'),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  created_at: timestamp().nullable(),
});

/** A volume of any project. */
export type AdminVolume = ShapeType<typeof adminVolumeFields>;
