import { resourceMessageShape } from '@gateway/jobs/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { FOLLOWED } from '../../http/schemas/followed.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import { createInstanceImage } from './handlers.ts';
import { createImageBody } from './schemas.ts';

export const instanceImageEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/instances/:instance_id/images/async',
    tag: instanceTag,
    summary: 'Make an image of an instance and follow the progress',
    description:
      `${FOLLOWED} The private image holds what was on the disk that the instance boots from, with the properties ` +
      'of its own image, and other instances can boot from it. The instance continues meanwhile: stop it first if ' +
      'applications have to be at rest. The image gets its name when it is complete. An instance that boots from a ' +
      'volume needs quota for a copy of that volume, which is deleted at the end.',
    access: 'project',
    params: pathIds('instance_id'),
    body: createImageBody,
    response: resourceMessageShape,
    example: () => ({ message: 'The image is active.', resource_type: 'image' }),
    produces: 'text/event-stream',
    startsJob: 'image.create',
    errors: ['conflict'],
    handler: createInstanceImage,
  }),
];
