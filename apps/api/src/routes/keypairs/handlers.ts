import { type KeypairType, keypairTypes, presentKeypair, presentNewKeypair } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { KeypairBody } from './schemas.ts';

export async function listKeypairs({ openstack }: RequestContext) {
  return (await openstack.compute.keypairs.list()).map(presentKeypair);
}

export async function listKeypairTypes(): Promise<KeypairType[]> {
  return keypairTypes;
}

export async function createKeypair({ body, openstack }: RequestContext<unknown, unknown, KeypairBody>) {
  const { name, public_key, key_type } = body;
  return presentNewKeypair(await openstack.compute.keypairs.create({ name, public_key, type: key_type }));
}

export async function deleteKeypair({ params, openstack }: RequestContext<{ keypair_name: string }>) {
  await openstack.compute.keypairs.remove(params.keypair_name);
}
