import type { Hypervisor, HypervisorDetail } from '@gateway/resources';
import Joi from 'joi';
import { descriptionField, listOf, nullableText, part, shape, text } from '../../http/schemas/fields.ts';

export interface UpdateHypervisorBody {
  status?: 'enabled' | 'disabled';
  disabled_reason?: string;
}

export const updateHypervisorBody = Joi.object<UpdateHypervisorBody, true>({
  status: Joi.string().valid('enabled', 'disabled'),
  disabled_reason: descriptionField()
    .when('status', { is: 'disabled', otherwise: Joi.forbidden() })
    .messages({ 'any.unknown': 'needs the status disabled' })
    .description('Only with `disabled`.'),
})
  .required()
  .meta({
    name: 'UpdateHypervisor',
    example: () => ({ status: 'disabled', disabled_reason: 'New memory' }),
  });

const count = () => Joi.number().integer();

const hypervisorFields = {
  id: Joi.string(),
  name: text(),
  state: Joi.string().description('`up` or `down`.'),
  status: Joi.string().description('`enabled` or `disabled`.'),
  hypervisor_type: text(),
  vcpus: count(),
  vcpus_used: count(),
  memory_size_mb: count(),
  memory_used_mb: count(),
  local_disk_gb: count(),
  local_disk_used_gb: count(),
  running_vms: count(),
};

export const hypervisorShape = shape<Hypervisor>('Hypervisor', hypervisorFields, () => ({
  status: 'enabled',
  vcpus: 32,
}));

export const hypervisorDetailShape = shape<HypervisorDetail>(
  'HypervisorDetail',
  {
    ...hypervisorFields,
    hypervisor_version: count(),
    host_ip: text(),
    uptime: nullableText().description('Null if the host is down, or its driver does not report it.'),
    cpu_info: Joi.object().unknown().allow(null),
    service_host: text(),
    disabled_reason: nullableText(),
    vcpus_allowed: count()
      .allow(null)
      .description(
        'What instances may use in all, with the allocation ratio and without what is reserved; null while the placement service is unavailable.',
      ),
    memory_allowed_mb: count().allow(null),
    servers: listOf(
      part({
        id: Joi.string(),
        name: text(),
        status: Joi.string(),
        project_id: text(),
        project_name: nullableText(),
        flavor: text().description('Name.'),
      }),
    ),
  },
  () => ({ status: 'enabled', vcpus: 32, servers: [{ status: 'ACTIVE' }] }),
);
