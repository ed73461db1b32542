import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Login } from './try-it.ts';

interface Progress {
  step: string;
  progress: number;
  message: string;
  instance_id: string | null;
  error: string | null;
}

interface Named {
  id: string;
  name: string;
}

interface Flavor extends Named {
  ram: number;
  is_gpu: boolean;
}

type Print = (line: string) => void;

/**
 * Uses the API as a dashboard does: logs in, creates an instance with a library, follows its progress and reads the
 * instance. Deletes nothing.
 * @throws when a call or the creation fails, with the reason from the gateway.
 */
export async function runDemo(url: string, login: Login, print: Print): Promise<void> {
  print(`Logging in as ${login.username}`);
  const session = await call<{ token: string; project_id: string; project_name: string }>(
    `${url}/api/auth/login`,
    { method: 'POST', body: login },
  );
  const headers = { 'x-auth-token': session.token, 'x-project-id': session.project_id };

  const images = await call<Named[]>(`${url}/api/images`, { headers });
  const flavors = await call<Flavor[]>(`${url}/api/flavors`, { headers });
  const image = images.find((candidate) => /ubuntu/i.test(candidate.name)) ?? images[0];
  const flavor = flavors.filter((candidate) => !candidate.is_gpu).sort((a, b) => a.ram - b.ram)[0];
  if (!image || !flavor) throw new Error('the cloud has no image or no flavor to create an instance from');

  const name = `demo-${new Date().toISOString().slice(11, 19).replaceAll(':', '')}`;
  const body = { name, image_id: image.id, flavor_id: flavor.id, libraries: ['python311'] };
  print(
    `Creating ${name} in project ${session.project_name}: ${image.name}, ${flavor.name}, library python311`,
  );
  const instanceId = await followCreation(`${url}/api/instances/async`, headers, body, print);

  const instance = await call<Record<string, unknown>>(`${url}/api/instances/${instanceId}`, { headers });
  print(`\nGET /api/instances/${instanceId}`);
  for (const line of describe(instance)) print(line);
}

async function followCreation(
  url: string,
  headers: Record<string, string>,
  body: unknown,
  print: Print,
): Promise<string> {
  const response = await request(url, { method: 'POST', headers, body });
  if (!response.body) throw new Error('the gateway answered without an event stream');
  const events = response.body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream());
  for await (const event of events) {
    const progress: Progress = JSON.parse(event.data);
    print(progressLine(progress));
    if (progress.step === 'FAILED') throw new Error(`the creation failed: ${progress.error}`);
    if (progress.step === 'COMPLETED' && progress.instance_id) return progress.instance_id;
  }
  throw new Error('the progress stream ended before the creation did');
}

const barWidth = 30;

export function progressLine({ step, progress, message, error }: Progress): string {
  const filled = Math.round((Math.max(progress, 0) / 100) * barWidth);
  const bar = '#'.repeat(filled).padEnd(barWidth, '.');
  return `[${bar}] ${String(progress).padStart(3)} %  ${step.padEnd(22)} ${error ?? message}`;
}

function describe(record: Record<string, unknown>): string[] {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record).map(([name, value]) => `  ${name.padEnd(width)}  ${spell(value)}`);
}

function spell(value: unknown): string {
  if (value === null || value === '') return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

async function call<T>(url: string, options: CallOptions): Promise<T> {
  const response = await request(url, options);
  return (await response.json()) as T;
}

async function request(url: string, { method, headers, body }: CallOptions): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) {
    const answer = await response.text();
    throw new Error(`${method ?? 'GET'} ${new URL(url).pathname} answered ${response.status}: ${answer}`);
  }
  return response;
}
