import type { Context } from 'mocha';
import { findHelm } from '../../scripts/helm.ts';

/**
 * The path of helm. Without it the suite is skipped and says so, also in CI, because Go takes minutes to
 * build it.
 */
export function requireHelm(context: Pick<Context, 'skip'>): string {
  const helm = findHelm();
  if (helm !== undefined) return helm;
  process.stderr.write(
    '      NOT CHECKED, because helm is missing: install it, or build it with npm run helm\n',
  );
  return context.skip();
}
