import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import { allocate, allocateAddress, release } from './addresses.ts';
import type { NetworkCloud } from './cloud.ts';
import { visibleNetwork } from './networks.ts';
import { requireQuota } from './quotas.ts';
import { newRecord, notFoundErrors, requireOwned, requireString, touch } from './records.ts';
import type { FixedIp, FloatingIp, Router } from './state.ts';
import { subnetsOf } from './subnets.ts';

/** Measured on a real cloud. */
const COMPUTE_UPDATE_DELAY_MS = 1_500;

export function createFloatingIp(cloud: NetworkCloud, caller: Caller, input: JsonObject): FloatingIp {
  const networkId = requireString(input, 'floating_network_id');
  if (input.tags !== undefined) throw badRequest("Attribute 'tags' not allowed in POST", 'HTTPBadRequest');
  const network = visibleNetwork(cloud, caller, networkId);
  if (!network.external)
    throw badRequest(
      `Bad floatingip request: Network ${networkId} is not a valid external network.`,
      'BadRequest',
    );
  const record = newRecord(cloud, caller, input);
  requireQuota(cloud.network, 'floatingip', record.project_id);
  const subnets = subnetsOf(cloud, networkId);
  const requested = stringAt(input, 'floating_ip_address');
  const held =
    requested === undefined
      ? allocate(cloud.network, networkId, subnets)
      : allocateAddress(cloud.network, subnets, requested);
  const floating: FloatingIp = {
    ...record,
    revision_number: 0,
    floating_ip_address: held.ip_address,
    floating_network_id: networkId,
    router_id: null,
    port_id: null,
    fixed_ip_address: null,
    status: 'DOWN',
    isKnownToCompute: false,
    held,
  };
  const portId = stringAt(input, 'port_id');
  try {
    if (portId !== undefined) associate(cloud, caller, floating, portId, stringAt(input, 'fixed_ip_address'));
  } catch (error) {
    release(cloud.network, [held]);
    throw error;
  }
  cloud.network.floatingIps.set(floating.id, floating);
  return floating;
}

/**
 * Associates the floating IP with a fixed address of the port. A router must connect the port
 * to the external network.
 */
function associate(
  cloud: NetworkCloud,
  caller: Caller,
  floating: FloatingIp,
  portId: string,
  fixedAddress: string | undefined,
): void {
  const port = cloud.network.ports.get(portId);
  if (port === undefined || !owns(caller, port.project_id)) throw notFoundErrors.port(portId);
  const fixed =
    fixedAddress === undefined
      ? port.fixed_ips[0]
      : port.fixed_ips.find((candidate) => candidate.ip_address === fixedAddress);
  if (fixed === undefined)
    throw badRequest(
      fixedAddress === undefined
        ? `Bad floatingip request: Cannot add floating IP to port ${portId} that has no fixed IPv4 addresses.`
        : `Bad floatingip request: Port ${portId} does not have fixed ip ${fixedAddress}.`,
      'BadRequest',
    );
  const networkId = floating.floating_network_id;
  for (const other of cloud.network.floatingIpsByPort.get(portId) ?? [])
    if (other !== floating && other.fixed_ip_address === fixed.ip_address)
      throw conflict(
        `Cannot associate floating IP ${floating.floating_ip_address} (${floating.id}) with port ${portId} using fixed IP ${fixed.ip_address}, as that fixed IP already has a floating IP on external network ${networkId}.`,
        'FloatingIPPortAlreadyAssociated',
      );
  const router = routerBetween(cloud, fixed, networkId);
  if (router === undefined)
    throw notFound(
      `External network ${networkId} is not reachable from subnet ${fixed.subnet_id}.  Therefore, cannot associate Port ${portId} with a Floating IP.`,
      'ExternalGatewayForFloatingIPNotFound',
    );
  detach(cloud, floating);
  floating.port_id = portId;
  floating.fixed_ip_address = fixed.ip_address;
  floating.router_id = router.id;
  floating.status = 'ACTIVE';
  const onPort = cloud.network.floatingIpsByPort.get(portId) ?? new Set();
  cloud.network.floatingIpsByPort.set(portId, onPort.add(floating));
  cloud.schedule.after(COMPUTE_UPDATE_DELAY_MS, showToCompute, floating, portId);
}

export function showToCompute(_cloud: NetworkCloud, floating: FloatingIp, portId: string): void {
  floating.isKnownToCompute = floating.port_id === portId;
}

function routerBetween(cloud: NetworkCloud, fixed: FixedIp, externalId: string): Router | undefined {
  for (const router of cloud.network.routers.values()) {
    if (router.external_gateway_info?.network_id !== externalId) continue;
    for (const port of cloud.network.portsByDevice.get(router.id) ?? [])
      if (port.fixed_ips.some(({ subnet_id }) => subnet_id === fixed.subnet_id)) return router;
  }
  return undefined;
}

function detach(cloud: NetworkCloud, floating: FloatingIp): void {
  const onPort = cloud.network.floatingIpsByPort.get(floating.port_id ?? '');
  onPort?.delete(floating);
  if (onPort?.size === 0) cloud.network.floatingIpsByPort.delete(floating.port_id ?? '');
  floating.port_id = null;
  floating.fixed_ip_address = null;
  floating.router_id = null;
  floating.status = 'DOWN';
  floating.isKnownToCompute = false;
}

/** Called when a port is deleted: its floating IPs stay in their project, without a port. */
export function dissociateFrom(cloud: NetworkCloud, portId: string): void {
  for (const floating of [...(cloud.network.floatingIpsByPort.get(portId) ?? [])]) {
    detach(cloud, floating);
    touch(cloud, floating);
  }
}

function ownFloatingIp(cloud: NetworkCloud, caller: Caller, id: string, rule: string): FloatingIp {
  return requireOwned(caller, cloud.network.floatingIps.get(id), false, rule, () =>
    notFoundErrors.floatingip(id),
  );
}

export function updateFloatingIp(
  cloud: NetworkCloud,
  caller: Caller,
  id: string,
  input: JsonObject,
): FloatingIp {
  const floating = ownFloatingIp(cloud, caller, id, 'update_floatingip');
  const portId = stringAt(input, 'port_id');
  if (portId !== undefined) associate(cloud, caller, floating, portId, stringAt(input, 'fixed_ip_address'));
  // An update without a port disassociates the floating IP, unless it changes only the description.
  else if (input.port_id === null || input.description === undefined) detach(cloud, floating);
  floating.description = stringAt(input, 'description') ?? floating.description;
  touch(cloud, floating);
  return floating;
}

export function deleteFloatingIp(cloud: NetworkCloud, caller: Caller, id: string): void {
  const floating = ownFloatingIp(cloud, caller, id, 'delete_floatingip');
  detach(cloud, floating);
  release(cloud.network, [floating.held]);
  cloud.network.floatingIps.delete(id);
}
