import Joi from 'joi';
import { idField } from '../../http/schemas/fields.ts';

/** What an instance may have beside what each instance has. */
export interface InstanceOptionsBody {
  networks?: { network_id?: string; port_id?: string }[];
  security_group_ids?: string[];
  floating_ip?: boolean;
  user_data?: string;
  server_group_id?: string;
}

/** Each is looked up before the creation. More can be added to the instance. */
const MAX_NETWORKS = 10;
/** More than a project has by default (10). All are compared with each other. */
const MAX_SECURITY_GROUPS = 100;
/** Leaves room for the gateway's part within the limit of the compute service. */
const MAX_USER_DATA_BYTES = 32_768;

/**
 * How first-boot data begins, as cloud-init recognizes it. A message of several parts is not among them: it
 * cannot be a part of another one that is encoded.
 */
const USER_DATA_START =
  /^(?:#!|#cloud-config\b|#cloud-boothook\b|#include\b|#part-handler\b|## template: *jinja\b)/;

const nicBody = Joi.object({ network_id: idField(), port_id: idField() })
  .xor('network_id', 'port_id')
  .messages({
    'object.missing': 'must have network_id or port_id',
    'object.xor': 'must have network_id or port_id, not both',
  })
  .meta({ name: 'InstanceNetwork', example: () => ({ network_id: undefined }) });

export const instanceOptionFields = {
  networks: Joi.array()
    .items(nicBody)
    .min(1)
    .max(MAX_NETWORKS)
    .unique()
    .description(
      'Instead of `network_id`: an interface for each, in this order. A port is one of the project that nothing uses; it stays when the instance is deleted. The first interface gets the floating IP.',
    ),
  security_group_ids: Joi.array()
    .items(idField())
    .min(1)
    .max(MAX_SECURITY_GROUPS)
    .unique()
    .description('Of the new interfaces. Default: the group `default` of the project.'),
  floating_ip: Joi.boolean().description('True by default. With false the instance gets no floating IP.'),
  user_data: Joi.string()
    .max(MAX_USER_DATA_BYTES, 'utf8')
    .pattern(USER_DATA_START)
    .messages({
      'string.pattern.base': 'must begin with `#!`, `#cloud-config` or another header of cloud-init',
    })
    .description(
      'First-boot data of your own for cloud-init, up to 32 KiB, beside that of the gateway: a script runs after the libraries are mounted, and a cloud-config adds to the keys and lists of the gateway. Everybody who can log in to the instance can read it.',
    )
    .meta({ contentMediaType: 'text/plain' }),
  server_group_id: idField().description(
    'Places the instance by the policy of this group of the compute service.',
  ),
};
