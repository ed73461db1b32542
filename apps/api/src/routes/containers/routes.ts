import { listOf, oneOf, shape, text } from '@gateway/core/shapes';
import type { ContainerAction } from '@gateway/openstack';
import { containerShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { type AnyEndpoint, endpoint } from '../../pipeline/endpoint.ts';
import {
  actionHandler,
  createContainer,
  deleteContainer,
  getContainer,
  getContainerLog,
  listContainers,
} from './handlers.ts';
import { containerLogQuery, createContainerBody } from './schemas.ts';

const containerLogShape = shape('ContainerLog', { log: text('GET / 200\n') });

function actionShape(name: string, status: string) {
  return shape(name, { status: oneOf([status]) });
}

const tag = { name: 'containers', description: 'Containers, where the cloud has the service' };

export const containerEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/containers',
    tag,
    summary: "The project's containers",
    access: 'project',
    watched: 'container',
    service: 'container',
    response: listOf(containerShape),
    errors: ['not_found'],
    handler: listContainers,
  }),
  endpoint({
    method: 'POST',
    path: '/api/containers',
    tag,
    summary: 'Create a container',
    description:
      'Answers at once; the container is `Creating` until it is `Created`, and then has to be started. An image that cannot be found leads to the status `Error`.',
    access: 'project',
    service: 'container',
    rateLimits: ['containerCreate'],
    body: createContainerBody,
    writes: { resource: 'container', as: 'created' },
    status: 201,
    response: containerShape,
    example: () => ({ status: 'Creating' }),
    errors: ['not_found', 'conflict', 'quota_exceeded'],
    handler: createContainer,
  }),
  endpoint({
    method: 'GET',
    path: '/api/containers/:container_id',
    tag,
    summary: 'One container',
    access: 'project',
    service: 'container',
    params: pathIds('container_id'),
    response: containerShape,
    handler: getContainer,
  }),
  endpoint({
    method: 'GET',
    path: '/api/containers/:container_id/log',
    tag,
    summary: 'What a container has written',
    description: 'Its output and its errors. Refused with 409 while it is being created or deleted.',
    access: 'project',
    service: 'container',
    params: pathIds('container_id'),
    query: containerLogQuery,
    response: containerLogShape,
    errors: ['conflict'],
    handler: getContainerLog,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/containers/:container_id',
    tag,
    summary: 'Delete a container',
    description:
      'A running container is stopped first. Refused with 409 while it is being created, or paused.',
    access: 'project',
    service: 'container',
    params: pathIds('container_id'),
    writes: { resource: 'container', as: 'deleting', touches: ['port'] },
    status: 204,
    errors: ['conflict'],
    handler: deleteContainer,
  }),
  actionEndpoint('start', 'start', 'starting'),
  actionEndpoint('stop', 'stop', 'stopping'),
  actionEndpoint('restart', 'reboot', 'restarting'),
];

function actionEndpoint(name: string, action: ContainerAction, status: string): AnyEndpoint {
  const title = name[0]?.toUpperCase() + name.slice(1);
  return endpoint({
    method: 'POST',
    path: `/api/containers/:container_id/${name}`,
    tag,
    summary: `${title} a container`,
    description: 'Refused with 409 in the wrong state.',
    access: 'project',
    service: 'container',
    params: pathIds('container_id'),
    writes: { resource: 'container', as: 'updated' },
    response: actionShape(`Container${title}`, status),
    errors: ['conflict'],
    handler: actionHandler(action, status),
  });
}
