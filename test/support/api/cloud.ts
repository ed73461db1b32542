import type { ReplyOptions, Upstream } from '../upstream.ts';
import { type TestCaller, tokenBody } from './factories.ts';

/** What tests say of the identity service again and again; each is one declared call unless `times` says else. */
export class Cloud {
  readonly upstream: Upstream;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }

  reply(name: string, options?: ReplyOptions): this {
    this.upstream.reply(name, options);
    return this;
  }

  /** The service is asked whether the token is good, and says that it is. */
  knows(caller: TestCaller, options: ReplyOptions = {}): this {
    return this.reply('identity/token-validate', {
      requestHeaders: { 'x-subject-token': caller.token },
      body: tokenBody(caller),
      ...options,
    });
  }

  /** The service is asked, and knows no such token. */
  knowsNot(token: string): this {
    return this.reply('identity/token-unknown', { requestHeaders: { 'x-subject-token': token } });
  }

  /** The service is told to revoke the token. */
  revokes(token: string, options: ReplyOptions = {}): this {
    return this.reply('identity/token-validate', {
      method: 'DELETE',
      requestHeaders: { 'x-auth-token': token, 'x-subject-token': token },
      status: 204,
      body: '',
      ...options,
    });
  }

  /** The service gives a token for another project in exchange for one. */
  rescopes(token: string, to: TestCaller, options: ReplyOptions = {}): this {
    return this.reply('identity/token-rescope', {
      requestBody: rescoping(token, to.projectId),
      headers: { 'x-subject-token': to.token },
      body: tokenBody(to),
      ...options,
    });
  }

  /** The service lets this token into no such project. */
  refusesProject(token: string, projectId: string): this {
    return this.reply('identity/token-no-access', { requestBody: rescoping(token, projectId) });
  }

  /** The password is right, and the token is this one. */
  logsIn(caller: TestCaller, options: ReplyOptions = {}): this {
    return this.reply('identity/token', {
      headers: { 'x-subject-token': caller.token },
      body: tokenBody(caller),
      ...options,
    });
  }

  refusesLogIn(options: ReplyOptions = {}): this {
    return this.reply('identity/token-wrong-password', options);
  }

  /** Somebody whose token will be asked about once. */
  known(caller: TestCaller): TestCaller {
    this.knows(caller);
    return caller;
  }

  /** Paths of the declared calls that came, with their methods. */
  calls(): string[] {
    return this.upstream.calls.map(({ method, path }) => `${method} ${path}`);
  }
}

function rescoping(token: string, projectId: string) {
  return {
    auth: {
      identity: { methods: ['token'], token: { id: token } },
      scope: { project: { id: projectId } },
    },
  };
}
