import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import { confirm, endRescue, rebuild, rescue, resize, revert } from './change-handlers.ts';
import { changeShape, rebuildBody, rescueBody, resizeBody } from './change-schemas.ts';

/** The part of the declaration that all of these actions share. */
const change = {
  method: 'POST',
  tag: instanceTag,
  access: 'project',
  params: pathIds('instance_id'),
  writes: { resource: 'instance', as: 'updated' },
  response: changeShape,
  errors: ['conflict'],
} as const;

export const instanceReplacementEndpoints = [
  endpoint({
    ...change,
    path: '/api/instances/:instance_id/resize',
    summary: 'Give an instance another flavor',
    description:
      'Restarts the instance, and changes nothing if no host has room. It is then `VERIFY_RESIZE` until the new flavor is confirmed or the old one restored; some clouds confirm by themselves after a time. The GPUs of the new flavor count against the GPU quota of the project.',
    body: resizeBody,
    errors: ['conflict', 'quota_exceeded'],
    handler: resize,
  }),
  endpoint({
    ...change,
    path: '/api/instances/:instance_id/confirm-resize',
    summary: 'Keep the new flavor of an instance',
    example: () => ({ status: 'confirming' }),
    handler: confirm,
  }),
  endpoint({
    ...change,
    path: '/api/instances/:instance_id/revert-resize',
    summary: 'Restore the old flavor of an instance',
    example: () => ({ status: 'reverting' }),
    handler: revert,
  }),
  endpoint({
    ...change,
    path: '/api/instances/:instance_id/rebuild',
    summary: 'Fill the boot volume of an instance from an image',
    description:
      'What was on the boot volume is lost; addresses, other volumes and first-boot data stay. Refused with 409 for an instance with libraries, which are set up at its first boot only, and for a node of a lite cluster.',
    body: rebuildBody,
    example: () => ({ status: 'rebuilding' }),
    handler: rebuild,
  }),
  endpoint({
    ...change,
    path: '/api/instances/:instance_id/rescue',
    summary: 'Boot an instance from another image, to repair it',
    description:
      'The volumes of the instance are attached to the system of the image. Refused with 409 by hosts that cannot rescue an instance that boots from a volume.',
    body: rescueBody,
    example: () => ({ status: 'rescuing' }),
    handler: rescue,
  }),
  endpoint({
    ...change,
    path: '/api/instances/:instance_id/unrescue',
    summary: 'Boot a rescued instance from its own volume again',
    example: () => ({ status: 'unrescuing' }),
    handler: endRescue,
  }),
];
