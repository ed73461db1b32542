import { isObject } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { keyManagerFormat, pecanFormat } from '../http/error-formats.ts';
import { created, noContent, ok, operation, type Reply } from '../http/operation.ts';
import type { Service } from '../http/service.ts';
import type { KeyManagerCall, KeyManagerCloud } from './cloud.ts';
import { createSecret, findSecret, presentSecret, refOf, secretsOf } from './secrets.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** Ten secrets per page, unless the query sets a limit. */
function listSecrets({ base, caller, cloud, query }: KeyManagerCall): Reply {
  const name = query.get('name');
  const found = secretsOf(cloud, caller).filter((secret) => name === null || secret.name === name);
  const limit = Math.min(Number(query.get('limit') ?? DEFAULT_LIMIT), MAX_LIMIT);
  const offset = Number(query.get('offset') ?? 0);
  if (!Number.isInteger(limit) || limit < 1 || !Number.isInteger(offset) || offset < 0)
    throw badRequest('Bad Request');
  const linkTo = (start: number) => {
    const page = new URLSearchParams(query);
    page.set('limit', String(limit));
    page.set('offset', String(start));
    return `${base}/secrets?${page}`;
  };
  return ok({
    secrets: found.slice(offset, offset + limit).map((secret) => presentSecret(secret, base)),
    total: found.length,
    ...(offset > 0 && { previous: linkTo(Math.max(0, offset - limit)) }),
    ...(offset + limit < found.length && { next: linkTo(offset + limit) }),
  });
}

/** Secrets without payloads: creating, listing, showing and deleting them. */
export const keyManagerService: Service<KeyManagerCloud> = {
  name: 'key-manager',
  prefix: '/key-manager/v1',
  errors: keyManagerFormat,
  unrouted: pecanFormat,
  malformed: 'Malformed JSON',
  requestIdHeaders: ['X-Openstack-Request-Id'],
  operations: [
    operation('secrets.list', 'GET /secrets', listSecrets),
    operation('secrets.create', 'POST /secrets', ({ base, body, caller, cloud }) =>
      created({ secret_ref: refOf(createSecret(cloud, caller, isObject(body) ? body : {}), base) }),
    ),
    operation('secrets.get', 'GET /secrets/:id', ({ base, caller, cloud, params }) =>
      ok(presentSecret(findSecret(cloud, caller, params.id ?? ''), base)),
    ),
    operation('secrets.delete', 'DELETE /secrets/:id', ({ caller, cloud, params }) => {
      cloud.keyManager.secrets.delete(findSecret(cloud, caller, params.id ?? '').id);
      return noContent();
    }),
  ],
};
