import { idOrEmpty, shape, text } from '@gateway/core/shapes';
import { adminInstanceFields, adminVolumeFields } from '@gateway/resources/shapes';
import Joi from 'joi';
import { chosenIdField, idField } from '../../http/schemas/fields.ts';
import { type PageQuery, pageQuery, pageShape } from '../../http/schemas/page.ts';
import { liteClusterShape } from '../lite-clusters/lite-cluster-shape.ts';

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

export const allInstancesShape = pageShape('AllInstances', adminInstanceFields, () => ({ fault: null }));

export const allVolumesShape = pageShape('AllVolumes', adminVolumeFields);

export const allLiteClustersRow = shape(
  'AdminLiteClusterRow',
  { ...liteClusterShape.shape, project_id: idOrEmpty('project'), project_name: text('demo').nullable() },
  () => ({ upgrade: null, allowed_actions: [] }),
);
