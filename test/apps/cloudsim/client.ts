import { type ManualClock, manualClock } from '../../../apps/cloudsim/src/common/clock.ts';
import { type Cloudsim, type CloudsimOptions, startCloudsim } from '../../../apps/cloudsim/src/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: assertions read arbitrary fields of the response
export type Body = any;

export interface ApiResponse {
  status: number;
  body: Body;
  headers: Headers;
}

export interface Client {
  token: string;
  projectId: string;
  userId: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
}

export interface TestCloud extends Cloudsim {
  clock: ManualClock;
  /** Signs in with the seeded password and returns the user, project and token. */
  as(user: string, project?: string): Promise<Client>;
  call: Client['call'];
}

/** A separate cloud, whose clock advances only on request. */
export async function startTestCloud(
  options: CloudsimOptions = {},
  startMs = Date.UTC(2026, 0, 1),
): Promise<TestCloud> {
  const clock = manualClock(startMs);
  const cloudsim = await startCloudsim({ clock, ...options });
  const call = (token?: string): Client['call'] => {
    return async (method, path, body, headers = {}) => {
      const response = await fetch(cloudsim.url + path, {
        method,
        headers: { ...(token === undefined ? {} : { 'X-Auth-Token': token }), ...headers },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
      return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    };
  };
  const as = async (user: string, project = user): Promise<Client> => {
    const answer = await call()('POST', '/identity/v3/auth/tokens', signIn(user, `${user}-secret`, project));
    const token = answer.headers.get('x-subject-token') ?? '';
    return {
      token,
      projectId: answer.body.token.project.id,
      userId: answer.body.token.user.id,
      call: call(token),
    };
  };
  return { ...cloudsim, clock, as, call: call() };
}

export function signIn(name: string, password: string, project?: string): object {
  const domain = { id: 'default' };
  return {
    auth: {
      identity: { methods: ['password'], password: { user: { name, password, domain } } },
      ...(project === undefined ? {} : { scope: { project: { name: project, domain } } }),
    },
  };
}

export const LATEST_COMPUTE = { 'OpenStack-API-Version': 'compute 2.93' };
export const LATEST_SHARE = { 'X-OpenStack-Manila-API-Version': '2.73' };

/** The id of the record with this name in the response to a list request. */
export function idOf(answer: ApiResponse, name: string): string {
  const rows = Object.values(answer.body)[0] as { id: string; name: string }[];
  const row = rows.find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`no ${name} in the list`);
  return row.id;
}
