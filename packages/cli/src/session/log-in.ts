import { type GatewayClient, GatewayError, type TokenResponse } from '@gateway/client';
import type { Context } from '../context.ts';
import { warn } from '../output/print.ts';
import { createClient } from './create-client.ts';
import { type Identity, logInBody } from './identity.ts';
import { askSecret, canAsk } from './prompt.ts';

const MAX_PASSCODES = 3;

/** Logs in, and asks for what the account requires besides the password. @throws GatewayError */
export async function logIn(
  context: Context,
  url: string,
  identity: Identity,
): Promise<{ gateway: GatewayClient; session: TokenResponse }> {
  const gateway = createClient(context, url);
  try {
    return { gateway, session: await gateway.logIn(logInBody(identity)) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === 'password_expired' && canAsk(context)) {
      await replacePassword(context, gateway, identity);
      return logIn(context, url, identity);
    }
    if (error.receipt === null) throw error;
    return { gateway, session: await sendPasscodes(context, gateway, error.receipt) };
  }
}

/** The passcode of a second factor, with some attempts on a terminal. */
async function sendPasscodes(
  context: Context,
  gateway: GatewayClient,
  receipt: string,
): Promise<TokenResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const given = context.env.GATEWAY_PASSCODE;
    const passcode = given || (await askSecret(context, 'Passcode', 'set GATEWAY_PASSCODE'));
    try {
      return await gateway.logIn({ receipt, passcode });
    } catch (error) {
      const isWrong = error instanceof GatewayError && error.code === 'wrong_passcode';
      if (!isWrong || given || attempt === MAX_PASSCODES) throw error;
      warn(context, error.message);
    }
  }
}

async function replacePassword(context: Context, gateway: GatewayClient, identity: Identity): Promise<void> {
  warn(context, 'The password has expired.');
  const password = await askSecret(context, 'New password', 'log in on a terminal');
  await gateway.request('PUT /api/auth/expired-password', {
    body: {
      username: identity.username ?? '',
      current_password: identity.password ?? '',
      new_password: password,
      ...(identity.userDomain && { user_domain: identity.userDomain }),
    },
  });
  identity.password = password;
}
