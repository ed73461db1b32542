import { createServer, type IncomingMessage } from 'node:http';
import { listenLocally, stopListening } from '../../support/doubles/local-server.ts';

export interface Report {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

/** Receives the reports of simulated servers. */
export interface Receiver {
  url: string;
  reports: Report[];
  /** The statuses of the next responses, in order; 200 afterwards. */
  statuses: number[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const reports: Report[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    reports.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(statuses.shift() ?? 200).end('{"status":"ok"}');
  });
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}/report`,
    reports,
    statuses,
    close: () => stopListening(server),
  };
}
