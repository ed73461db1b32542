import { oneOf, type ShapeType, shape } from '@gateway/core/shapes';
import Joi from 'joi';
import { adminPassField, chosenIdField, idField } from '../../http/schemas/fields.ts';

export interface ResizeBody {
  flavor_id: string;
}

export interface RebuildBody {
  image_id: string;
}

export interface RescueBody {
  image_id: string;
  admin_pass?: string;
}

export const resizeBody = Joi.object<ResizeBody, true>({ flavor_id: chosenIdField().required() })
  .required()
  .meta({ name: 'ResizeInstance' });

export const rebuildBody = Joi.object<RebuildBody, true>({ image_id: idField().required() })
  .required()
  .meta({ name: 'RebuildInstance' });

export const rescueBody = Joi.object<RescueBody, true>({
  image_id: idField().required().description('The system that repairs the instance.'),
  admin_pass: adminPassField().description(
    'The password of the administrator in that system, if the host can set one.',
  ),
})
  .required()
  .meta({ name: 'RescueInstance', example: () => ({ admin_pass: 'demo-secret' }) });

const CHANGES = ['resizing', 'confirming', 'reverting', 'rebuilding', 'rescuing', 'unrescuing'] as const;

export const changeShape = shape('InstanceChange', {
  status: oneOf(CHANGES, 'resizing'),
});

/** What happens to the instance after the response. */
export type ChangeResult = ShapeType<typeof changeShape>;
