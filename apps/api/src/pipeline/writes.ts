import { type Effect, updated, type WrittenResource } from '@gateway/activity';
import { idParamOf, type ResourceName } from '@gateway/core';
import { bodyOf } from '../http/response/results.ts';

/** What a write does to a resource, and which one. */
interface EndpointEffect<Result = unknown, Input = unknown> extends Omit<Effect, 'as'> {
  /** `named`: the write is about the resource, and does not change it. */
  as: Effect['as'] | 'named';
  /** Its id, if neither the path nor the `id` of what was created is its id. Called after a success. */
  id?: (result: Result, input: Input) => string | null;
  /** What the records name besides it: a part of it that was written. */
  part?: (result: Result, input: Input) => string;
}

/**
 * What a write does: to one or several resources, or to none of the interface. `session`: it is a log-in, a
 * log-out, a switch of the project or a new password. `unseen`: it changes nothing that members see, such as
 * a ticket, and is not in their history. `nothing`: it only reads, and leaves no line in the audit log.
 */
export type Writes<Result = unknown, Input = unknown> =
  | EndpointEffect<Result, Input>
  | readonly EndpointEffect<Result, Input>[]
  | 'session'
  | 'unseen'
  | 'nothing';

// biome-ignore lint/suspicious/noExplicitAny: its functions are checked where it is declared.
type AnyEffect = EndpointEffect<any, any>;

interface Declaration {
  // biome-ignore lint/suspicious/noExplicitAny: its functions are checked where it is declared.
  writes?: Writes<any, any>;
}

/** The body of the response, if it has one. */
type Body = Readonly<Record<string, unknown>> | null | undefined;

export function isWrite({ method, writes }: Declaration & { method: string }): boolean {
  return method !== 'GET' && writes !== 'nothing';
}

/** Whether the gateway refuses the write while it is read-only: not of sessions, machines and operators. */
export function isRefusedWhileReadOnly(
  endpoint: Declaration & { access: string; method: string; worksWhileReadOnly?: boolean },
): boolean {
  const { access, worksWhileReadOnly = false, writes } = endpoint;
  if (worksWhileReadOnly || access === 'public' || writes === 'session' || writes === 'unseen') return false;
  return isWrite(endpoint);
}

export function effectsOf({ writes = [] }: Declaration): readonly AnyEffect[] {
  return typeof writes === 'string' ? [] : [writes].flat();
}

/** The resources whose lists a write changes. */
export function changedBy(endpoint: Declaration): ResourceName[] {
  const effects = effectsOf(endpoint).filter(({ as }) => as !== 'named');
  return effects.flatMap(({ resource, touches = [] }) => [resource, ...touches]);
}

/** What a write has done, by its response. */
export function writtenBy(
  endpoint: Declaration & { access: string },
  params: unknown,
  input: unknown,
  result: unknown,
): WrittenResource[] {
  const body = bodyOf(result) as Body;
  const { status } = body ?? {};
  return effectsOf(endpoint).flatMap((effect): WrittenResource[] => {
    const { as, resource, touches = [] } = effect;
    if (as === 'named') return [];
    const written = updated(resource, idOf(effect, params, input, body));
    // What an administrator writes may belong to any project.
    if (endpoint.access !== 'admin') written.as = as;
    if (as === 'created' && typeof status === 'string') written.state = status;
    return [written, ...touchedIn(touches, params)];
  });
}

/** What may have changed, as far as the path names it. */
export function touchedIn(touched: readonly ResourceName[], params: unknown): WrittenResource[] {
  return touched.map((resource) => updated(resource, idInPath(resource, params)));
}

/** The id of the resource of an effect, if the request has succeeded. */
export function idOf(
  { as, id, resource }: AnyEffect,
  params: unknown,
  input: unknown,
  body: Body,
): string | null {
  if (id !== undefined) return id(body, input);
  const created = as === 'created' && typeof body?.id === 'string' ? body.id : null;
  return idInPath(resource, params) ?? created;
}

function idInPath(resource: ResourceName, params: unknown): string | null {
  const idParam = idParamOf(resource);
  const id = idParam === undefined ? undefined : (params as Record<string, unknown> | undefined)?.[idParam];
  return id === undefined ? null : String(id);
}
