import { randomBytes } from 'node:crypto';
import { reserveVolume } from '../block-storage/attachments.ts';
import type { Volume } from '../block-storage/state.ts';
import { findVolume } from '../block-storage/volumes.ts';
import { newUuid } from '../common/ids.ts';
import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  numberAt,
  pythonRepr,
  stringAt,
  stringMapAt,
} from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { canSeeImage } from '../image/images.ts';
import { buildServer } from './build.ts';
import type { ComputeCloud } from './cloud.ts';
import { findFlavor } from './flavors.ts';
import { requestedNics, requirePorts } from './nics.ts';
import { computeLimits, requireComputeQuota } from './quotas.ts';
import { hintedGroup } from './server-groups.ts';
import type { Flavor, Server, ServerVolume } from './state.ts';

/** The fields of a request, and the minor version that added each. */
const FIELDS: [string, number][] = [
  ['description', 19],
  ['tags', 52],
  ['trusted_image_certificates', 63],
  ['host', 74],
  ['hypervisor_hostname', 74],
  ['hostname', 90],
  ...[
    'name',
    'imageRef',
    'flavorRef',
    'adminPass',
    'metadata',
    'networks',
    'OS-DCF:diskConfig',
    'accessIPv4',
    'accessIPv6',
    'availability_zone',
    'block_device_mapping',
    'block_device_mapping_v2',
    'config_drive',
    'key_name',
    'min_count',
    'max_count',
    'os:scheduler_hints',
    'personality',
    'return_reservation_id',
    'security_groups',
    'user_data',
  ].map((key): [string, number] => [key, 1]),
];
const MAX_USER_DATA = 65535;

interface CreatedServer {
  server: Server;
  adminPass: string;
}

/** Checks the whole request, creates the servers, and builds them in the background. */
export function createServers(
  cloud: ComputeCloud,
  caller: Caller,
  input: JsonObject,
  minor: number,
): CreatedServer {
  checkFields(input, minor);
  const flavor = flavorFor(cloud, caller, input);
  const imageId = imageFor(cloud, caller, input, flavor);
  const { serverZones } = cloud.settings;
  const [zone = ''] = (stringAt(input, 'availability_zone') ?? serverZones[0] ?? '').split(':');
  if (!serverZones.includes(zone)) throw badRequest('The requested availability zone is not available');
  const keyName = stringAt(input, 'key_name') ?? null;
  if (keyName !== null && !cloud.compute.keyPairs.get(caller.userId)?.has(keyName))
    throw badRequest('Invalid key_name provided.');
  const volumes = volumesFor(cloud, caller, input);
  requireMemoryForImage(flavor, volumes);
  if (imageId === null && volumes.length === 0) throw badRequest('Missing imageRef attribute');
  const nics = requestedNics(cloud, caller, input.networks);
  const groupId = hintedGroup(cloud, caller.projectId, input['os:scheduler_hints']);
  const metadata = stringMapAt(input, 'metadata');
  checkMetadata(cloud, caller, metadata);
  const count = numberAt(input, 'max_count') ?? numberAt(input, 'min_count') ?? 1;
  requireComputeQuota(cloud.compute, caller.projectId, {
    cores: flavor.vcpus * count,
    instances: count,
    ram: flavor.ramMb * count,
  });
  requirePorts(cloud, caller.projectId, nics, count);
  const template = {
    projectId: caller.projectId,
    userId: caller.userId,
    status: 'BUILD',
    vmState: 'building',
    taskState: 'scheduling',
    powerState: 0,
    metadata,
    tags: arrayAt(input, 'tags').map(String),
    description: stringAt(input, 'description') ?? null,
    flavor: { ...flavor, extraSpecs: { ...flavor.extraSpecs } },
    imageId,
    keyName,
    userData: stringAt(input, 'user_data') ?? null,
    configDrive: input.config_drive === true,
    zone,
    host: null,
    securityGroups: securityGroupNames(cloud, input),
    nics,
    volumes: volumes.map(({ mapping }) => mapping),
    fault: null,
    createdMs: cloud.clock.now(),
    updatedMs: cloud.clock.now(),
    launchedMs: null,
    groupId,
    resizedFrom: null,
    lock: null,
  };
  const name = stringAt(input, 'name') ?? '';
  const servers = Array.from({ length: count }, (_unused, index): Server => {
    const server = {
      ...template,
      id: newUuid(),
      number: ++cloud.compute.lastNumber,
      name: count > 1 ? `${name}-${index + 1}` : name,
      createdPorts: new Set<string>(),
    };
    cloud.compute.servers.set(server.id, server);
    for (const { volume } of volumes) reserveVolume(cloud, volume, server.id);
    buildServer(cloud, server);
    return server;
  });
  const server = servers[0];
  if (server === undefined) throw badRequest('min_count must be at least 1');
  return { server, adminPass: stringAt(input, 'adminPass') ?? randomBytes(9).toString('base64url') };
}

/** No joiners, and only characters of one UTF-16 code unit. */
const SERVER_NAME = /^[^\u200c-\u200d\ud800-\udfff]*$/;

function checkFields(input: JsonObject, minor: number): void {
  const invalid = (why: string) =>
    badRequest(`Invalid input for field/attribute server. Value: ${pythonRepr(input)}. ${why}`);
  for (const key of ['name', 'flavorRef'])
    if (stringAt(input, key) === undefined) throw invalid(`'${key}' is a required property`);
  if (input.networks === undefined && minor >= 37) throw invalid("'networks' is a required property");
  for (const key of Object.keys(input)) {
    const since = FIELDS.find(([name]) => name === key)?.[1];
    if (since === undefined || since > minor)
      throw invalid(`Additional properties are not allowed ('${key}' was unexpected)`);
  }
  const userData = stringAt(input, 'user_data');
  if (userData !== undefined && userData.length > MAX_USER_DATA)
    throw badRequest(
      `Invalid input for field/attribute user_data. Value: ${userData.slice(0, 40)}. '${userData.slice(0, 40)}' is too long`,
    );
  const name = stringAt(input, 'name') ?? '';
  if (name.length > 255)
    throw badRequest(`Invalid input for field/attribute name. Value: ${name}. is too long`);
  if (!SERVER_NAME.test(name) || name !== name.trim())
    throw badRequest(
      "An invalid 'name' value was provided. The name must be: printable characters. Can not start or end with whitespace.",
    );
}

function flavorFor(cloud: ComputeCloud, caller: Caller, input: JsonObject): Flavor {
  const ref = stringAt(input, 'flavorRef') ?? '';
  try {
    return findFlavor(cloud, caller, ref.split('/').at(-1) ?? '');
  } catch {
    throw badRequest(`Flavor ${ref} could not be found.`);
  }
}

function imageFor(cloud: ComputeCloud, caller: Caller, input: JsonObject, flavor: Flavor): string | null {
  const ref = stringAt(input, 'imageRef') ?? '';
  if (ref === '') return null;
  const image = cloud.images.images.get(ref.split('/').at(-1) ?? '');
  if (image === undefined || !canSeeImage(caller, image)) throw badRequest('Can not find requested image');
  if (image.status !== 'active') throw badRequest(`Image ${image.id} is not active.`);
  if (image.minRamMb > flavor.ramMb) throw badRequest("Flavor's memory is too small for requested image.");
  if (flavor.diskGb > 0 && image.minDiskGb > flavor.diskGb)
    throw badRequest("Flavor's disk is smaller than the minimum size specified in image metadata.");
  return image.id;
}

/** A volume keeps the memory requirement of its image. */
function requireMemoryForImage(flavor: Flavor, volumes: { volume: Volume }[]): void {
  for (const { volume } of volumes)
    if (Number(volume.imageMetadata?.min_ram ?? 0) > flavor.ramMb)
      throw badRequest("Flavor's memory is too small for requested image.");
}

/** The existing volumes in the block device mapping. The root volume must be bootable. */
function volumesFor(
  cloud: ComputeCloud,
  caller: Caller,
  input: JsonObject,
): { volume: Volume; mapping: ServerVolume }[] {
  const mappings = arrayAt(input, 'block_device_mapping_v2').filter(isObject);
  return mappings
    .filter((mapping) => stringAt(mapping, 'source_type') === 'volume')
    .map((mapping, index) => {
      const id = stringAt(mapping, 'uuid') ?? '';
      const volume = volumeNamed(cloud, caller, id);
      if (volume.status !== 'available')
        throw badRequest(
          `Block Device Mapping is Invalid: failed to get volume ${id}: status must be 'available', currently ${volume.status}.`,
        );
      const isRoot = String(mapping.boot_index ?? '') === '0';
      if (isRoot && !volume.bootable) throw badRequest(`Block Device ${id} is not bootable.`);
      return {
        volume,
        mapping: {
          volumeId: id,
          device: deviceName(index),
          deleteOnTermination: isTruthy(mapping.delete_on_termination),
          attachmentId: null,
          mappingId: newUuid(),
          tag: stringAt(mapping, 'tag') ?? null,
        },
      };
    });
}

function volumeNamed(cloud: ComputeCloud, caller: Caller, id: string): Volume {
  try {
    return findVolume(cloud, caller, id);
  } catch {
    throw badRequest(`Block Device Mapping is Invalid: failed to get volume ${id}.`);
  }
}

function isTruthy(value: Json | undefined): boolean {
  return value === true || String(value).toLowerCase() === 'true' || value === 1;
}

/** `/dev/vda` for index 0. */
export function deviceName(index: number): string {
  return `/dev/vd${String.fromCharCode(97 + index)}`;
}

/** A request names groups by their names or ids. Servers show names. */
function securityGroupNames(cloud: ComputeCloud, input: JsonObject): string[] {
  const names = arrayAt(input, 'security_groups').flatMap((entry) => {
    const name = isObject(entry) ? stringAt(entry, 'name') : undefined;
    if (name === undefined) return [];
    return cloud.network.securityGroups.get(name)?.name ?? name;
  });
  return names.length > 0 ? names : ['default'];
}

function checkMetadata(cloud: ComputeCloud, caller: Caller, metadata: Record<string, string>): void {
  const limit = computeLimits(cloud.compute, caller.projectId).metadata_items ?? -1;
  if (limit >= 0 && Object.keys(metadata).length > limit)
    throw badRequest(`Maximum number of metadata items exceeds ${limit}`);
  for (const [key, value] of Object.entries(metadata))
    if (value.length > 255)
      throw badRequest(
        `Invalid input for field/attribute ${key}. Value: ${value}. ${pythonRepr(value)} is too long`,
      );
}
