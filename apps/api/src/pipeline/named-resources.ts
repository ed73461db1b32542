import type { NamedResource } from '@gateway/activity';
import { type ResourceName, resourcesOfParam } from '@gateway/core';
import { traitsOf } from '@gateway/jobs';
import { bodyOf, Reply } from '../http/response/results.ts';
import { JobStream } from '../http/streams/event-streams.ts';
import type { AnyEndpoint, EndpointInput } from './endpoint.ts';
import { effectsOf, idOf } from './writes.ts';

const CREATED = 201;

type NamingEndpoint = Pick<AnyEndpoint, 'startsJob' | 'status' | 'writes'>;

/** What the path of a request names, for the records of writes. */
export function namedInPath(endpoint: Omit<NamingEndpoint, 'status'>, params: unknown): NamedResource[] {
  return Object.entries(params ?? {}).map(([param, id]) => ({
    resource: resourceOfParam(endpoint, param),
    id: String(id),
    name: null,
  }));
}

/** What a write names: in its path, and what it has created or changed. */
export function namedBy(
  endpoint: NamingEndpoint,
  params: unknown,
  input: EndpointInput,
  result: unknown,
): NamedResource[] {
  const named = new Map(namedInPath(endpoint, params).map((resource) => [resource.id, resource]));
  const add = (resource: ResourceName | null, id: string | null) => {
    if (id !== null && !named.has(id)) named.set(id, { resource, id, name: null });
  };
  if (result instanceof JobStream) {
    add(null, result.resourceId);
    return [...named.values()];
  }
  const body = bodyOf(result) as Record<string, unknown> | null | undefined;
  for (const effect of effectsOf(endpoint)) {
    add(effect.resource, idOf(effect, params, input, body));
    if (effect.part !== undefined) add(null, effect.part(body, input));
  }
  const { id, name } = body ?? {};
  const status = result instanceof Reply ? result.status : (endpoint.status ?? 200);
  // A part of a resource, such as a rule of a security group.
  if (status === CREATED && typeof id === 'string') add(null, id);
  const shown = typeof id === 'string' ? named.get(id) : undefined;
  if (shown !== undefined && typeof name === 'string') shown.name = name;
  return [...named.values()];
}

/** The resource whose id the parameter is. Two kinds of clusters have the same: the one that is written. */
function resourceOfParam(endpoint: Omit<NamingEndpoint, 'status'>, param: string): ResourceName | null {
  const possible = resourcesOfParam(param);
  const { startsJob } = endpoint;
  const ofJob = startsJob === undefined ? null : traitsOf(startsJob).resourceType;
  const written = [...effectsOf(endpoint).map(({ resource }) => resource), ofJob];
  return possible.find((name) => written.includes(name)) ?? possible[0] ?? null;
}
