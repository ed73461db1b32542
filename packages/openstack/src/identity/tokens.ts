import type { IdentityConfig } from '@gateway/config';
import type { CallContext } from '../call-context.ts';
import { baseUrl, type CatalogEntry, resolveEndpoints } from '../catalog.ts';
import { UpstreamError } from '../errors.ts';
import { unusableAnswer } from '../failure.ts';
import type { Transport, UpstreamAnswer } from '../transport.ts';
import type { UpstreamRequest } from '../upstream-request.ts';
import type { Identity, PasswordCredentials } from './identity.ts';

/** The calls that are made without a bound caller: they bring a password or a token, and give an identity. */
export interface Tokens {
  /** Wrong credentials, of whatever kind, are a 401. */
  authenticate(credentials: PasswordCredentials, call: CallContext): Promise<Identity>;
  /**
   * A token of the same user for another project. 403: no access to the project, or the token has ended (the service
   * tells them alike); 401: what was given is not a token.
   */
  rescope(token: string, projectId: string, call: CallContext): Promise<Identity>;
  /** What a token stands for; 401 when it is unknown or expired. */
  validate(token: string, call: CallContext): Promise<Identity>;
  /** Makes a token useless; those made from it stay. 401 when it is of no use any more. */
  revoke(token: string, call: CallContext): Promise<void>;
  /** Answers when the identity service does. */
  ping(call: CallContext): Promise<void>;
}

/** The token's body as the identity service sends it. */
interface TokenBody {
  expires_at: string;
  /** Its own, and behind it that of the first token of its chain unless it is that one itself. */
  audit_ids?: string[];
  user: { id: string; name: string; domain: { id: string; name: string } };
  /** Absent from a token without a project. */
  project?: { id: string; name: string };
  roles?: { id: string; name: string }[];
  catalog?: CatalogEntry[];
}

const TOKEN_INVALID = 'The token is not valid, or no longer.';

export function createTokens(transport: Transport, config: IdentityConfig): Tokens {
  const base = baseUrl('identity', config.endpoints.identity ?? config.url);

  function send(
    operation: string,
    method: UpstreamRequest['method'],
    path: string,
    call: CallContext,
    options: { token?: string; subject?: string; body?: unknown; idempotent?: boolean; expectJson?: boolean },
  ): Promise<UpstreamAnswer> {
    const headers: Record<string, string> = { 'x-openstack-request-id': call.requestId };
    if (options.token !== undefined) headers['x-auth-token'] = options.token;
    if (options.subject !== undefined) headers['x-subject-token'] = options.subject;
    return transport.send(
      {
        service: 'identity',
        operation,
        method,
        url: base + path,
        headers,
        body: options.body,
        idempotent: options.idempotent === true,
        deletes: false,
        expectJson: options.expectJson !== false,
      },
      call,
    );
  }

  async function issue(operation: string, auth: unknown, call: CallContext): Promise<Identity> {
    // Giving out a token twice harms nobody, so this write may be repeated.
    const answer = await send(operation, 'POST', '/auth/tokens', call, { body: { auth }, idempotent: true });
    const token = answer.headers['x-subject-token'];
    if (typeof token !== 'string' || token === '') {
      throw unusableAnswer({ service: 'identity', operation }, answer, 'The answer has no token.');
    }
    return identityOf(token, answer, operation);
  }

  function identityOf(token: string, answer: UpstreamAnswer, operation: string): Identity {
    const { token: body } = answer.body as { token?: TokenBody };
    if (body?.user === undefined) {
      throw unusableAnswer({ service: 'identity', operation }, answer, 'The answer has no user.');
    }
    const projectId = body.project?.id ?? '';
    return {
      token,
      projectId,
      projectName: body.project?.name ?? '',
      userId: body.user.id,
      userName: body.user.name,
      userDomainId: body.user.domain.id,
      userDomainName: body.user.domain.name,
      roles: (body.roles ?? []).map((role) => role.name),
      expiresAt: body.expires_at,
      chainId: body.audit_ids?.at(-1) ?? '',
      endpoints: resolveEndpoints(body.catalog ?? [], config, projectId),
    };
  }

  return {
    async authenticate(credentials, call) {
      try {
        return await issue('tokens.authenticate', passwordAuth(credentials), call);
      } catch (thrown) {
        throw told(
          thrown,
          [401],
          401,
          'unauthorized',
          'The user name, password, domain or project is wrong.',
        );
      }
    },

    async rescope(token, projectId, call) {
      const auth = {
        identity: { methods: ['token'], token: { id: token } },
        scope: { project: { id: projectId } },
      };
      try {
        return await issue('tokens.rescope', auth, call);
      } catch (thrown) {
        // The service says 404 to a token it can not read, and 401 to a project it does not let this user into.
        const known = told(thrown, [404], 401, 'unauthorized', TOKEN_INVALID);
        throw told(known, [401, 403], 403, 'forbidden', 'There is no access to this project.');
      }
    },

    async validate(token, call) {
      const operation = 'tokens.validate';
      try {
        const answer = await send(operation, 'GET', '/auth/tokens', call, { token, subject: token });
        return identityOf(token, answer, operation);
      } catch (thrown) {
        throw told(thrown, [401, 404], 401, 'unauthorized', TOKEN_INVALID);
      }
    },

    async revoke(token, call) {
      try {
        await send('tokens.revoke', 'DELETE', '/auth/tokens', call, {
          token,
          subject: token,
          idempotent: true,
          expectJson: false,
        });
      } catch (thrown) {
        throw told(thrown, [401, 404], 401, 'unauthorized', TOKEN_INVALID);
      }
    },

    async ping(call) {
      await send('identity.ping', 'GET', '', call, {});
    },
  };
}

function passwordAuth({ username, password, domainName, project, trustId }: PasswordCredentials): unknown {
  const user = { name: username, password, domain: { name: domainName } };
  return { identity: { methods: ['password'], password: { user } }, scope: scopeOf(project, trustId) };
}

function scopeOf(project: PasswordCredentials['project'], trustId: string | undefined): unknown {
  if (trustId !== undefined) return { 'OS-TRUST:trust': { id: trustId } };
  if (project === undefined) return undefined;
  if ('id' in project) return { project: { id: project.id } };
  return { project: { name: project.name, domain: { name: project.domainName } } };
}

/** The same failure in other words, when the service answered with one of `statuses`. */
function told(thrown: unknown, statuses: number[], status: number, code: string, detail: string): unknown {
  if (!(thrown instanceof UpstreamError) || thrown.status === 502) return thrown;
  if (thrown.upstreamStatus === null || !statuses.includes(thrown.upstreamStatus)) return thrown;
  return new UpstreamError(status, code, detail, thrown);
}
