import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { tokenBody } from './token.ts';

/**
 * An upstream with many rows. The token `bench-5000-1` stands for a project with 5,000 instances and
 * volumes, in the pages of the services. Each list takes `UPSTREAM_DELAY_MS`, those of instances
 * longer than the others.
 */
const { PORT = '0', UPSTREAM_DELAY_MS = '0' } = process.env;
const PAGE_SIZE = 1000;

const base = `http://127.0.0.1:${PORT}`;
const services = {
  compute: `${base}/compute/v2.1`,
  image: `${base}/image`,
  'block-storage': `${base}/volume/v3`,
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', base);
  response.setHeader('Content-Type', 'application/json');
  if (pathname === '/identity/v3/auth/tokens') {
    const token = String(request.headers['x-subject-token'] ?? request.headers['x-auth-token']);
    response.setHeader('X-Subject-Token', token);
    response.end(tokenBody(`project-${token}`, services));
    return;
  }
  const [, rows = '0'] = String(request.headers['x-auth-token']).split('-').slice(0, 2);
  const key = keyOf(pathname);
  await pause(key === 'servers' ? Number(UPSTREAM_DELAY_MS) : Number(UPSTREAM_DELAY_MS) / 2);
  response.end(key === null ? '{}' : page(key, Number(rows), Number(searchParams.get('marker') ?? 0)));
});

type Key = 'servers' | 'volumes' | 'flavors' | 'images';

function keyOf(pathname: string): Key | null {
  const found = /(servers|volumes|flavors|images)(?:\/detail)?$/.exec(pathname);
  return found === null ? null : (found[1] as Key);
}

const recorded = {
  servers: record('compute/servers', 'servers', 1),
  volumes: record('block-storage/volumes', 'volumes', 0),
  flavors: record('compute/flavors', 'flavors', 0),
  images: record('image/images', 'images', 0),
};
const pages = new Map<string, string>();

/** Generated once, so that it costs nothing while a server is measured. */
function page(key: Key, rows: number, start: number): string {
  const name = `${key}:${rows}:${start}`;
  const known = pages.get(name);
  if (known !== undefined) return known;
  const count = key === 'servers' || key === 'volumes' ? rows : 10;
  const end = Math.min(count, start + PAGE_SIZE);
  const items = Array.from({ length: end - start }, (_, index) => item(key, start + index));
  const links = end < count ? [{ rel: 'next', href: `${base}/?marker=${end}` }] : [];
  const made = JSON.stringify({ [key]: items, ...(links.length > 0 && { [`${key}_links`]: links }) });
  pages.set(name, made);
  return made;
}

function item(key: Key, number: number): object {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const attached = { 'os-extended-volumes:volumes_attached': [{ id, delete_on_termination: true }] };
  return {
    ...recorded[key],
    id,
    ...(key !== 'flavors' && { name: `bench-${number}` }),
    ...(key === 'servers' && { ...attached, metadata: { gateway_job_id: id } }),
  };
}

function record(file: string, key: string, index: number): object {
  const text = readFileSync(new URL(`../../fixtures/openstack/${file}.json`, import.meta.url), 'utf8');
  return (
    (JSON.parse(text) as { response: { body: Record<string, object[]> } }).response.body[key]?.[index] ?? {}
  );
}

server.listen(Number(PORT), '127.0.0.1');
