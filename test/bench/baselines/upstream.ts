import { createServer } from 'node:http';
import { tokenBody } from './token.ts';

/**
 * A minimal upstream, so that the benchmark measures the server in front of it: a token with a catalog,
 * and a list of key pairs.
 */
const { PORT = '0' } = process.env;
const ROWS = 50;

const base = `http://127.0.0.1:${PORT}`;
const keypairs = JSON.stringify({
  keypairs: Array.from({ length: ROWS }, (_, row) => ({
    keypair: {
      name: `key-${row}`,
      type: 'ssh',
      fingerprint: '62:76:1a:a8:a0:d6:12:6c:0f:4e:36:8a:62:d2:4c:10',
      public_key: `ssh-rsa ${'A'.repeat(372)} user@host`,
    },
  })),
});

const server = createServer((request, response) => {
  const isToken = request.url === '/v3/auth/tokens';
  response.setHeader('Content-Type', 'application/json');
  if (isToken) response.setHeader('X-Subject-Token', 'bench-token');
  response.statusCode = isToken && request.method === 'POST' ? 201 : 200;
  response.end(isToken ? tokenBody('benchproject', { compute: `${base}/v2.1` }) : keypairs);
});
server.listen(Number(PORT), '127.0.0.1');
