import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import nock from 'nock';

const folder = join(import.meta.dirname, '../../test/fixtures/openstack');

const keptHeaders = [
  'content-type',
  'location',
  'retry-after',
  'x-compute-request-id',
  'x-openstack-request-id',
  'x-subject-token',
];

/** Keys whose values are not written to a file. */
const secretKeys = new Set([
  'access_key',
  'adminPass',
  'auth_key',
  'password',
  'private_key',
  'user_data',
  'OS-EXT-SRV-ATTR:user_data',
]);

export function startRecording(): void {
  nock.recorder.rec({ output_objects: true, dont_print: true, enable_reqheaders_recording: false });
}

/**
 * Runs a call and writes its response to `<name>.json`, or several responses to `<name>-1.json` and so on.
 * Returns the result of the call; undefined when the call failed.
 */
export async function record<T>(name: string, run: () => Promise<T>): Promise<T | undefined> {
  nock.recorder.clear();
  const outcome = await run().catch((thrown: unknown) => {
    console.log(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return undefined;
  });
  const calls = nock.recorder.play() as nock.Definition[];
  calls.forEach((call, index) => {
    write(calls.length === 1 ? name : `${name}-${index + 1}`, call);
  });
  nock.recorder.clear();
  return outcome;
}

function write(name: string, call: nock.Definition): void {
  const headers = headersOf(call);
  const fixture = {
    request: { method: call.method, origin: String(call.scope), path: String(call.path) },
    response: { status: call.status, headers, body: withoutSecrets(call.response) },
  };
  const file = join(folder, `${name}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(fixture, null, 2)}\n`);
}

function headersOf(call: nock.Definition): Record<string, string> {
  const raw = (call as { rawHeaders?: string[] | Record<string, string> }).rawHeaders ?? [];
  const pairs = Array.isArray(raw)
    ? raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))
    : Object.entries(raw);
  const kept: Record<string, string> = {};
  for (const [name = '', value = ''] of pairs) {
    const key = name.toLowerCase();
    if (keptHeaders.includes(key)) kept[key] = key === 'x-subject-token' ? 'redacted' : value;
  }
  return kept;
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secretKeys.has(key) && typeof inner === 'string' ? 'redacted' : withoutSecrets(inner),
    ]),
  );
}
