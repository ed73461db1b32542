import assert from 'node:assert/strict';
import {
  anyObject,
  exampleId,
  exampleOf,
  fieldsOf,
  flag,
  id,
  integer,
  itemOf,
  listOf,
  mapOf,
  nonEmptyText,
  oneOf,
  part,
  type Shape,
  shape,
  text,
  timestamp,
  toJsonSchema,
  typeOf,
} from '@gateway/core/shapes';

function inlined(schema: Shape<unknown>): Record<string, unknown> {
  return toJsonSchema(schema, inlined);
}

describe('the JSON schema of a shape', () => {
  it('has the types, limits and descriptions of its fields', () => {
    const volume = part({
      id: id('volume'),
      size: integer(10).min(0).describe('GB.'),
      kind: oneOf(['disk', 'tape']).nullable(),
      when: timestamp().nullable(),
      tags: mapOf(text()),
      note: text().optional(),
    });

    assert.deepEqual(inlined(volume), {
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1 },
        size: { type: 'integer', minimum: 0, description: 'GB.' },
        kind: { type: ['string', 'null'], enum: ['disk', 'tape', null] },
        when: { type: ['string', 'null'], format: 'date-time' },
        tags: { type: 'object', additionalProperties: { type: 'string' } },
        note: { type: 'string' },
      },
      required: ['id', 'kind', 'size', 'tags', 'when'],
    });
  });

  it('leaves parts to the caller, who may refer to them', () => {
    const reference = { $ref: '#/components/schemas/Volume' };

    assert.deepEqual(
      toJsonSchema(text().nullable(), () => reference),
      { anyOf: [reference, { type: 'null' }] },
    );
  });

  it('has no additional properties, so that responses may get fields', () => {
    assert.deepEqual(inlined(anyObject()), { type: 'object' });
  });
});

describe('the example of a shape', () => {
  const disk = shape('Disk', {
    id: id('volume'),
    name: text('data'),
    description: text().nullable(),
    size: integer(),
    isUsed: flag(),
    state: oneOf(['up', 'down']).nullable(),
    parts: listOf(part({ name: nonEmptyText('first') })),
    code: text().optional(),
    hint: text('more').optional(),
  });

  it('has the values of its fields, and plain ones without', () => {
    assert.deepEqual(exampleOf(disk), {
      id: exampleId('volume'),
      name: 'data',
      description: null,
      size: 1,
      isUsed: true,
      state: 'up',
      parts: [{ name: 'first' }],
      hint: 'more',
    });
  });

  it('takes what differs, also within lists', () => {
    const { code, parts, state } = exampleOf(disk, {
      code: 'x',
      parts: [{}, { name: 'last' }],
      state: null,
    }) as {
      code: string;
      parts: object[];
      state: null;
    };

    assert.deepEqual([code, parts, state], ['x', [{ name: 'first' }, { name: 'last' }], null]);
  });

  it('is refused for a text without a value', () => {
    assert.throws(() => exampleOf(part({ inner: part({ name: text() }) })), /\.inner\.name/);
  });

  it('has the same id wherever it shows the same kind of resource', () => {
    assert.equal(exampleOf(id('server')), exampleOf(id('instance')));
  });
});

describe('the parts of a shape', () => {
  it('are read through lists and null', () => {
    const rows = listOf(
      part({ id: id('volume'), size: integer().nullable(), state: oneOf(['up']) }),
    ).nullable();

    assert.deepEqual(
      [...fieldsOf(rows)].map(([name, field]) => [name, typeOf(field)]),
      [
        ['id', 'string'],
        ['size', 'number'],
        ['state', 'string'],
      ],
    );
    assert.equal(itemOf(text()), undefined);
  });

  it('refuse fields that are not declared', () => {
    assert.equal(part({ id: id('volume') }).safeParse({ id: 'v-1', more: 1 }).success, false);
  });
});
