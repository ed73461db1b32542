import { Agent } from 'node:http';
import express from 'express';
import got from 'got';

/** The floor for a list from upstream: plain Express, got, and JSON parsing and formatting. */
const { PORT = '0', FLOOR_UPSTREAM_URL = '' } = process.env;

interface Keypairs {
  keypairs: { keypair: { name: string; fingerprint: string; type: string } }[];
}

const client = got.extend({ agent: { http: new Agent({ keepAlive: true }) } });
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.get('/health', (_request, response) => {
  response.end('ok');
});
app.get('/list', async (request, response) => {
  const { keypairs } = await client
    .get(FLOOR_UPSTREAM_URL, { headers: { 'X-Auth-Token': request.get('x-auth-token') } })
    .json<Keypairs>();
  response.json(
    keypairs.map(({ keypair: { name, fingerprint, type } }) => ({
      name,
      fingerprint,
      type,
      created_at: null,
    })),
  );
});
app.listen(Number(PORT), '127.0.0.1');
