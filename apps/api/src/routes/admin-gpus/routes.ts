import { listOf } from '@gateway/core/shapes';
import { gpuHostList, listGpuAliases } from '@gateway/resources';
import { gpuAliasShape, gpuHostsShape, gpuQuotasShape } from '@gateway/resources/shapes';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import {
  defaultGpuQuotasShape,
  gpuLimitsBody,
  gpuTypeParams,
  projectParams,
  projectTypeParams,
} from './quota-schemas.ts';
import {
  deleteDefaultGpuQuota,
  deleteGpuQuota,
  getDefaultGpuQuotas,
  getGpuQuotas,
  updateDefaultGpuQuotas,
  updateGpuQuotas,
} from './quotas.ts';

export const adminGpuEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/gpu-hosts',
    tag: adminTags.hosts,
    summary: 'The GPUs of the cloud by host',
    access: 'admin',
    response: gpuHostsShape,
    ...servesList(gpuHostList),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/gpu-aliases',
    tag: adminTags.hosts,
    summary: 'The aliases by which flavors name GPUs',
    description:
      'Those of the configured devices (`gpu.devices`); without any, those in the flavors of the cloud.',
    access: 'admin',
    response: listOf(gpuAliasShape),
    rows: { id: 'alias', filters: { name: ['alias'] } },
    handler: ({ app, openstack }) => listGpuAliases(openstack, app.config.gpu.devices),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/gpu-quotas/defaults',
    tag: adminTags.quotas,
    summary: 'The GPU quotas of projects without quotas of their own',
    access: 'admin',
    response: defaultGpuQuotasShape,
    handler: getDefaultGpuQuotas,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/gpu-quotas/defaults',
    tag: adminTags.quotas,
    summary: 'Set default GPU quotas',
    description: 'Changes the named types only.',
    access: 'admin',
    body: gpuLimitsBody,
    writes: { resource: 'quota', as: 'updated' },
    response: defaultGpuQuotasShape,
    handler: updateDefaultGpuQuotas,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/gpu-quotas/defaults/:gpu_type',
    tag: adminTags.quotas,
    summary: 'Remove the default quota of a GPU type',
    access: 'admin',
    params: gpuTypeParams,
    writes: { resource: 'quota', as: 'updated' },
    status: 204,
    handler: deleteDefaultGpuQuota,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/gpu-quotas/:project_id',
    tag: adminTags.quotas,
    summary: "A project's GPU quotas, and what is in use of them",
    access: 'admin',
    params: projectParams,
    response: gpuQuotasShape,
    handler: getGpuQuotas,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/gpu-quotas/:project_id',
    tag: adminTags.quotas,
    summary: 'Set GPU quotas of a project',
    description:
      'Changes the named types only. A limit below what is in use stops further creations and changes no instance.',
    access: 'admin',
    params: projectParams,
    body: gpuLimitsBody,
    writes: { resource: 'quota', as: 'updated' },
    response: gpuQuotasShape,
    handler: updateGpuQuotas,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/gpu-quotas/:project_id/:gpu_type',
    tag: adminTags.quotas,
    summary: "Remove a project's quota of a GPU type",
    description: 'The default quota applies again.',
    access: 'admin',
    params: projectTypeParams,
    writes: { resource: 'quota', as: 'updated' },
    status: 204,
    handler: deleteGpuQuota,
  }),
];
