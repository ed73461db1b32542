/** How keys with secret values end, such as `X-Auth-Token`, `auth_token` and `authToken`. */
const SECRET_ENDING =
  /(?:^pass|^pwd|tokens?|ticket|receipt|passcode|authorization|cookies?|password|passwd|passphrase|admin[_-]?pass|secrets?|(?:private|access|secret|auth|api|sealing)[_-]?keys?|client[_-]?key[_-]?data|user[_-]?data|kubeconfig|credentials?)[^a-z0-9]*$/i;

/** These make a key secret at any position: `current_password_text`, `secret_blob`. */
const SECRET_PART = /password|secret|private[_-]?key|kubeconfig|user[_-]?data|sealing[_-]?key/i;

/** Keys for the expiry, age or number of secrets are not secret. */
const HARMLESS_ENDING = /(?:at|seconds|ms|count|length|id)$/i;

/** Whether the log must not show values of this key. */
export function isSecretKey(key: string): boolean {
  return SECRET_ENDING.test(key) || (SECRET_PART.test(key) && !HARMLESS_ENDING.test(key));
}
