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

/** A row of the instances of all projects. */
export const adminInstanceFields = part({
  id: id('instance'),
  name: text('web-1'),
  status: nonEmptyText('ACTIVE'),
  /** The compute service's current task for the server; null for none. */
  task_state: text().nullable(),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  user_id: idOrEmpty('user'),
  user_name: text('demo').nullable(),
  flavor: text('m1.small').describe('Name.'),
  /** Null before the server is placed. */
  host: text('compute-1').nullable(),
  created_at: timestamp().nullable(),
  fault: part({
    code: integer(),
    message: text('The instance is ready.'),
    created: timestamp().nullable(),
  }).nullable(),
});

/** An instance of any project. */
export type AdminInstance = ShapeType<typeof adminInstanceFields>;
