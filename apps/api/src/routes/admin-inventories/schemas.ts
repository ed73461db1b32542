import { id, idOrEmpty, integer, nonEmptyText, part, text, timestamp } from '@gateway/core/shapes';
import Joi from 'joi';
import { chosenIdField, idField } from '../../http/schemas/fields.ts';
import { type PageQuery, pageQuery, pageShape } from '../../http/schemas/page.ts';

export interface AllVolumesQuery extends PageQuery {
  project_id?: string;
  status?: string;
}

export interface AllInstancesQuery extends AllVolumesQuery {
  user_id?: string;
  host?: string;
}

/** The filters of both services, which find rows of all pages. */
const filters = {
  project_id: idField().description('Only rows of this project.'),
  status: Joi.string()
    .min(1)
    .max(255)
    .description('Only rows with this status, in any case.')
    .meta({ example: () => 'error' }),
};

export const allInstancesQuery = Joi.object<AllInstancesQuery, true>({
  ...pageQuery,
  ...filters,
  user_id: chosenIdField().description('Only instances that this user has created.'),
  host: Joi.string().min(1).max(255).description('Only instances on this host.'),
});

export const allVolumesQuery = Joi.object<AllVolumesQuery, true>({ ...pageQuery, ...filters });

export const allInstancesShape = pageShape(
  'AllInstances',
  part({
    id: id('instance'),
    name: text('web-1'),
    status: nonEmptyText('ACTIVE'),
    task_state: text().nullable(),
    project_id: idOrEmpty('project'),
    project_name: text('demo').nullable(),
    user_id: idOrEmpty('user'),
    user_name: text('demo').nullable(),
    flavor: text('m1.small').describe('Name.'),
    host: text('compute-1').nullable(),
    created_at: timestamp().nullable(),
    fault: part({
      code: integer(),
      message: text('The instance is ready.'),
      created: timestamp().nullable(),
    }).nullable(),
  }),
  () => ({ fault: null }),
);

export const allVolumesShape = pageShape(
  'AllVolumes',
  part({
    id: id('volume'),
    name: text('data'),
    status: nonEmptyText('in-use'),
    size: integer(10).describe('GB.'),
    project_id: idOrEmpty('project'),
    project_name: text('demo').nullable(),
    created_at: timestamp().nullable(),
  }),
);
