import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { readAnyInstanceDetail } from '../../resources/read-instance.ts';
import { adminTag } from '../admin-tag.ts';
import { instanceDetailShape } from '../instances/schemas.ts';

export const adminInstanceEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/instances/:instance_id',
    tag: adminTag,
    summary: 'One instance of any project',
    description: 'The id of a private flavor is null if the project of the request may not use it.',
    access: 'admin',
    params: pathIds('instance_id'),
    response: instanceDetailShape,
    handler: (request) => readAnyInstanceDetail(request, request.params.instance_id),
  }),
];
