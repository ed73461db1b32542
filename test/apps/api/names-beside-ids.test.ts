import assert from 'node:assert/strict';
import { fieldsOf, itemOf, type Shape, valuesOf } from '@gateway/core/shapes';
import { endpoints } from '../../../apps/api/src/routes/index.ts';

/** Ids of what has no name, in any response. */
const OF_NAMELESS = [
  'application_credential_id',
  'health_monitor_id',
  'job_id',
  'port_id',
  'provider_segmentation_id',
  // The gateway does not list address groups.
  'remote_address_group_id',
  'request_id',
  'stack_id',
  'vendor_id',
  'vip_port_id',
  // An alias of `network_id`.
  'net_id',
  // What an instance consists of: its libraries are named.
  'overlay_share_ids',
];

/** Ids whose names are elsewhere in the response, or that may be ids of what is gone, by the path. */
const ELSEWHERE: [path: RegExp, fields: readonly string[]][] = [
  // Of the caller, beside `username`.
  [/^\/api\/(auth|profile)/, ['user_id']],
  // The row is the volume.
  [/^\/api\/instances\/:instance_id\/volumes$/, ['volume_id']],
  [/^\/api\/dashboard\/usage$/, ['instance_id']],
  [/^\/api\/admin\/flavors\/:flavor_id\/access$/, ['flavor_id']],
  [/^\/api\/admin\/volume-types\/:volume_type_id\/access$/, ['volume_type_id']],
  [/^\/api\/admin\/projects\/:project_id\/members$/, ['group_id']],
  [/^\/api\/admin\/services$/, ['service_id']],
  // The service takes names for them, too.
  [/^\/api\/clusters\/templates$/, ['image_id', 'flavor_id', 'master_flavor_id']],
  // Beside `library`.
  [/^\/api\/admin\/file-storage\/builds/, ['library_id']],
  // Records of the gateway, which are read without a call to the cloud.
  [/^\/api\/admin\/leftovers$/, ['instance_id', 'cluster_id']],
  [/^\/api\/admin\/audit$/, ['resource_id', 'resource_ids']],
  // Queues show no texts of users.
  [/^\/api\/admin\/queues\//, ['resource_id', 'error_request_id']],
];

/** The fields with ids, also those of objects in the response, without a field for the names. */
function namelessIn(shape: Shape<unknown> | undefined): string[] {
  if (shape === undefined) return [];
  const item = itemOf(shape) ?? valuesOf(shape);
  if (item !== undefined) return namelessIn(item);
  const fields = fieldsOf(shape);
  const own = [...fields.keys()].filter(
    (name) => /_ids?$/.test(name) && !fields.has(name.replace(/_id(s?)$/, '_name$1')),
  );
  return [...own, ...[...fields.values()].flatMap(namelessIn)];
}

describe('what is read', () => {
  for (const { method, path, response } of endpoints) {
    if (method !== 'GET') continue;
    it(`has names beside ids: ${path}`, () => {
      const known = ELSEWHERE.flatMap(([paths, fields]) => (paths.test(path) ? fields : []));
      const nameless = new Set(namelessIn(response)).difference(new Set([...OF_NAMELESS, ...known]));
      assert.deepEqual([...nameless], []);
    });
  }
});
