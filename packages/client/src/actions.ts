import type { actions } from './generated/actions.ts';
import type { Operations, Streams } from './generated/operations.ts';
import type { JobEvents } from './job-events.ts';
import type {
  AnyRequest,
  Endpoint,
  RequestOptions,
  ResponseBody,
  StreamEndpoint,
  StreamMessage,
} from './request-types.ts';

type Actions = typeof actions;

/** A resource whose rows have `allowed_actions`, such as `instance`. */
export type ActionResource = keyof Actions;

/** A value of `allowed_actions` of the resource, such as `start`. */
export type ActionName<Of extends ActionResource> = keyof Actions[Of] & string;

/** The request of an action, as the OpenAPI document has it in `x-actions`. */
export interface Action {
  endpoint: string;
  /** The field that takes the id of the row, such as `path.volume_id`. */
  id: string;
  /** The fields of the body that make the request this action. */
  fixed: Readonly<Record<string, string>>;
  /** Whether the response has the events of a job. */
  isStream: boolean;
}

type EndpointOf<Declared> = Declared extends { endpoint: infer Name } ? Name : never;

/** The names of the fields that the action itself gives. */
type Given<Declared> = Declared extends { id: `${string}.${infer Id}`; fixed: infer Fixed }
  ? Id | keyof Fixed
  : never;

type InputOf<Name> = Name extends Endpoint
  ? Operations[Name][0]
  : Name extends StreamEndpoint
    ? Streams[Name][0]
    : never;

type Without<Part, Names> = Part extends unknown ? Omit<Part, Names & PropertyKey> : never;

type IsNever<Type> = [Type] extends [never] ? true : false;

/** What is left of the parts of a request. A part of which nothing is left is omitted. */
type Parts<Sent, Names> = {
  [Key in keyof Sent & ('path' | 'query' | 'body') as IsNever<NonNullable<Sent[Key]>> extends true
    ? never
    : IsNever<keyof Without<NonNullable<Sent[Key]>, Names>> extends true
      ? never
      : Key]-?: Without<NonNullable<Sent[Key]>, Names>;
};

/** Parts in which nothing is required may be omitted. */
type Omittable<Sent> = {
  [Key in keyof Sent as Record<never, never> extends Sent[Key] ? never : Key]: Sent[Key];
} & { [Key in keyof Sent as Record<never, never> extends Sent[Key] ? Key : never]?: Sent[Key] };

/** What the action asks for besides the row: `path`, `query` and `body`, as its endpoint does. */
export type ActionInput<Of extends ActionResource, Name extends ActionName<Of>> = Omittable<
  Parts<InputOf<EndpointOf<Actions[Of][Name]>>, Given<Actions[Of][Name]>>
> &
  RequestOptions;

/** The input may be omitted if the action requires nothing. */
export type ActionArguments<Of extends ActionResource, Name extends ActionName<Of>> =
  Record<never, never> extends ActionInput<Of, Name>
    ? [input?: ActionInput<Of, Name>]
    : [input: ActionInput<Of, Name>];

type ResultOf<Name> = Name extends Endpoint
  ? ResponseBody<Name>
  : Name extends StreamEndpoint
    ? JobEvents<StreamMessage<Name>>
    : never;

/** The body of the response, or the events of the job that the action starts. */
export type ActionResult<Of extends ActionResource, Name extends ActionName<Of>> = ResultOf<
  EndpointOf<Actions[Of][Name]>
>;

/** A row, as far as actions need it. */
export interface ActionRow<Name extends string> {
  id: string;
  allowed_actions: readonly Name[];
}

/** The parts of the request of an action on a row. */
export function partsOf({ fixed, id }: Action, rowId: string, { body, path, query = {} }: AnyRequest) {
  const [part, name = ''] = id.split('.');
  const own = { [name]: rowId };
  const fields = { ...(body as object | undefined), ...fixed, ...(part === 'body' && own) };
  return {
    path: { ...path, ...(part === 'path' && own) },
    query,
    ...(Object.keys(fields).length > 0 && { body: fields }),
  };
}
