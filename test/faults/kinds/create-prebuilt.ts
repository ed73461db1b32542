import { creationKind, layered } from './creation.ts';

export const createPrebuilt = creationKind({ name: 'create prebuilt', library: 'native', ...layered });
