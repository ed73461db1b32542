import type { ServiceError } from '../common/service-error.ts';
import type { Reply } from './operation.ts';

export type ErrorFormat = (error: ServiceError, requestId: string) => Reply;

const FAULT_NAMES: Record<number, string> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'itemNotFound',
  405: 'badMethod',
  409: 'conflictingRequest',
  413: 'overLimit',
  415: 'badMediaType',
  429: 'overLimit',
  501: 'notImplemented',
  503: 'serviceUnavailable',
};

/** For compute, block storage and shared file systems: the fault's name is the only key. */
export const faultFormat: ErrorFormat = ({ status, message }) => {
  const name = FAULT_NAMES[status] ?? 'computeFault';
  if (status !== 413) return { status, body: { [name]: { code: status, message } } };
  return {
    status,
    body: { [name]: { code: status, message, retryAfter: '0' } },
    headers: { 'Retry-After': '0' },
  };
};

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function title(status: number): string {
  return TITLES[status] ?? 'Error';
}

/** For identity. */
export const identityFormat: ErrorFormat = ({ status, message }) => ({
  status,
  body: { error: { code: status, message, title: title(status) } },
});

/** For network. */
export const networkFormat: ErrorFormat = ({ status, message, type }) => ({
  status,
  body: { NeutronError: { type, message, detail: '' } },
});

/** For image, and for paths that compute, block storage and shared file systems do not have. */
export const webobFormat: ErrorFormat = ({ status, message }) => ({
  status,
  body: {
    message: `${message}<br /><br />\n\n\n`,
    code: `${status} ${title(status)}`,
    title: title(status),
  },
});

/** For paths that identity does not have: an HTML page. */
export const pageFormat: ErrorFormat = ({ status, message }) => {
  const heading = `${status} ${title(status)}`;
  return {
    status,
    body: `<html>\n <head>\n  <title>${heading}</title>\n </head>\n <body>\n  <h1>${heading}</h1>\n  ${message}<br /><br />\n\n\n\n </body>\n</html>`,
    headers: { 'Content-Type': 'text/html; charset=UTF-8' },
  };
};

/** For load balancers. */
export const loadBalancerFormat: ErrorFormat = ({ status, message }) => ({
  status,
  body: { faultcode: status < 500 ? 'Client' : 'Server', faultstring: message, debuginfo: null },
});

/** For paths that load balancers and the key manager do not have. */
export const pecanFormat: ErrorFormat = ({ status }) => ({
  status,
  body: { code: status, title: title(status), description: '' },
});

/** For paths that container infrastructure and containers do not have. */
export const detailFreeFormat: ErrorFormat = ({ status }) => ({
  status,
  body: { errors: [{ request_id: '', code: '', status, title: title(status), detail: '', links: [] }] },
});

/** The page of a proxy before a service. */
export function proxyReply(status: number): Reply {
  const heading = `${status} ${title(status)}`;
  return {
    status,
    body: `<html>\r\n<head><title>${heading}</title></head>\r\n<body>\r\n<center><h1>${heading}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
    headers: { 'Content-Type': 'text/html' },
  };
}

/** For container infrastructure and containers. */
export const containerInfraFormat: ErrorFormat = ({ status, message }) => ({
  status,
  body: {
    errors: [
      {
        request_id: '',
        code: 'client',
        status,
        title: message.replace(/\.$/, ''),
        detail: message,
        links: [],
      },
    ],
  },
});

/** For the key manager. */
export const keyManagerFormat: ErrorFormat = ({ status, message }) => ({
  status,
  body: { code: status, title: title(status), description: message },
});

/** For placement. */
export const placementFormat: ErrorFormat = ({ status, message }, requestId) => ({
  status,
  body: { errors: [{ status, title: title(status), detail: message, request_id: requestId }] },
});

/**
 * The response of the authentication middleware when the identity service neither
 * accepts nor rejects a token.
 */
export function unjudgedReply(): Reply {
  return {
    status: 503,
    body: {
      code: '503 Service Unavailable',
      title: 'Service Unavailable',
      message:
        'The server is currently unavailable. Please try again at a later time.<br /><br />\nThe Keystone service is temporarily unavailable.\n\n',
    },
  };
}

/** The response of the authentication middleware to an invalid token, in all services except identity. */
export function unauthorizedReply(identityUrl: string): Reply {
  return {
    status: 401,
    body: {
      error: {
        code: 401,
        title: 'Unauthorized',
        message: 'The request you have made requires authentication.',
      },
    },
    headers: { 'WWW-Authenticate': `Keystone uri="${identityUrl}"` },
  };
}
