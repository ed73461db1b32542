import { conflict, unauthorized } from '@gateway/core';
import type { IdentityConfig } from '@gateway/platform';
import type { CallContext, UpstreamRequest } from '../call.ts';
import { baseUrl } from '../catalog.ts';
import type {
  ApplicationCredentialLogin,
  AuthReceipt,
  Identity,
  PasscodeCredentials,
  PasswordCredentials,
} from '../credentials/identity.ts';
import { invalidResponseError } from '../errors/from-response.ts';
import { badGateway, UpstreamError } from '../errors/index.ts';
import type { Transport, UpstreamResponse } from '../transport.ts';
import { path } from '../url.ts';
import { passcodeAuth, passwordAuth } from './auth-request.ts';
import { identityOf, RECEIPT_HEADER, receiptOf, refuseAccessRules } from './token-response.ts';

/** Exchanges a password, an application credential or a token for an identity. Needs no identity itself. */
export interface Tokens {
  /**
   * Throws a 401 for wrong credentials. Its code is `password_expired` if the password is
   * right but has expired. Returns a receipt if the password is right and not sufficient.
   */
  logIn(credentials: PasswordCredentials, call: CallContext): Promise<Identity | AuthReceipt>;
  /**
   * Continues a log-in that has a receipt. Throws a 401 for a wrong passcode, or if the user has no access to
   * the project; its code is `invalid_receipt` if the receipt has expired or is unknown. The service accepts
   * a passcode more than once. Returns another receipt if the passcode is not sufficient either.
   */
  continueLogIn(credentials: PasscodeCredentials, call: CallContext): Promise<Identity | AuthReceipt>;
  /** Like `logIn`, but throws a 401 if the password is not sufficient. */
  authenticate(credentials: PasswordCredentials, call: CallContext): Promise<Identity>;
  /**
   * The id of a user whose password has expired. Throws a 401 for wrong credentials, and a 409 if the
   * password has not expired.
   */
  userOfExpiredPassword(credentials: PasswordCredentials, call: CallContext): Promise<string>;
  /**
   * Changes the password of a user without a token, also one that has expired. Throws a 401 if the current
   * password is wrong, and a 400 with the policy's text if the new one violates the policy.
   */
  changePassword(
    userId: string,
    passwords: { current: string; new: string },
    call: CallContext,
  ): Promise<void>;
  /**
   * The user of an application credential, with the rights of the credential. Throws a 401 for an unknown
   * credential or a wrong secret. Throws a 403 with the code `auth_method_unsupported` if the multi-factor
   * rules of the user do not accept a credential alone.
   */
  authenticateApplicationCredential(
    credential: ApplicationCredentialLogin,
    call: CallContext,
  ): Promise<Identity>;
  /**
   * Gets a token of the same user for another project. Throws a 403 if the user has no access to the project
   * or the token has expired (the service does not distinguish these), or if tokens of this scope cannot be
   * exchanged (the service responds with 403). Throws a 401 if the text is not a token.
   */
  rescope(token: string, projectId: string, call: CallContext): Promise<Identity>;
  /**
   * The identity of a token. Throws a 401 if the token is unknown or has expired. Throws another 401 if the
   * token is of an application credential with access rules: the rules name requests to services, and the
   * gateway chooses its requests itself.
   */
  validate(token: string, call: CallContext): Promise<Identity>;
  /** Revokes a token, also one that is not valid any more, but not the tokens rescoped from it. */
  revoke(token: string, call: CallContext): Promise<void>;
  /** Resolves if the identity service responds. */
  ping(call: CallContext): Promise<void>;
}

/** The error code for an expired password. */
const PASSWORD_EXPIRED = 'password_expired';
/** The error code for a receipt that has expired or is unknown. */
export const RECEIPT_INVALID = 'invalid_receipt';
/** The error code for a user whose log-in takes other methods than those of the request. */
const METHOD_UNSUPPORTED = 'auth_method_unsupported';
/** The service compares the password first, so only its owner learns that it has expired. */
const EXPIRED = /^The password is expired\b(?:.{0,100} for user: ([\w-]+))?/;

const MULTI_FACTOR =
  'The multi-factor rules of the user do not accept log-ins by application credential. ' +
  'Please ask an administrator of the cloud to add the rule ["application_credential"] to `multi_factor_auth_rules` of the user.';
const NOT_EXCHANGED =
  'The identity service exchanges no token of this kind: one of the whole system, of a trust or of an application credential stays in its scope. Please use a token of the project.';
const TOKEN_INVALID = 'The token is invalid or has expired.';

export function createTokens(transport: Transport, config: IdentityConfig): Tokens {
  const base = baseUrl('identity', config.endpoints.identity ?? config.url);

  function send(
    operation: string,
    method: UpstreamRequest['method'],
    pathname: string,
    call: CallContext,
    options: {
      token?: string;
      subject?: string;
      headers?: Record<string, string>;
      body?: unknown;
      idempotent?: boolean;
      expectJson?: boolean;
      isResult?: UpstreamRequest['isResult'];
    },
  ): Promise<UpstreamResponse> {
    const headers: Record<string, string> = {
      ...options.headers,
      'x-openstack-request-id': call.requestId,
    };
    if (options.token !== undefined) headers['x-auth-token'] = options.token;
    if (options.subject !== undefined) headers['x-subject-token'] = options.subject;
    return transport.send(
      {
        service: 'identity',
        operation,
        method,
        url: base + pathname,
        headers,
        body: options.body,
        idempotent: options.idempotent === true,
        isDelete: false,
        expectJson: options.expectJson !== false,
        isResult: options.isResult,
      },
      call,
    );
  }

  async function issue(operation: string, auth: unknown, call: CallContext): Promise<Identity> {
    const issued = await issueOrAskForMore(operation, auth, call);
    if (!('receipt' in issued)) return issued;
    throw unauthorized('The user has to log in with more than one method.');
  }

  async function issueOrAskForMore(
    operation: string,
    auth: unknown,
    call: CallContext,
    receipt?: string,
  ): Promise<Identity | AuthReceipt> {
    // A second token does no harm, so this write may be retried.
    const response = await send(operation, 'POST', '/auth/tokens', call, {
      body: { auth },
      idempotent: true,
      isResult: ({ status, headers }) => status === 401 && headers[RECEIPT_HEADER] !== undefined,
      ...(receipt !== undefined && { headers: { [RECEIPT_HEADER]: receipt } }),
    });
    if (response.status === 401) return receiptOf(response, operation);
    const token = response.headers['x-subject-token'];
    if (typeof token !== 'string' || token === '') {
      throw invalidResponseError({ service: 'identity', operation }, response, 'The response has no token.');
    }
    return identityOf(config, token, response, operation);
  }

  async function withPassword<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (thrown) {
      if (isRefusedBecause(thrown, EXPIRED)) {
        throw new UpstreamError(
          401,
          PASSWORD_EXPIRED,
          'The password has expired and has to be changed.',
          thrown,
        );
      }
      throw reword(
        thrown,
        [401],
        401,
        'unauthorized',
        'The user name, password, domain or project is wrong.',
      );
    }
  }

  async function revoke(token: string, call: CallContext): Promise<void> {
    try {
      await send('tokens.revoke', 'DELETE', '/auth/tokens', call, {
        token,
        subject: token,
        idempotent: true,
        expectJson: false,
      });
    } catch (thrown) {
      // The token authenticates its own revocation, so this is about no other token.
      if (!(thrown instanceof UpstreamError && [401, 404].includes(thrown.status))) throw thrown;
    }
  }

  return {
    logIn: (credentials, call) =>
      withPassword(() => issueOrAskForMore('tokens.authenticate', passwordAuth(credentials), call)),

    authenticate: (credentials, call) =>
      withPassword(() => issue('tokens.authenticate', passwordAuth(credentials), call)),

    async continueLogIn({ receipt, ...credentials }, call) {
      try {
        return await issueOrAskForMore('tokens.continueLogIn', passcodeAuth(credentials), call, receipt);
      } catch (thrown) {
        if (isRefusedBecause(thrown, /^Could not find auth receipt\b/)) {
          throw new UpstreamError(401, RECEIPT_INVALID, 'The receipt is not valid.', thrown);
        }
        throw reword(thrown, [401], 401, 'unauthorized', 'The passcode or the project is wrong.');
      }
    },

    async userOfExpiredPassword(credentials, call) {
      let issued: Identity | AuthReceipt;
      try {
        issued = await issueOrAskForMore('tokens.authenticate', passwordAuth(credentials), call);
      } catch (thrown) {
        if (!isRefusedBecause(thrown, EXPIRED)) {
          throw reword(thrown, [401], 401, 'unauthorized', 'The user name, password or domain is wrong.');
        }
        const [, userId] = EXPIRED.exec(thrown.upstreamMessage ?? '') ?? [];
        if (userId === undefined) throw badGateway(thrown);
        return userId;
      }
      if (!('receipt' in issued)) await revoke(issued.token, call);
      throw conflict('already_done', 'The password has not expired. Please log in to change it.');
    },

    async changePassword(userId, passwords, call) {
      try {
        await send('tokens.changePassword', 'POST', path`/users/${userId}/password`, call, {
          body: { user: { original_password: passwords.current, password: passwords.new } },
          expectJson: false,
        });
      } catch (thrown) {
        throw reword(thrown, [401], 401, 'unauthorized', 'The current password is wrong.');
      }
    },

    async authenticateApplicationCredential({ id, secret }, call) {
      const operation = 'tokens.authenticate';
      const identity = { methods: ['application_credential'], application_credential: { id, secret } };
      let issued: Identity | AuthReceipt;
      try {
        issued = await issueOrAskForMore(operation, { identity }, call);
      } catch (thrown) {
        throw reword(thrown, [401, 404], 401, 'unauthorized', 'The application credential is not valid.');
      }
      if (!('receipt' in issued)) return issued;
      throw new UpstreamError(403, METHOD_UNSUPPORTED, MULTI_FACTOR, {
        service: 'identity',
        operation,
        upstreamStatus: 401,
        upstreamMessage: null,
        upstreamRequestId: null,
      });
    },

    async rescope(token, projectId, call) {
      const auth = {
        identity: { methods: ['token'], token: { id: token } },
        scope: { project: { id: projectId } },
      };
      try {
        return await issue('tokens.rescope', auth, call);
      } catch (thrown) {
        // The service responds with 404 to a malformed token, and with 401 to a project
        // without access for the user.
        const invalid = reword(thrown, [404], 401, 'unauthorized', TOKEN_INVALID);
        const foreign = reword(invalid, [401], 403, 'forbidden', 'The user has no access to this project.');
        throw reword(foreign, [403], 403, 'forbidden', NOT_EXCHANGED);
      }
    },

    async validate(token, call) {
      const operation = 'tokens.validate';
      try {
        const response = await send(operation, 'GET', '/auth/tokens', call, {
          token,
          subject: token,
          // Without this header, the service reports that a token with access rules does not exist.
          headers: { 'openstack-identity-access-rules': '1.0' },
        });
        const identity = identityOf(config, token, response, operation);
        refuseAccessRules(identity);
        return identity;
      } catch (thrown) {
        throw reword(thrown, [401, 404], 401, 'unauthorized', TOKEN_INVALID);
      }
    },

    revoke,

    async ping(call) {
      await send('identity.ping', 'GET', '', call, {});
    },
  };
}

/** Whether the user may not log in with an application credential alone. */
export function isRefusedByMultiFactorRules(thrown: unknown): thrown is UpstreamError {
  return thrown instanceof UpstreamError && thrown.code === METHOD_UNSUPPORTED;
}

function isRefusedBecause(thrown: unknown, reason: RegExp): thrown is UpstreamError {
  return (
    thrown instanceof UpstreamError &&
    thrown.upstreamStatus === 401 &&
    reason.test(thrown.upstreamMessage ?? '')
  );
}

/** The same error with another status and message, if the service responded with one of `statuses`. */
function reword(thrown: unknown, statuses: number[], status: number, code: string, detail: string): unknown {
  if (!(thrown instanceof UpstreamError) || thrown.status === 502) return thrown;
  if (thrown.upstreamStatus === null || !statuses.includes(thrown.upstreamStatus)) return thrown;
  return new UpstreamError(status, code, detail, thrown);
}
