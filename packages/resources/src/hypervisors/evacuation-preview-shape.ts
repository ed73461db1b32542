import {
  id,
  idOrEmpty,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';

export const evacuationPreviewShape = shape('EvacuationPreview', {
  hypervisor_id: id('hypervisor'),
  hypervisor_name: text('compute-1'),
  state: nonEmptyText('up').describe('`up` or `down`.'),
  status: nonEmptyText('enabled').describe('`enabled` or `disabled`.'),
  instances: listOf(
    part({
      id: id('instance'),
      name: text('web-1'),
      status: nonEmptyText('ACTIVE'),
      project_id: idOrEmpty('project'),
      project_name: text('demo').nullable(),
      move: oneOf(['live_migrate', 'migrate', 'evacuate'])
        .nullable()
        .describe(
          'While it runs (`live_migrate`), stopped (`migrate`), or built anew because the host is down (`evacuate`); null if it stays.',
        ),
      reason: text().nullable().describe('Why it stays.'),
    }),
  ),
});

export type EvacuationPreview = ShapeType<typeof evacuationPreviewShape>;

/** How an instance leaves its host: running, stopped, or built anew because the host is off. */
export type Move = NonNullable<EvacuationPreview['instances'][number]['move']>;
