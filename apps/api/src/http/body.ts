import { bodyTooLarge, invalidInput, unsupportedMediaType } from '@gateway/core';
import express, { type Request, type RequestHandler, type Response } from 'express';

/** Reads JSON bodies up to a size. The first body of a request is read once the caller is known. */
export type ReadBody = (request: Request, response: Response) => Promise<unknown>;

export function createBodyReader(limitBytes: number): ReadBody {
  const parse: RequestHandler = express.json({ limit: limitBytes, strict: false, type: () => true });
  return (request, response) => {
    if (!hasBody(request)) return Promise.resolve(undefined);
    if (!request.is('application/json')) {
      throw unsupportedMediaType('The body must be JSON: send it with Content-Type: application/json.');
    }
    return new Promise((resolve, reject) => {
      parse(request, response, (error?: unknown) => {
        if (error === undefined) resolve(request.body);
        else reject(toBodyError(error, limitBytes));
      });
    });
  };
}

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

/** body-parser tells its faults apart by `type`. */
function toBodyError(cause: unknown, limitBytes: number): Error {
  const { type = '' } = cause as { type?: string };
  if (type === 'entity.too.large') {
    return bodyTooLarge(`The body is larger than ${limitBytes} bytes.`, { cause });
  }
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return unsupportedMediaType('The body is in an encoding that is not supported.', { cause });
  }
  return invalidInput('The body is not well-formed JSON.', { cause });
}
