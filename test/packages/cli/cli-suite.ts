import { FakeGateway } from './fake-gateway.ts';
import { Terminal } from './terminal.ts';

/** What the gateway answers to a log-in. */
export const SESSION = {
  token: 'token-1',
  project_id: 'p1',
  project_name: 'demo',
  username: 'demo',
  user_id: 'u1',
  roles: ['member'],
};

/** A gateway and a terminal for the tests of the suite that calls it. */
export function cliSuite() {
  const gateway = new FakeGateway();
  const terminal = new Terminal();
  /** With the variables of a session in `env`. */
  const env: Record<string, string> = { GATEWAY_TOKEN: 'token', GATEWAY_PROJECT_ID: 'p' };

  before(async () => {
    await gateway.start();
    env.GATEWAY_URL = gateway.url;
  });

  after(async () => {
    terminal.remove();
    await gateway.stop();
  });

  return { gateway, terminal, env };
}
