import { Agent } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import express from 'express';
import got from 'got';

/** The floor for a long list: plain Express, got, and all pages parsed, joined and formatted at once. */
const { PORT = '0', FLOOR_UPSTREAM_URL = '' } = process.env;

interface Record {
  id: string;
  name: string;
}
type Page = { [key: string]: Record[] } & { servers_links?: unknown[]; volumes_links?: unknown[] };

const client = got.extend({ agent: { http: new Agent({ keepAlive: true }) } });
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();

const app = express();
app.get('/health', (_request, response) => {
  response.end('ok');
});
/** The longest pause since the last call, in seconds, as the metrics of the gateway have it. */
app.get('/pause', (_request, response) => {
  response.end(`nodejs_eventloop_lag_max_seconds ${delays.max / 1e9}\n`);
  delays.reset();
});
app.get('/list', async (request, response) => {
  const token = request.get('x-auth-token');
  const [servers, volumes] = await Promise.all([
    readAll(token, 'servers', 'compute/v2.1/servers/detail'),
    readAll(token, 'volumes', 'volume/v3/volumes/detail'),
  ]);
  const names = new Map(volumes.map(({ id, name }) => [id, name]));
  response.json(servers.map((server) => ({ ...server, image_name: names.get(server.id) })));
});

async function readAll(
  token: string | undefined,
  key: 'servers' | 'volumes',
  path: string,
): Promise<Record[]> {
  const all: Record[] = [];
  for (;;) {
    const page: Page = await client
      .get(`${FLOOR_UPSTREAM_URL}/${path}?marker=${all.length}`, { headers: { 'X-Auth-Token': token } })
      .json<Page>();
    all.push(...(page[key] ?? []));
    if (page[`${key}_links`] === undefined) return all;
  }
}

app.listen(Number(PORT), '127.0.0.1');
