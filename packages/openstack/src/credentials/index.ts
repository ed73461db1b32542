export * from './cached-identity.ts';
export * from './domain-reference.ts';
export * from './identity.ts';
export * from './identity-source.ts';
export { REVOCATION_PAUSE_MS } from './revocation-pause.ts';
