import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { listenLocally, stopListening } from '../doubles/local-server.ts';

export interface PageServer {
  /** The origin of the pages, as `http://127.0.0.1:4000`. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Where a page finds the packed client and what that imports. */
const imports = {
  '@gateway/client': '/node_modules/@gateway/client/dist/index.js',
  'eventsource-parser': '/node_modules/eventsource-parser/dist/index.js',
};
const importMap = `<script type="importmap">${JSON.stringify({ imports })}</script>`;

/**
 * Serves the files of a folder to a browser: pages, and TypeScript modules without their types. With
 * `project`, pages can import the client from the `node_modules` of that folder.
 */
export async function servePages(folder: string, project?: string): Promise<PageServer> {
  const server = createServer(async (request, response) => {
    const [, name = ''] = /^\/([\w-]+\.(?:html|ts))$/.exec(request.url ?? '') ?? [];
    const [, module] = /^\/(node_modules\/[\w@./-]+\.js)$/.exec(request.url ?? '') ?? [];
    try {
      if (project !== undefined && module !== undefined) {
        response.setHeader('content-type', 'text/javascript');
        response.end(await readFile(join(project, module)));
        return;
      }
      const text = await readFile(join(folder, name), 'utf8');
      const isPage = name.endsWith('.html');
      const page = project === undefined ? text : text.replace('</head>', `${importMap}</head>`);
      response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
      response.end(isPage ? page : stripTypeScriptTypes(text));
    } catch {
      response.writeHead(404).end();
    }
  });
  return {
    origin: `http://127.0.0.1:${await listenLocally(server)}`,
    close: () => stopListening(server),
  };
}
