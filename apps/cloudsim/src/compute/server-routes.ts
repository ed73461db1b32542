import { envelope, isObject, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { selfAndBookmark } from '../http/links.ts';
import { isTrue } from '../http/listing.ts';
import {
  accepted,
  namedByAction,
  noContent,
  type Operation,
  ok,
  operation,
  type Reply,
} from '../http/operation.ts';
import { nextQuery, pageOf } from '../http/page.ts';
import { denied } from '../http/policy.ts';
import { runServerAction } from './actions.ts';
import { deleteServer } from './build.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { createConsole } from './console.ts';
import { createServers } from './create-server.ts';
import { requireUnlocked } from './lock.ts';
import { updateServer } from './power.ts';
import { addresses, presentBrief, presentListed, presentServer } from './present-server.ts';
import { limitIn, malformed } from './requests.ts';
import { filterServers, findServer } from './servers.ts';
import type { Server } from './state.ts';

/** The project to list; null for all projects, which only an administrator can request. */
function requestedProject(call: ComputeCall, rule: string): string | null {
  const { query, caller } = call;
  const everywhere =
    query.has('all_tenants') && (query.get('all_tenants') === '' || isTrue(query.get('all_tenants')));
  if (!everywhere) return caller.projectId;
  if (!caller.isAdmin) throw denied(`os_compute_api:servers:${rule}:get_all_tenants`);
  return query.get('project_id') ?? query.get('tenant_id');
}

function list(
  rule: string,
  present: (call: ComputeCall, server: Server) => object,
): (call: ComputeCall) => Reply {
  return (call) => {
    const { query } = call;
    const servers = filterServers(call.cloud, query, requestedProject(call, rule));
    const limit = limitIn(query);
    const { items, more } = pageOf(
      servers,
      (server) => server.id,
      query.get('marker'),
      limit,
      (marker) => badRequest(`marker [${marker}] not found`),
    );
    const body: Record<string, unknown> = { servers: items.map((server) => present(call, server)) };
    if (more || (query.has('limit') && items.length === limit)) {
      const path = call.url.split('?')[0];
      const next = nextQuery(query, items.at(-1)?.id ?? '');
      body.servers_links = [{ rel: 'next', href: `${call.base}${path}?${next}` }];
    }
    return ok(body);
  };
}

function create(call: ComputeCall): Reply {
  const hints = isObject(call.body) ? call.body['os:scheduler_hints'] : undefined;
  const asked = envelope(call.body, 'server', malformed);
  const input = hints === undefined ? asked : { ...asked, 'os:scheduler_hints': hints };
  const { server, adminPass } = createServers(call.cloud, call.caller, input, call.minor);
  const links = selfAndBookmark(call.base, `servers/${server.id}`);
  const body = {
    server: {
      id: server.id,
      links,
      'OS-DCF:diskConfig': 'MANUAL',
      security_groups: server.securityGroups.map((name) => ({ name })),
      adminPass,
    },
  };
  return accepted(body, { Location: `${call.base}/servers/${server.id}` });
}

function update(call: ComputeCall): Reply {
  const server = findServer(call);
  const input = envelope(call.body, 'server', malformed);
  updateServer(call.cloud, server, {
    name: stringAt(input, 'name') ?? server.name,
    description: stringAt(input, 'description') ?? server.description,
  });
  return ok({ server: presentServer(call, server) });
}

function remove(call: ComputeCall): Reply {
  const server = findServer(call);
  requireUnlocked(call, server);
  deleteServer(call.cloud, server);
  return noContent();
}

export const serverOperations: Operation<ComputeCloud>[] = [
  operation('servers.list_detail', 'GET /servers/detail', list('detail', presentListed)),
  operation('servers.list', 'GET /servers', list('index', presentBrief)),
  operation('servers.create', 'POST /servers', create),
  operation('servers.get', 'GET /servers/:id', (call) =>
    ok({ server: presentServer(call, findServer(call)) }),
  ),
  operation('servers.update', 'PUT /servers/:id', update),
  operation('servers.delete', 'DELETE /servers/:id', remove),
  operation('servers.action', 'POST /servers/:id/action', runServerAction, {
    nameFor: namedByAction('servers'),
  }),
  operation('servers.create_console', 'POST /servers/:id/remote-consoles', createConsole),
  operation('servers.list_addresses', 'GET /servers/:id/ips', (call) =>
    ok({ addresses: addresses(call.cloud, findServer(call)) }),
  ),
];
