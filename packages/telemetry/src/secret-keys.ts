/**
 * Endings of keys with secret values. Compared in lower case without separators, so that `X-Auth-Token`,
 * `x_auth_token` and `xAuthToken` are equal.
 */
const SECRET_ENDINGS = [
  'token',
  'tokens',
  'ticket',
  'receipt',
  'passcode',
  'authorization',
  'cookie',
  'cookies',
  'password',
  'passwd',
  'passphrase',
  'adminpass',
  'secret',
  'secrets',
  'privatekey',
  'accesskey',
  'secretkey',
  'authkey',
  'apikey',
  'sealingkey',
  'sealingkeys',
  'clientkeydata',
  'userdata',
  'kubeconfig',
  'credential',
  'credentials',
];

/** These make a key secret at any position: `current_password_text`, `secret_blob`. */
const SECRET_PARTS = ['password', 'secret', 'privatekey', 'kubeconfig', 'userdata', 'sealingkey'];

/** Keys for the expiry, age or number of secrets are not secret. */
const HARMLESS_ENDINGS = ['at', 'seconds', 'ms', 'count', 'length', 'id'];

const SEPARATORS = /[^a-z0-9]/g;

/** Whether the log must not show values of this key. */
export function isSecretKey(key: string): boolean {
  const plain = key.toLowerCase().replace(SEPARATORS, '');
  if (plain === 'pass' || plain === 'pwd') return true;
  if (SECRET_ENDINGS.some((ending) => plain.endsWith(ending))) return true;
  if (HARMLESS_ENDINGS.some((ending) => plain.endsWith(ending))) return false;
  return SECRET_PARTS.some((part) => plain.includes(part));
}
