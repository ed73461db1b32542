import express from 'express';
import { Redis } from 'ioredis';

/**
 * The floors for a cached list: plain Express with one read of the same bytes from Redis, or
 * with the bytes in memory.
 */
const { PORT = '0', FLOOR_REDIS_URL = '', FLOOR_KEY = '' } = process.env;

const redis = new Redis(FLOOR_REDIS_URL);
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.get('/health', (_request, response) => {
  response.end('ok');
});
app.get('/list', async (_request, response) => {
  const body = await redis.getBuffer(FLOOR_KEY);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(body);
});
const fixed = await redis.getBuffer(FLOOR_KEY);
app.get('/static', (_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(fixed);
});
app.listen(Number(PORT), '127.0.0.1');
