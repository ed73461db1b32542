import { cacheSettings } from '../../../packages/platform/src/config/settings/lists.ts';

/** Every list is read from the cloud for each request. */
export const coldCaches = everyLifetime(0);

/** A list stays as it is until a write drops it, also while an item is in transition. */
export const lastingCaches = everyLifetime(3600);

function everyLifetime(seconds: number): Record<string, number> {
  const lifetimes = Object.keys(cacheSettings.describe().keys).filter(
    (name) => name.endsWith('_seconds') && name !== 'transition_limit_seconds',
  );
  return Object.fromEntries(lifetimes.map((name) => [name, seconds]));
}
