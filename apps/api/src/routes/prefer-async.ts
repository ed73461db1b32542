import type { AnyEndpoint } from '../pipeline/endpoint.ts';
import { jobShape } from './jobs/shapes.ts';

const FOLLOWED = '/async';

/**
 * Lets each endpoint that has a followed one beside it, at its path with `/async`, start the same job for
 * requests with `Prefer: respond-async`. The answer is the job, and not the stream of its events.
 */
export function withAsyncPreference(endpoints: readonly AnyEndpoint[]): AnyEndpoint[] {
  const byPath = new Map(
    endpoints.filter(({ method }) => method === 'POST').map((endpoint) => [endpoint.path, endpoint]),
  );
  return endpoints.map((endpoint) => {
    const followed = endpoint.method === 'GET' ? undefined : byPath.get(endpoint.path + FOLLOWED);
    return followed === undefined ? endpoint : { ...endpoint, preferred: answeringJob(endpoint, followed) };
  });
}

function answeringJob({ method, path }: AnyEndpoint, followed: AnyEndpoint): AnyEndpoint {
  return {
    ...followed,
    method,
    path,
    preference: 'respond-async',
    status: 202,
    response: jobShape,
    produces: undefined,
    example: () => ({
      status: 'queued',
      state: 'queued',
      step: null,
      progress: 0,
      resource_id: null,
      started_at: null,
      ended_at: null,
      estimated_progress: 0,
      estimated_step_progress: null,
      estimated_step_end_at: null,
      estimated_end_at: null,
    }),
  };
}
