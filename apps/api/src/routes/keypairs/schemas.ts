import { flag, nonEmptyText, oneOf, shapeLike, text, timestamp } from '@gateway/core/shapes';
import { type Keypair, type KeypairType, keypairTypes, type NewKeypair } from '@gateway/resources';
import Joi from 'joi';
import { existingNameField, nameField } from '../../http/schemas/fields.ts';

export interface KeypairBody {
  name: string;
  public_key?: string;
  key_type: KeypairType['name'];
}

export const keypairBody = Joi.object<KeypairBody, true>({
  name: nameField().required(),
  public_key: Joi.string().min(1).max(65_535).description('Without it the service generates a key pair.'),
  key_type: Joi.string()
    .valid(...keypairTypes.map(({ name }) => name))
    .default('ssh'),
}).required();

export const keypairShape = shapeLike<Keypair>('Keypair', {
  name: nonEmptyText('laptop'),
  fingerprint: text('SHA256:WNF6hL0vXJ4cUq0Wn6JmXo0rYc1mJb3mA0H6n1dQd2E'),
  type: nonEmptyText('ssh'),
  created_at: timestamp().nullable(),
});

export const keypairTypeShape = shapeLike<KeypairType>('KeypairType', {
  name: oneOf(
    keypairTypes.map(({ name }) => name),
    'ssh',
  ),
  description: text(''),
  is_default: flag(false),
});

export const newKeypairShape = shapeLike<NewKeypair>('NewKeypair', {
  name: nonEmptyText('laptop'),
  fingerprint: text('SHA256:WNF6hL0vXJ4cUq0Wn6JmXo0rYc1mJb3mA0H6n1dQd2E'),
  public_key: text(
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2mPzq0c5oT6y8bVnX5xwQ4u6cJqkq1r3Zq7L0aT9pE demo@laptop',
  ),
  private_key: nonEmptyText()
    .describe('Present only in this response, if the service has generated the key pair.')
    .optional(),
});

export const keypairParams = Joi.object<{ keypair_name: string }, true>({
  keypair_name: existingNameField().required(),
});
