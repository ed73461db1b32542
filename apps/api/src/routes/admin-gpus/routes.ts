import { gpuHostList, listGpuAliases } from '@gateway/views';
import Joi from 'joi';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTag } from '../admin-tag.ts';
import { gpuAliasShape, gpuHostsShape } from './schemas.ts';

export const adminGpuEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/gpu-hosts',
    tag: adminTag,
    summary: 'The GPUs of the cloud by host',
    access: 'admin',
    response: gpuHostsShape,
    ...servesList(gpuHostList),
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/gpu-aliases',
    tag: adminTag,
    summary: 'The aliases by which flavors name the configured GPUs',
    access: 'admin',
    response: Joi.array().items(gpuAliasShape),
    handler: async ({ app }) => listGpuAliases(app.config.gpu.devices),
  }),
];
