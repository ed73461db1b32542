import type { CreatedKeypair, KeypairRecord } from '@gateway/openstack';
import type { Keypair, KeypairType, NewKeypair } from './keypair-shape.ts';

/** The compute service has no list of them. */
export const keypairTypes: KeypairType[] = [
  { name: 'ssh', description: 'A key for ssh.', is_default: true },
  {
    name: 'x509',
    description: 'A certificate, with which Windows instances are reached.',
    is_default: false,
  },
];

export function presentKeypair({ name, fingerprint, type }: KeypairRecord): Keypair {
  return { name, fingerprint, type, created_at: null };
}

export function presentNewKeypair(keypair: CreatedKeypair): NewKeypair {
  const { name, fingerprint, public_key, private_key } = keypair;
  return { name, fingerprint, public_key, ...(private_key !== null && { private_key }) };
}
