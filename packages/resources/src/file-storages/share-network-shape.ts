import { id, idOrEmpty, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';

export const shareNetworkShape = shape('ShareNetwork', {
  id: id('share_network'),
  name: text('exports'),
  description: text(''),
  network_id: idOrEmpty('network').nullable().describe('Null without a network of the network service.'),
  network_name: text('inside').nullable(),
  subnet_id: idOrEmpty('subnet').nullable(),
  subnet_name: text('inside').nullable(),
  created_at: timestamp().nullable(),
});

/** Where the shared file system service exports the shares of a project. */
export type ShareNetwork = ShapeType<typeof shareNetworkShape>;
