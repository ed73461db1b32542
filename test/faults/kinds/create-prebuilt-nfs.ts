import { acts, creationKind, layered } from './creation.ts';

export const createPrebuiltNfs = creationKind({
  name: 'create prebuilt nfs',
  library: 'nfs',
  runsSlowFaults: true,
  entries: { ...layered.entries, port: [acts.port] },
  completed: layered.completed,
});
