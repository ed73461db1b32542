import { newUuid } from '../common/ids.ts';
import { envelope, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict, forbidden, notFound } from '../common/service-error.ts';
import { exactMicroseconds } from '../common/timestamps.ts';
import { list } from '../http/listing.ts';
import { accepted, actionIn, namedByAction, ok, operation, type Reply } from '../http/operation.ts';
import { denied, owns } from '../http/policy.ts';
import type { SharedFileSystemCall } from './cloud.ts';
import { NOT_THERE, unprocessable } from './refusals.ts';
import { networkOf, presentNetwork } from './share-networks.ts';
import type { SecurityService, SharedFileSystemState, ShareNetwork } from './state.ts';

const TYPES = ['active_directory', 'ldap', 'kerberos'];

function listServices(call: SharedFileSystemCall): Reply {
  return list(call, {
    plural: 'security_services',
    records: call.cloud.sharedFileSystem.securityServices.values(),
    present: (service) => ({ ...present(service), share_networks: service.shareNetworkIds }),
    unknownMarker: (id) => badRequest(`Security service ${id} could not be found.`),
  });
}

function get(call: SharedFileSystemCall): Reply {
  return ok({ security_service: present(serviceOf(call, 'show')) });
}

function create(call: SharedFileSystemCall): Reply {
  const { caller, cloud } = call;
  const input = envelope(call.body, 'security_service', unprocessable);
  const type = stringAt(input, 'type') ?? 'None';
  if (!TYPES.includes(type)) {
    const known = TYPES.join(',');
    throw badRequest(
      `Invalid input received: Invalid type ${type} specified for security service. Valid types are ${known}.`,
    );
  }
  const service: SecurityService = {
    id: newUuid(),
    projectId: caller.projectId,
    name: stringAt(input, 'name') ?? null,
    status: 'new',
    metadata: {},
    type,
    given: input,
    shareNetworkIds: [],
    createdMs: cloud.clock.now(),
  };
  cloud.sharedFileSystem.securityServices.set(service.id, service);
  return ok({ security_service: present(service) });
}

function remove(call: SharedFileSystemCall): Reply {
  const service = serviceOf(call, 'delete');
  if (service.shareNetworkIds.length > 0)
    throw forbidden('Cannot delete security service. It is assigned to share network(s)');
  call.cloud.sharedFileSystem.securityServices.delete(service.id);
  return accepted();
}

function act(call: SharedFileSystemCall): Reply {
  const network = networkOf(call);
  const [action, argument] = actionIn(call.body);
  const id = stringAt(argument as JsonObject, 'security_service_id') ?? '';
  const state = call.cloud.sharedFileSystem;
  const service = state.securityServices.get(id);
  if (service === undefined) throw notFound(`Security service ${id} could not be found.`);
  if (action === 'add_security_service') add(state, network, service);
  else if (action === 'remove_security_service') take(network, service);
  else throw badRequest(`There is no such action: ${action}`);
  return ok({ share_network: presentNetwork(network) });
}

function add(state: SharedFileSystemState, network: ShareNetwork, service: SecurityService): void {
  const present = [...state.securityServices.values()].filter(({ shareNetworkIds }) =>
    shareNetworkIds.includes(network.id),
  );
  if (present.some(({ type }) => type === service.type))
    throw conflict(
      `Cannot add security service to share network. Security service with '${service.type}' type already added to '${network.id}' share network`,
    );
  service.shareNetworkIds.push(network.id);
}

function take(network: ShareNetwork, service: SecurityService): void {
  const at = service.shareNetworkIds.indexOf(network.id);
  if (at === -1)
    throw badRequest(
      `Failed to dissociate share network ${network.id} and security service ${service.id}: No association defined.`,
    );
  service.shareNetworkIds.splice(at, 1);
}

function serviceOf(
  { caller, cloud, params }: SharedFileSystemCall,
  action: 'delete' | 'show',
): SecurityService {
  const service = cloud.sharedFileSystem.securityServices.get(params.id ?? '');
  if (service === undefined) throw notFound(NOT_THERE);
  if (!owns(caller, service.projectId)) throw denied(`security_service:${action}`);
  return service;
}

/** With the password, as the real service. */
function present({ createdMs, given, id, name, projectId, status, type }: SecurityService): object {
  const fields = ['description', 'dns_ip', 'server', 'domain', 'user', 'password', 'ou'];
  return {
    id,
    name,
    type,
    status,
    created_at: exactMicroseconds(createdMs),
    updated_at: null,
    project_id: projectId,
    ...Object.fromEntries(fields.map((field) => [field, stringAt(given, field) ?? null])),
  };
}

export const securityServiceOperations = [
  operation('security_services.list_detail', 'GET /security-services/detail', listServices),
  operation('security_services.get', 'GET /security-services/:id', get),
  operation('security_services.create', 'POST /security-services', create),
  operation('security_services.delete', 'DELETE /security-services/:id', remove),
  operation('share_networks.action', 'POST /share-networks/:id/action', act, {
    nameFor: namedByAction('share_networks'),
  }),
];
