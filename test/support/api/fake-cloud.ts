import type { ReplyOptions, Upstream } from '../doubles/upstream.ts';
import { expiryIn, type TestCaller, tokenBody } from './factories.ts';

/** The identity service's default. */
const RECEIPT_LIFETIME_MS = 300_000;

/** The usual calls to the identity service. Each method declares one call, or `times` calls. */
export class FakeCloud {
  readonly upstream: Upstream;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }

  reply(name: string, options?: ReplyOptions): this {
    this.upstream.reply(name, options);
    return this;
  }

  /** The token is validated and accepted. */
  acceptsToken(caller: TestCaller, options: ReplyOptions = {}): this {
    return this.reply('identity/token-validate', {
      requestHeaders: { 'x-subject-token': caller.token },
      body: tokenBody(caller),
      ...options,
    });
  }

  /** The token is validated and rejected. */
  rejectsToken(token: string): this {
    return this.reply('identity/token-unknown', { requestHeaders: { 'x-subject-token': token } });
  }

  /** The token is revoked. */
  revokesToken(token: string, options: ReplyOptions = {}): this {
    return this.reply('identity/token-validate', {
      method: 'DELETE',
      requestHeaders: { 'x-auth-token': token, 'x-subject-token': token },
      status: 204,
      body: '',
      ...options,
    });
  }

  /** The token is exchanged for a token of another project. */
  rescopesToken(token: string, to: TestCaller, options: ReplyOptions = {}): this {
    return this.reply('identity/token-rescope', {
      requestBody: rescopeRequest(token, to.projectId),
      headers: { 'x-subject-token': to.token },
      body: tokenBody(to),
      ...options,
    });
  }

  /** The token is not accepted for the project. */
  deniesProject(token: string, projectId: string): this {
    return this.reply('identity/token-no-access', { requestBody: rescopeRequest(token, projectId) });
  }

  /** The password is accepted; the response has the caller's token. */
  acceptsLogIn(caller: TestCaller, options: ReplyOptions = {}): this {
    return this.reply('identity/token', {
      headers: { 'x-subject-token': caller.token },
      body: tokenBody(caller),
      ...options,
    });
  }

  /** The password is accepted, and not sufficient; the response has a receipt. */
  asksForMore(receipt: string, requiredMethods: string[][], options: ReplyOptions = {}): this {
    return this.rejectsLogIn({
      headers: { 'openstack-auth-receipt': receipt },
      body: {
        receipt: {
          methods: ['password'],
          user: { id: 'user-of-receipt', name: 'demo', domain: { id: 'default', name: 'Default' } },
          expires_at: expiryIn(RECEIPT_LIFETIME_MS),
          issued_at: expiryIn(0),
        },
        required_auth_methods: requiredMethods,
      },
      ...options,
    });
  }

  rejectsLogIn(options: ReplyOptions = {}): this {
    return this.reply('identity/token-wrong-password', options);
  }

  /** The caller, whose token is validated once. */
  validCaller(caller: TestCaller): TestCaller {
    this.acceptsToken(caller);
    return caller;
  }

  /** Methods and paths of the calls received. */
  calls(): string[] {
    return this.upstream.calls.map(({ method, path }) => `${method} ${path}`);
  }
}

function rescopeRequest(token: string, projectId: string) {
  return {
    auth: {
      identity: { methods: ['token'], token: { id: token } },
      scope: { project: { id: projectId } },
    },
  };
}
