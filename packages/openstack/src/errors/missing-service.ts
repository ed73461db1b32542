import { GatewayError } from '@gateway/core';
import type { ServiceName } from '@gateway/platform';
import { serviceTitles } from '../service-titles.ts';

/** The catalog of the caller does not have the service: the cloud lacks it, or hides it from the project. */
export class MissingServiceError extends GatewayError {
  constructor(service: ServiceName) {
    const detail = `The ${serviceTitles[service]} service is not available in this cloud.`;
    super(503, 'upstream_unavailable', detail);
  }
}
