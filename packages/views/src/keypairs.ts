import type { CreatedKeypair, KeypairRecord } from '@gateway/openstack';

export interface Keypair {
  name: string;
  fingerprint: string;
  type: string;
  /** Always null in lists, because the service does not return it there. */
  created_at: null;
}

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
  return { name, fingerprint, public_key, ...(private_key !== undefined && { private_key }) };
}
