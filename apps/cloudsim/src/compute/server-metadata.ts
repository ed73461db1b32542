import { isObject, stringMapAt } from '../common/json.ts';
import { notFound } from '../common/service-error.ts';
import { noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { updateServer } from './power.ts';
import { findServer } from './servers.ts';

function input(call: ComputeCall, key: string): Record<string, string> {
  return stringMapAt(isObject(call.body) ? call.body : {}, key);
}

function get(call: ComputeCall): Reply {
  return ok({ metadata: findServer(call).metadata });
}

function write(replace: boolean): (call: ComputeCall) => Reply {
  return (call) => {
    const server = findServer(call);
    const metadata = { ...(replace ? {} : server.metadata), ...input(call, 'metadata') };
    updateServer(call.cloud, server, { metadata });
    return ok({ metadata });
  };
}

function setItem(call: ComputeCall): Reply {
  const server = findServer(call);
  const meta = input(call, 'meta');
  updateServer(call.cloud, server, { metadata: { ...server.metadata, ...meta } });
  return ok({ meta });
}

function item(call: ComputeCall): { server: ReturnType<typeof findServer>; key: string; value: string } {
  const server = findServer(call);
  const key = call.params.key ?? '';
  const value = server.metadata[key];
  if (value === undefined) throw notFound('Metadata item was not found');
  return { server, key, value };
}

function getItem(call: ComputeCall): Reply {
  const { key, value } = item(call);
  return ok({ meta: { [key]: value } });
}

function deleteItem(call: ComputeCall): Reply {
  const { server, key } = item(call);
  const { [key]: _gone, ...metadata } = server.metadata;
  updateServer(call.cloud, server, { metadata });
  return noContent();
}

export const metadataOperations: Operation<ComputeCloud>[] = [
  operation('server_metadata.list', 'GET /servers/:id/metadata', get),
  operation('server_metadata.replace', 'PUT /servers/:id/metadata', write(true)),
  operation('server_metadata.update', 'POST /servers/:id/metadata', write(false)),
  operation('server_metadata.get', 'GET /servers/:id/metadata/:key', getItem),
  operation('server_metadata.set', 'PUT /servers/:id/metadata/:key', setItem),
  operation('server_metadata.delete', 'DELETE /servers/:id/metadata/:key', deleteItem),
];
