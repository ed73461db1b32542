import { GatewayError } from '@gateway/core';
import {
  type ChangeEntry,
  type ChangeLog,
  LogLostError,
  type ProgressRelay,
  projectLog,
} from '@gateway/jobs';
import { UpstreamError } from '@gateway/openstack';
import type { Request } from 'express';
import type { Credentials } from '../../auth/authenticator.ts';
import type { Caller } from '../../auth/caller.ts';
import type { GatewayResponse } from '../response/gateway-response.ts';
import type { EventStream } from './event-stream.ts';
import type { Listener, Listeners } from './listeners.ts';

interface ProjectStreamOptions {
  relay: Pick<ProgressRelay, 'follow'>;
  changes: Pick<ChangeLog, 'listen'>;
  listeners: Listeners;
  request: Request;
  caller: Caller;
  credentials: Credentials;
  types: ReadonlySet<string>;
  /** Where the stream begins. */
  position: string;
  /** Whether the client has missed events, so that it has to read its lists again. */
  hasMissedEvents: boolean;
  /** Checks the caller's credentials again. */
  authenticate(): Promise<Caller>;
}

/** The text of an event, which many streams send. */
const texts = new WeakMap<ChangeEntry, string>();

/**
 * The result of a handler that streams what changes in a project to the caller. The stream ends with the
 * caller's session: their credentials are checked before each heartbeat.
 */
export class ProjectStream implements Listener {
  readonly request: Request;
  readonly credentials: Credentials;
  readonly types: ReadonlySet<string>;
  readonly refusedTypes = new Set<string>();
  readonly #options: ProjectStreamOptions;
  #caller: Caller;
  /** The last event of the project's log, which the client may not have got. */
  #position: string;
  #sentPosition = '';

  constructor(options: ProjectStreamOptions) {
    this.#options = options;
    this.request = options.request;
    this.credentials = options.credentials;
    this.types = options.types;
    this.#caller = options.caller;
    this.#position = options.position;
  }

  get caller(): Caller {
    return this.#caller;
  }

  /** Sends the events of the project until the response is closed. */
  start(stream: EventStream, response: GatewayResponse): void {
    const { hasMissedEvents, listeners } = this.#options;
    this.#sendNamed(stream, hasMissedEvents ? 'reset' : 'ready');
    stream.withHeartbeats(() => {
      void this.#checkCaller(stream);
      return this.#unsentPosition();
    });
    response.once('close', listeners.add(this));
    this.#follow(stream, response);
  }

  #follow(stream: EventStream, response: GatewayResponse): void {
    const { relay } = this.#options;
    const log = projectLog(this.#caller.identity.projectId);
    stream.attach(
      relay.follow(log, this.#position, {
        onEvent: (entry) => this.#send(stream, entry),
        onError: (error) => {
          if (error instanceof LogLostError) void this.#startAnew(stream, response);
          else response.destroy();
        },
      }),
    );
  }

  /** The log was trimmed before this stream has read it, or Redis has lost it. */
  async #startAnew(stream: EventStream, response: GatewayResponse): Promise<void> {
    try {
      const { newest } = await this.#options.changes.listen(this.#caller.identity.projectId);
      this.#position = newest;
      if (response.writableEnded || response.destroyed) return;
      this.#sendNamed(stream, 'reset');
      this.#follow(stream, response);
    } catch {
      // The client connects again.
      response.destroy();
    }
  }

  #send(stream: EventStream, entry: ChangeEntry): void {
    this.#position = entry.id;
    if (entry.kind === 'anchor' || !this.types.has(entry.type)) return;
    if (entry.userId !== '' && entry.userId !== this.#caller.identity.userId) return;
    this.#sentPosition = entry.id;
    stream.sendText(textOf(entry));
  }

  #sendNamed(stream: EventStream, name: 'ready' | 'reset'): void {
    this.#sentPosition = this.#position;
    stream.sendText(eventText(this.#position, JSON.stringify({ types: [...this.types] }), name));
  }

  /** Keeps the client's position in the log while it gets no events. */
  #unsentPosition(): string {
    if (this.#position === this.#sentPosition) return '';
    this.#sentPosition = this.#position;
    return `id: ${this.#position}\n`;
  }

  async #checkCaller(stream: EventStream): Promise<void> {
    try {
      this.#caller = await this.#options.authenticate();
    } catch (error) {
      if (isRefused(error)) stream.end('the session or the access to the project has ended');
    }
  }
}

/** A caller with too many refusals is refused without a question to the identity service. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  const isLimited = error.status === 429 && !(error instanceof UpstreamError);
  return error.status === 401 || error.status === 403 || isLimited;
}

function textOf(entry: ChangeEntry): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const text = eventText(entry.id, entry.data, entry.kind === 'reset' ? 'reset' : null);
  texts.set(entry, text);
  return text;
}

function eventText(id: string, data: string, name: string | null): string {
  return `id: ${id}\n${name === null ? '' : `event: ${name}\n`}data: ${data}\n\n`;
}
