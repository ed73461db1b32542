import { ServiceError } from '../common/service-error.ts';

export const NOT_THERE = 'The resource could not be found.';

/** The error for a body without the envelope of its resource. */
export function unprocessable(): Error {
  return new ServiceError(422, 'Unable to process the contained instructions');
}
