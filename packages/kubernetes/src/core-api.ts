import type { CoreV1Api, V1Eviction } from '@kubernetes/client-node';
import { KubernetesError } from './kubernetes-error.ts';
import type { Transport } from './transport.ts';

export type { CoreV1Api, V1Eviction };

/** A node has about 300 objects in JSON, a pod 200. */
const MAX_OBJECTS = 100_000;

/**
 * The library's API of core resources over the transport.
 *
 * The library's own HTTP client (`fetch`) is replaced, which it supports: it follows redirects, has no limits on time and
 * size, and a proxy in the environment may apply to it. The library's `KubeConfig` is not used: it reads files and runs
 * programs that a configuration names.
 */
export async function coreApi(server: string, transport: Transport): Promise<CoreV1Api> {
  const library = await loadLibrary();
  const { CoreV1Api, createConfiguration, ResponseContext, SelfDecodingBody, ServerConfiguration } = library;
  const httpApi = library.wrapHttpLibrary({
    async send(request) {
      const body = request.getBody();
      const { status, headers, text } = await transport.send({
        method: request.getHttpMethod(),
        url: request.getUrl(),
        headers: request.getHeaders(),
        ...(typeof body === 'string' && { body }),
      });
      checkBody(headers['content-type'], text);
      const content = new SelfDecodingBody(Promise.resolve(Buffer.from(text)));
      return new ResponseContext(status, { 'content-type': 'application/json' }, content);
    },
  });
  const baseServer = new ServerConfiguration(server, {});
  return new CoreV1Api(createConfiguration({ baseServer, httpApi, authMethods: {} }));
}

/** Options of a request with a JSON merge patch as its body. */
export async function mergePatch() {
  const { PatchStrategy, setHeaderOptions } = await loadLibrary();
  return setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
}

/** Loading takes a second and 80 MB, so only processes that reach a cluster do it. */
function loadLibrary() {
  return import('@kubernetes/client-node');
}

/** The library creates an instance for each object of the response, which takes seconds for millions of them. */
function checkBody(contentType: string | undefined, text: string): void {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') throw invalid('not JSON');
  let objects = 0;
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) objects += 1;
  if (objects > MAX_OBJECTS) throw invalid(`more than ${MAX_OBJECTS} objects`);
}

/** Runs a call of the library, and what reads its result. Errors that are not ours come from a body with unexpected types. */
export async function readable<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof KubernetesError || signal?.aborted) throw error;
    throw invalid('an object of another kind', error);
  }
}

function invalid(reason: string, cause?: unknown): KubernetesError {
  return new KubernetesError({ kind: 'invalid', isConnected: true, reason, cause });
}
