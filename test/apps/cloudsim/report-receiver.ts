import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`,
    reports,
    statuses,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
