import { acts, creationKind, layered } from './creation.ts';

export const createDynamic = creationKind({
  name: 'create dynamic',
  library: 'dynamic',
  entries: { ...layered.entries, 'dynamic-share': [acts.share] },
  completed: { ...layered.completed, shares: 1 },
});
