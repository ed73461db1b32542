import Joi from 'joi';
import { part, shape } from '../../http/schemas/fields.ts';
import { fileStorageShape, quotaValue } from '../file-storage/schemas.ts';
import { instanceShape } from '../instances/schemas.ts';
import { volumeShape } from '../volumes/schemas.ts';

function count() {
  return Joi.number().integer();
}

function instanceCounts() {
  return part({ total: count(), active: count(), shutoff: count(), error: count() }).allow(null);
}

function storageTotals() {
  return part({ total: count(), total_gb: count() }).allow(null);
}

const unavailable = Joi.array()
  .items(Joi.string().valid('blockStorage', 'compute', 'network', 'sharedFileSystem'))
  .description('The services whose parts are null because they are unavailable.');

export const dashboardSummaryShape = shape('DashboardSummary', {
  instances: instanceCounts(),
  compute: part({ instances: quotaValue(), cores: quotaValue(), ram: quotaValue() }).allow(null),
  storage: part({ volumes: quotaValue(), gigabytes: quotaValue() }).allow(null),
  gpu_used: count().allow(null).description("The GPUs that the project's instances hold."),
  unavailable,
});

export const userDashboardShape = shape('UserDashboard', {
  instances: Joi.array().items(instanceShape).allow(null),
  volumes: Joi.array().items(volumeShape).allow(null),
  file_storages: Joi.array()
    .items(fileStorageShape)
    .allow(null)
    .description('Empty if the service is not enabled.'),
  summary: part({
    instances: instanceCounts(),
    vcpus: count().allow(null).description("Of the caller's instances."),
    ram: count().allow(null).description("MB, of the caller's instances."),
    volumes: storageTotals(),
    file_storages: storageTotals(),
    networks: count().allow(null).description("The project's own networks, whoever created them."),
    floating_ips: count().allow(null).description("The project's floating IPs, whoever created them."),
  }),
  unavailable,
});
