import { setTimeout } from 'node:timers/promises';
import {
  type CreateInstance,
  GatewayError,
  GatewayClient as PublishedClient,
} from '../../../packages/client/src/index.ts';
import { runningUrl } from '../../../scripts/running-stack.ts';
import type { TestLogin } from '../stacks/test-stack.ts';
import { type EventStream, openStream } from './sse-client.ts';

/** The delay before a stream is resumed. */
export const RECONNECT_DELAY_MS = 100;

export interface ApiResponse<T = unknown> {
  status: number;
  headers: Headers;
  body: T;
  /** The body before parsing. */
  text: string;
}

export interface InstanceMessage {
  step: string;
  progress: number;
  message: string;
  instance_id: string | null;
  error: string | null;
  job_id: string;
  code?: string;
  params?: Record<string, string | number>;
}

/** The request body of an instance. */
export interface InstanceRequest {
  name: string;
  image_id: string;
  flavor_id: string;
  boot_volume_size_gb: number;
}

/** Calls the gateway as dashboards do, with the published client, logged in to one project. */
export class GatewayClient {
  readonly url: string;
  readonly token: string;
  readonly projectId: string;

  constructor(url: string, token: string, projectId: string) {
    this.url = url;
    this.token = token;
    this.projectId = projectId;
  }

  static async logIn(url: string, { username, password, projectName }: TestLogin): Promise<GatewayClient> {
    const anonymous = new GatewayClient(url, '', '');
    const answer = await anonymous.request<{ token: string; project_id: string }>('POST', '/api/auth/login', {
      username,
      password,
      project_name: projectName,
    });
    if (answer.status !== 200) throw new Error(`The log-in failed with ${answer.status}: ${answer.text}`);
    return new GatewayClient(url, answer.body.token, answer.body.project_id);
  }

  /** The same session at another api process. */
  at(url: string): GatewayClient {
    return new GatewayClient(url, this.token, this.projectId);
  }

  /** The client for dashboards, in the same session. */
  get published(): PublishedClient {
    return new PublishedClient({ url: this.url, credentials: this });
  }

  async request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    requestId?: string,
  ): Promise<ApiResponse<T>> {
    const response = await this.#send(`${method} ${path}`, body, requestId);
    const text = await response.text();
    // A running gateway keeps its rate limits; those that suites start have none.
    if (response.status === 429 && runningUrl() !== null) {
      await setTimeout(Number(response.headers.get('retry-after')) * 1000);
      return this.request(method, path, body, requestId);
    }
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson && text !== '' ? JSON.parse(text) : undefined) as T,
      text,
    };
  }

  /** The response of any status. */
  async #send(endpoint: string, body: unknown, requestId: string | undefined): Promise<Response> {
    let response: Response | undefined;
    const client = new PublishedClient({
      url: this.url,
      credentials: this.token === '' ? null : this,
      // The client itself reads the body of an error.
      fetch: async (...request) => {
        response = await fetch(...request);
        return response.clone();
      },
    });
    try {
      await client.send(endpoint, { body, headers: requestIdHeader(requestId) });
    } catch (error) {
      if (response === undefined || !(error instanceof GatewayError)) throw error;
    }
    return response as Response;
  }

  /** The body of a GET. @throws when the status is not 200. */
  async read<T>(path: string): Promise<T> {
    const answer = await this.request<T>('GET', path);
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  /** A request for the smallest instance that the test clouds support. */
  async smallInstanceRequest(name: string): Promise<InstanceRequest> {
    const [imageId, flavorId] = await Promise.all([
      this.#idOf('/api/images', 'debian-12'),
      this.#idOf('/api/flavors', 'm1.tiny'),
    ]);
    return { name, image_id: imageId, flavor_id: flavorId, boot_volume_size_gb: 1 };
  }

  async #idOf(path: string, name: string): Promise<string> {
    const items = await this.read<{ id: string; name: string }[]>(path);
    const found = items.find((item) => item.name === name);
    if (found === undefined) throw new Error(`${path} has nothing of the name ${name}.`);
    return found.id;
  }

  /** All messages of a creation, over any number of connections. */
  async messagesOfCreation(body: CreateInstance): Promise<InstanceMessage[]> {
    const events = this.published.createInstance(body, { maxDelayMs: RECONNECT_DELAY_MS });
    return Array.fromAsync(events, ({ id: _id, ...message }) => message);
  }

  /** One connection to the stream of a creation. */
  createInstance(body: object, requestId?: string): Promise<EventStream> {
    return this.startJob('/api/instances/async', body, requestId);
  }

  /** One connection to the stream of a job that the request starts. */
  startJob(path: string, body: object, requestId?: string): Promise<EventStream> {
    const headers = this.headers(requestId);
    return openStream(`${this.url}${path}`, { method: 'POST', headers, body });
  }

  followJob(jobId: string, lastEventId?: string): Promise<EventStream> {
    const headers = { ...this.headers(), ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
    return openStream(`${this.url}/api/jobs/${jobId}/events`, { headers });
  }

  /** The request id identifies the upstream calls of the request in the cloud. */
  headers(requestId?: string): Record<string, string> {
    return {
      ...requestIdHeader(requestId),
      ...(this.token !== '' && { 'x-auth-token': this.token, 'x-project-id': this.projectId }),
    };
  }
}

/** All messages of a stream up to its end. */
export async function messagesOf(stream: EventStream): Promise<InstanceMessage[]> {
  return (await stream.rest()).map(({ data }) => JSON.parse(data) as InstanceMessage);
}

/** The steps in order, without repetitions. */
export function stepsOf(messages: readonly InstanceMessage[]): string[] {
  return messages.map(({ step }) => step).filter((step, index, all) => step !== all[index - 1]);
}

function requestIdHeader(requestId: string | undefined): Record<string, string> {
  return requestId === undefined ? {} : { 'x-request-id': requestId };
}
