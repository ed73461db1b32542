import {
  type Action,
  type ActionArguments,
  type ActionName,
  type ActionResource,
  type ActionResult,
  type ActionRow,
  partsOf,
} from './actions.ts';
import { MAX_TIMER_MS } from './event-stream.ts';
import { GatewayError, isPage } from './gateway-error.ts';
import type {
  CreateInstance,
  CreateLiteCluster,
  InstanceMessage,
  LiteClusterMessage,
  TokenResponse,
} from './generated/types.gen.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { type Connect, type JobEvents, type JobMessage, jobEvents } from './job-events.ts';
import { type FollowOptions, inform } from './reconnection.ts';
import { requestPath } from './request-path.ts';
import type {
  AnyRequest,
  Endpoint,
  RequestArguments,
  RequestInput,
  RequestOptions,
  ResponseBody,
  StreamEndpoint,
  StreamInput,
  StreamMessage,
} from './request-types.ts';
import { readResponseBody } from './response-body.ts';
import { IDLE_TIMEOUT_MS } from './resumed-events.ts';
import { SharedChanges } from './shared-changes.ts';
import { beginSignOn, leaveFor, takeReturnedSignOn } from './sign-on.ts';
import type { ProjectChanges, WatchOptions } from './watch.ts';
import { listTypes, ownerIn, type WatchableList, type WatchedList, watchedList } from './watch-list.ts';

export interface Credentials {
  /** '' if the token is in a cookie that the page cannot read. */
  token: string;
  projectId: string;
}

/**
 * Both steps of a log-in: a user name and password, then a receipt and passcode where these are required. Or
 * the application credential of a program.
 */
export type LogIn = RequestInput<'POST /api/auth/login'>['body'] &
  (
    | { username: string; password: string }
    | { receipt: string; passcode: string }
    | { application_credential: { id: string; secret: string } }
  );

export type SignOnOptions = Pick<RequestInput<'POST /api/auth/exchange'>['body'], 'use_cookie'>;

export interface GatewayClientOptions {
  /** The address of the gateway, such as `https://gateway.example.org`; '' for the origin of the page. */
  url: string;
  /** The credentials of an existing session; otherwise use `logIn`. */
  credentials?: Credentials | null;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /**
   * Called once when the session of `credentials` has ended, with the error that a request or a stream
   * throws: lead the user to the log-in.
   */
  onSessionEnd?: (error: GatewayError) => void;
  /**
   * How long `watch()` and `watchList()` stay connected while nobody can see the page; five minutes by
   * default, infinity for always. They catch up when the page is shown again.
   */
  hiddenTimeoutMs?: number;
}

/** Options of a creation and of following its events. */
export interface StartOptions extends FollowOptions, Pick<RequestOptions, 'idempotencyKey' | 'headers'> {
  /** Called with the id of the job when the gateway has accepted the request, before the first event. */
  onJob?: (jobId: string) => void;
  /** Called then with the id of what the job creates or changes, if it is known before the first event. */
  onResource?: (resourceId: string) => void;
}

export interface FollowJobOptions extends FollowOptions {
  /** Fetches a new ticket for each connection. The connection then needs no credentials and no headers. */
  ticket?: () => Promise<string>;
}

/** Options of a list that is watched. */
export type WatchListOptions = Omit<WatchOptions, 'types' | 'lastEventId'>;

/** Shows that a script of the own origin has sent the request, and not a form of another page. */
const CSRF = { 'X-Gateway-CSRF': '1' };

/** The parts of a request that starts a job. */
export type StartedRequest = Pick<AnyRequest, 'body' | 'path'>;

/** A client of the gateway, for browsers and Node.js. */
export class GatewayClient {
  /**
   * The credentials of all further requests, including those that resume streams. Streams stay in the project
   * in which they have begun.
   */
  credentials: Credentials | null;
  readonly #url: string;
  readonly #options: GatewayClientOptions;
  /** By project and time limits. */
  readonly #changes = new Map<string, SharedChanges>();
  /** Those of the last session that has ended. */
  #endedCredentials: Credentials | null = null;

  constructor(options: GatewayClientOptions) {
    const { url, credentials = null } = options;
    this.#url = url === '' ? '' : new URL(url).href.replace(/\/$/, '');
    this.credentials = credentials;
    this.#options = options;
  }

  /**
   * Logs in, and uses the token and its project for further requests.
   * @throws GatewayError with the code `totp_required` and a `receipt` if the user needs a passcode as well:
   * then pass both
   */
  async logIn(body: LogIn): Promise<TokenResponse> {
    return this.#begin('POST /api/auth/login', body);
  }

  /**
   * Leaves the page for the log-in of a provider of `GET /api/auth/providers`. The browser returns to the
   * page that the gateway's configuration names for this origin. Browsers allow this on pages with TLS, and
   * on those of the same machine.
   */
  async beginSignOn(provider: string): Promise<void> {
    const query = await beginSignOn();
    leaveFor(this.#url + requestPath('/api/auth/sso/{provider}', { provider }, query));
  }

  /**
   * Completes the single sign-on from which the browser has returned, and uses its token and project for
   * further requests. Null if the browser has not returned from one. Pass `use_cookie` as in a log-in.
   * @throws GatewayError with the code `invalid_sign_on` if it took too long
   */
  async completeSignOn(options: SignOnOptions = {}): Promise<TokenResponse | null> {
    const returned = takeReturnedSignOn();
    if (returned === null) return null;
    return this.#begin('POST /api/auth/exchange', { ...options, ...returned });
  }

  /** Switches to another project of `GET /api/auth/projects`, for all further requests. */
  async switchProject(projectId: string): Promise<TokenResponse> {
    const body = { project_id: projectId };
    return this.#use(await this.request('POST /api/auth/token', { body }));
  }

  /**
   * Sends one request, and returns the body of the response.
   * @throws GatewayError for an error response; the error of `fetch` if there is no response
   */
  async request<Name extends Endpoint>(
    endpoint: Name,
    ...[input]: RequestArguments<Name>
  ): Promise<ResponseBody<Name>> {
    const response = await this.#send(endpoint, input as AnyRequest | undefined);
    return (await readResponseBody(response)) as ResponseBody<Name>;
  }

  /**
   * Sends a request whose endpoint is known only at run time, such as `GET /api/images`, and returns the
   * response, for programs that read its headers or pass its body on.
   * @throws GatewayError for an error response; the error of `fetch` if there is no response
   */
  send(endpoint: string, input: AnyRequest = {}): Promise<Response> {
    return this.#send(endpoint, input);
  }

  /**
   * Sends a request that starts a job, such as `POST /api/volumes/async`, and follows the job. If the
   * response is lost, the request is repeated, which starts no second job.
   */
  start<Name extends StreamEndpoint>(
    endpoint: Name,
    input: StreamInput<Name> & StartOptions & StartedRequest,
  ): JobEvents<StreamMessage<Name>> {
    const { body, path, ...options }: StartOptions & StartedRequest = input;
    return this.startJob<StreamMessage<Name>>(endpoint, { body, ...(path && { path }) }, options);
  }

  /**
   * Does what a row names in `allowed_actions`, as in
   * `act('volume', volume, 'extend', { body: { new_size: 20 } })`. Resolves to the body of the response, or
   * to the events of the job if the endpoint streams them.
   */
  async act<Of extends ActionResource, Name extends ActionName<Of>>(
    resource: Of,
    row: ActionRow<ActionName<Of>>,
    name: Name,
    ...[input]: ActionArguments<Of, Name>
  ): Promise<ActionResult<Of, Name>> {
    const { actions } = await import('./generated/actions.ts');
    const action = actions[resource][name] as Action;
    const sent = (input ?? {}) as AnyRequest;
    const parts = partsOf(action, row.id, sent);
    if (action.isStream) return this.startJob(action.endpoint, parts, sent) as ActionResult<Of, Name>;
    const response = await this.#send(action.endpoint, { ...sent, ...parts });
    return (await readResponseBody(response)) as ActionResult<Of, Name>;
  }

  /** Creates an instance, and follows its creation. */
  createInstance(body: CreateInstance, options: StartOptions = {}): JobEvents<InstanceMessage> {
    return this.startJob('POST /api/instances/async', { body }, options);
  }

  /** Creates a Kubernetes cluster, and follows its creation. */
  createLiteCluster(body: CreateLiteCluster, options: StartOptions = {}): JobEvents<LiteClusterMessage> {
    return this.startJob('POST /api/lite/clusters/async', { body }, options);
  }

  /** Follows a job from its first event, or from the event after `lastEventId`. */
  followJob<Message extends JobMessage = JobMessage>(
    jobId: string,
    options: FollowJobOptions = {},
  ): JobEvents<Message> {
    return jobEvents(this.#connectTo(jobId, options), options);
  }

  /**
   * What changes in the project, also after a switch to another one. Read your lists after the first
   * event, which is a `Reset`. All that begin without `lastEventId` and `ticket` share a connection.
   */
  watch(options: WatchOptions = {}): ProjectChanges {
    return this.#changesFor(options).watch(options);
  }

  /**
   * A list, and the list again after each change of its rows. It is read with one request for changes that
   * come together.
   */
  async *watchList<Name extends WatchableList>(
    endpoint: Name,
    ...given: [...input: RequestArguments<Name>, options?: WatchListOptions]
  ): AsyncGenerator<WatchedList<Name>, void, void> {
    const [sent = {}, options = {}] = given as unknown as [AnyRequest?, WatchListOptions?];
    const { idleTimeoutMs = IDLE_TIMEOUT_MS, maxDelayMs } = options;
    const leaving = new AbortController();
    const signals = [sent.signal, options.signal].filter((signal) => signal !== undefined);
    const signal = AbortSignal.any([leaving.signal, ...signals]);
    const projectId = this.credentials?.projectId;
    const read = async () => {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.min(idleTimeoutMs, MAX_TIMER_MS))]);
      const input = { ...sent, signal: inTime };
      const response = await this.#send(endpoint, input, this.credentials, projectId);
      return (await readResponseBody(response)) as ResponseBody<Name>;
    };
    try {
      const events = this.watch({ ...options, types: [listTypes[endpoint]], signal });
      yield* watchedList<Name>({ events, read, of: ownerIn(endpoint, sent.path), signal, maxDelayMs });
    } finally {
      leaving.abort();
    }
  }

  /** The same as `start`, for programs that know the endpoint only at run time. */
  startJob<Message extends JobMessage = JobMessage>(
    endpoint: string,
    sent: StartedRequest,
    options: StartOptions = {},
  ): JobEvents<Message> {
    const { headers, idempotencyKey = newIdempotencyKey(), onJob, onResource } = options;
    const projectId = this.credentials?.projectId;
    let follow: Connect | undefined;
    const connect: Connect = async (lastEventId, signal) => {
      if (follow !== undefined) return follow(lastEventId, signal);
      const input = { ...sent, idempotencyKey, signal, ...(headers && { headers }) };
      // In another project, the same key would start a second job.
      const response = await this.#send(endpoint, input, this.credentials, projectId);
      const jobId = response.headers.get('x-job-id');
      if (jobId === null)
        throw new Error('The gateway does not allow pages of this origin to read X-Job-Id.');
      follow = this.#connectTo(jobId, options, projectId);
      const resourceId = response.headers.get('x-resource-id');
      inform(() => {
        onJob?.(jobId);
        if (resourceId !== null) onResource?.(resourceId);
      });
      return response;
    };
    return jobEvents(connect, { ...options, lastEventId: 0 });
  }

  async #begin(endpoint: string, body: object): Promise<TokenResponse> {
    const response = await this.#send(endpoint, { body }, null);
    return this.#use((await readResponseBody(response)) as TokenResponse);
  }

  #use(session: TokenResponse): TokenResponse {
    this.credentials = { token: session.token, projectId: session.project_id };
    return session;
  }

  /** Those who watch the project with the same time limits share a connection. */
  #changesFor({
    giveUpAfterMs,
    idleTimeoutMs,
    lastEventId,
    maxDelayMs,
    ticket,
  }: WatchOptions): SharedChanges {
    const { hiddenTimeoutMs } = this.#options;
    const options = { giveUpAfterMs, hiddenTimeoutMs, idleTimeoutMs, lastEventId, maxDelayMs };
    const isAlone = lastEventId !== undefined || ticket !== undefined;
    const projectId = this.credentials?.projectId;
    const key = [projectId, giveUpAfterMs, idleTimeoutMs, maxDelayMs].join();
    const shared = isAlone ? undefined : this.#changes.get(key);
    if (shared !== undefined) return shared;
    const changes = new SharedChanges((types, position, signal) => {
      const query = { types: types?.join(',') };
      return this.#follow('GET /api/events', { query, signal }, position, { ticket, projectId });
    }, options);
    if (!isAlone) this.#changes.set(key, changes);
    return changes;
  }

  #connectTo(jobId: string, { ticket }: FollowJobOptions, projectId = this.credentials?.projectId): Connect {
    const path = { job_id: jobId };
    return (lastEventId, signal) => {
      const position = lastEventId === 0 ? '' : String(lastEventId);
      return this.#follow('GET /api/jobs/{job_id}/events', { path, signal }, position, { ticket, projectId });
    };
  }

  /** Requests a stream after an event, '' for the first one. */
  async #follow(
    endpoint: string,
    sent: AnyRequest,
    lastEventId: string,
    { ticket, projectId }: { ticket: FollowJobOptions['ticket']; projectId: string | undefined },
  ): Promise<Response> {
    if (ticket === undefined) {
      const resuming = lastEventId !== '' && { headers: { 'Last-Event-ID': lastEventId } };
      return this.#send(endpoint, { ...sent, ...resuming }, this.credentials, projectId);
    }
    const resuming = { ticket: await ticket(), ...(lastEventId !== '' && { last_event_id: lastEventId }) };
    return this.#send(endpoint, { ...sent, query: { ...sent.query, ...resuming } }, null);
  }

  /** `projectId` is the project in which something has begun, if that may be another one by now. */
  async #send(
    endpoint: string,
    sent: AnyRequest = {},
    credentials = this.credentials,
    projectId?: string,
  ): Promise<Response> {
    const [, method = '', path = ''] = /^(\S+) (.*)$/s.exec(endpoint) ?? [];
    const { body, headers, idempotencyKey, signal = null } = sent;
    const send = this.#options.fetch ?? globalThis.fetch;
    const response = await send(this.#url + requestPath(path, sent.path, sent.query), {
      method,
      signal,
      // Any other address would get the token, or the password of a log-in.
      redirect: 'manual',
      headers: {
        ...(credentials && headersOf(credentials, projectId)),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok && !isPage(response)) return response;
    const error = await GatewayError.of(response);
    if (credentials !== null && credentials === this.credentials && hasEnded(error)) this.#endSession(error);
    throw error;
  }

  #endSession(error: GatewayError): void {
    if (this.#endedCredentials === this.credentials) return;
    this.#endedCredentials = this.credentials;
    this.#options.onSessionEnd?.(error);
  }
}

/** Whether the error says that the session has ended: the user has to log in again. */
function hasEnded({ code }: GatewayError): boolean {
  return code === 'session_expired' || code === 'unauthorized';
}

function headersOf({ projectId, token }: Credentials, inProject = projectId): Record<string, string> {
  return { ...(token === '' ? CSRF : { 'X-Auth-Token': token }), 'X-Project-Id': inProject };
}
