import { type Snapshot, snapshotActions } from '@gateway/resources';
import Joi from 'joi';
import { allowedActionsField, managedByField } from '../../http/schemas/actions.ts';
import {
  descriptionField,
  idField,
  nameField,
  nullableText,
  shape,
  text,
  timestamp,
} from '../../http/schemas/fields.ts';

export interface CreateSnapshotBody {
  name: string;
  volume_id: string;
  description?: string;
  force: boolean;
}

export const createSnapshotBody = Joi.object<CreateSnapshotBody, true>({
  name: nameField().required(),
  volume_id: idField().required(),
  description: descriptionField(),
  force: Joi.boolean().default(false).description('Also take a snapshot of a volume that is in use.'),
})
  .required()
  .meta({ name: 'CreateSnapshot' });

export const snapshotShape = shape<Snapshot>(
  'Snapshot',
  {
    id: Joi.string(),
    name: text(),
    description: text(),
    status: Joi.string().description('As in the block storage service: `creating`, `available`, `error`, …'),
    size: Joi.number().integer().description('GB.'),
    volume_id: text(),
    volume_name: nullableText(),
    created_at: timestamp().allow(null),
    managed_by: managedByField(),
    allowed_actions: allowedActionsField(snapshotActions),
  },
  () => ({ status: 'available' }),
);
