import type { AdminContainer, AdminInstance, AdminVolume, Port } from '@gateway/resources';
import Joi from 'joi';
import {
  chosenIdField,
  idField,
  nullableText,
  part,
  shape,
  text,
  timestamp,
} from '../../http/schemas/fields.ts';
import { fixedIpsShape } from '../../http/schemas/fixed-ips.ts';
import { type PageQuery, pageQuery, pageShape } from '../../http/schemas/page.ts';
import { containerFields } from '../containers/schemas.ts';

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
  part<AdminInstance>({
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    task_state: nullableText(),
    project_id: text(),
    project_name: nullableText(),
    user_id: text(),
    user_name: nullableText(),
    flavor: text().description('Name.'),
    host: text().allow(null),
    created_at: timestamp().allow(null),
    fault: part<AdminInstance['fault']>({
      code: Joi.number().integer(),
      message: text(),
      created: timestamp().allow(null),
    }).allow(null),
  }),
  () => ({ status: 'ACTIVE', fault: null }),
);

export const allVolumesShape = pageShape(
  'AllVolumes',
  part<AdminVolume>({
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    size: Joi.number().integer().description('GB.'),
    project_id: text(),
    project_name: nullableText(),
    created_at: timestamp().allow(null),
  }),
  () => ({ name: 'data', status: 'in-use' }),
);

export const adminContainerShape = shape<AdminContainer>(
  'AdminContainer',
  { ...containerFields, project_id: text(), project_name: nullableText() },
  () => ({ status: 'Running', status_reason: '', image: 'nginx:1.27' }),
);

export const portShape = shape<Port>(
  'Port',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    network_id: text(),
    network_name: nullableText(),
    device_owner: text().description('`compute:nova`, `network:router_interface`, …; empty if unused.'),
    device_id: text(),
    device_name: nullableText().description('Of an instance or a router.'),
    mac_address: text(),
    fixed_ips: fixedIpsShape,
    project_id: nullableText().description('Null for a port of the network service itself.'),
    project_name: nullableText(),
  },
  () => ({ status: 'ACTIVE' }),
);
