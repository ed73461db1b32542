import { createHash } from 'node:crypto';

/** The token that replaces this one after an accepted final report, as the scripts of a machine derive it. */
export function nextToken(token: string, times = 1): string {
  if (times === 0) return token;
  const at = token.lastIndexOf('.');
  const secret = `${token.slice(at + 1)} gateway first boot: next secret`;
  return nextToken(`${token.slice(0, at)}.${createHash('sha256').update(secret).digest('hex')}`, times - 1);
}
