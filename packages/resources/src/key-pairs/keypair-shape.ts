import { enumOf, flag, nonEmptyText, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';

export const keypairShape = shape('Keypair', {
  name: nonEmptyText('laptop'),
  fingerprint: text('SHA256:WNF6hL0vXJ4cUq0Wn6JmXo0rYc1mJb3mA0H6n1dQd2E'),
  type: nonEmptyText('ssh'),
  /** Always null in lists, because the service does not return it there. */
  created_at: timestamp().nullable(),
});

export type Keypair = ShapeType<typeof keypairShape>;

export const keypairTypeShape = shape('KeypairType', {
  name: enumOf('KeypairTypeName', ['ssh', 'x509']),
  description: text(''),
  is_default: flag(false),
});

/** A choice of the `key_type` of a new key pair. */
export type KeypairType = ShapeType<typeof keypairTypeShape>;

export const newKeypairShape = shape('CreatedKeypair', {
  name: nonEmptyText('laptop'),
  fingerprint: text('SHA256:WNF6hL0vXJ4cUq0Wn6JmXo0rYc1mJb3mA0H6n1dQd2E'),
  public_key: text(
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2mPzq0c5oT6y8bVnX5xwQ4u6cJqkq1r3Zq7L0aT9pE demo@laptop',
  ),
  private_key: nonEmptyText()
    .describe('Present only in this response, if the service has generated the key pair.')
    .optional(),
});

export type NewKeypair = ShapeType<typeof newKeypairShape>;
