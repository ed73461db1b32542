import { createServer, type ServerResponse } from 'node:http';
import { Redis } from 'ioredis';

/**
 * The floor for event streams: a plain server that writes the events of the same feed to the streams of their
 * jobs or projects, without authentication, logs, heartbeats or resumption.
 */
const { PORT = '0', FLOOR_REDIS_URL = '', FLOOR_FEED = '' } = process.env;

const streams = new Map<string, ServerResponse[]>();
const server = createServer((request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  const subject = /^\/events\/(.+)$/.exec(request.url ?? '')?.[1];
  if (subject === undefined) {
    response.end();
    return;
  }
  response.write('retry: 2000\n\n');
  const ofSubject = streams.get(subject) ?? [];
  ofSubject.push(response);
  streams.set(subject, ofSubject);
});
server.listen(Number(PORT), '127.0.0.1');

const redis = new Redis(FLOOR_REDIS_URL, { connectionName: 'bench-floor' });
let position = '$';
for (;;) {
  const reply = await redis.xread('COUNT', 500, 'BLOCK', 5000, 'STREAMS', FLOOR_FEED, position);
  for (const [id, fields] of reply?.[0]?.[1] ?? []) {
    position = id;
    const [, subject = '', , event = ''] = fields;
    const entry = fields[fields.indexOf('entry') + 1] ?? '';
    const text = `id: ${event}\ndata: ${entry.slice(1)}\n\n`;
    for (const response of streams.get(subject) ?? []) response.write(text);
  }
}
