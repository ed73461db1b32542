import { id, integer, listOf, type ShapeType, shape, text } from '@gateway/core/shapes';

export const serverGroupShape = shape('ServerGroup', {
  id: id('server_group'),
  name: text('apart'),
  /** `affinity` for one host, `anti-affinity` for different ones; with `soft-`, only if that is possible. */
  policy: text('anti-affinity'),
  /** How many instances of an `anti-affinity` group may share a host; null for one. */
  max_server_per_host: integer(3).nullable(),
  instance_ids: listOf(id('instance')),
  instance_names: listOf(text('web-1').nullable()),
});

export type ServerGroup = ShapeType<typeof serverGroupShape>;
