import type { CreatedKeypair, KeypairRecord } from '@gateway/openstack';

export interface Keypair {
  name: string;
  fingerprint: string;
  type: string;
  /** Always null in lists, because the service does not return it there. */
  created_at: string | null;
}

/** A choice of the `key_type` of a new key pair. */
export interface KeypairType {
  name: 'ssh' | 'x509';
  description: string;
  is_default: boolean;
}

/** The compute service has no list of them. */
export const keypairTypes: KeypairType[] = [
  { name: 'ssh', description: 'A key for ssh.', is_default: true },
  {
    name: 'x509',
    description: 'A certificate, with which Windows instances are reached.',
    is_default: false,
  },
];

export interface NewKeypair {
  name: string;
  fingerprint: string;
  public_key: string;
  /** Present if the service generated the key pair; returned only once. */
  private_key?: string;
}

export function presentKeypair({ name, fingerprint, type }: KeypairRecord): Keypair {
  return { name, fingerprint, type, created_at: null };
}

export function presentNewKeypair(keypair: CreatedKeypair): NewKeypair {
  const { name, fingerprint, public_key, private_key } = keypair;
  return { name, fingerprint, public_key, ...(private_key !== null && { private_key }) };
}
