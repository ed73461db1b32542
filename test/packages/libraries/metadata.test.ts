import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  dynamicShareMetadata,
  overlayMetadata,
  parseOverlayMetadata,
  prebuiltShareMetadata,
  reservedKeys,
} from '@gateway/libraries';
import { library } from './library.ts';

describe('overlayMetadata', () => {
  it('joins lists by commas under the documented keys', () => {
    assert.deepEqual(
      overlayMetadata({
        libraries: ['runtime', 'arrays'],
        strategy: 'prebuilt',
        shareIds: ['s1', 's2'],
        upperVolumeId: 'v1',
      }),
      {
        overlay_libraries: 'runtime,arrays',
        overlay_strategy: 'prebuilt',
        overlay_share_ids: 's1,s2',
        overlay_upper_volume_id: 'v1',
      },
    );
  });

  it('spreads a long list over values of 255 characters and reads it back whole', () => {
    const facts = {
      libraries: Array.from({ length: 60 }, (_, index) => `library-number-${index}`),
      strategy: 'prebuilt' as const,
      shareIds: Array.from({ length: 40 }, () => randomUUID()),
      upperVolumeId: randomUUID(),
    };

    const metadata = overlayMetadata(facts);

    assert.ok(Object.values(metadata).every((value) => value.length <= 255));
    assert.equal(metadata.overlay_share_ids_2?.split(',').length, 6);
    assert.deepEqual(parseOverlayMetadata({ ...metadata, another: 'key' }), facts);
  });

  it('fills a value to the last character before it begins another', () => {
    const [first, second] = ['a'.repeat(127), 'b'.repeat(127)];
    const facts = { libraries: [first, second], strategy: null, shareIds: [], upperVolumeId: null };

    assert.deepEqual(overlayMetadata(facts), { overlay_libraries: `${first},${second}` });
  });

  it('writes nothing for a plain instance, and reads nothing as one', () => {
    const plain = { libraries: [], strategy: null, shareIds: [], upperVolumeId: null };

    assert.deepEqual(overlayMetadata(plain), {});
    assert.deepEqual(parseOverlayMetadata({}), plain);
  });

  it('refuses an item that would be read back as two', () => {
    const facts = { libraries: ['a,b'], strategy: null, shareIds: [], upperVolumeId: null };

    assert.throws(() => overlayMetadata(facts), /can not be an item/);
  });
});

describe('parseOverlayMetadata', () => {
  it('reads an unknown strategy and empty values as none', () => {
    const facts = parseOverlayMetadata({
      overlay_strategy: 'other',
      overlay_libraries: '',
      overlay_upper_volume_id: '',
    });

    assert.deepEqual(facts, { libraries: [], strategy: null, shareIds: [], upperVolumeId: null });
  });
});

describe('share metadata', () => {
  it('marks a prebuilt share with library, version and state', () => {
    const marks = prebuiltShareMetadata(library('arrays'), 'ready', '2026-01-01T00:00:00Z');

    assert.deepEqual(marks, {
      overlay_type: 'prebuilt',
      overlay_library: 'arrays',
      overlay_version: '1.0',
      overlay_status: 'ready',
      overlay_built_at: '2026-01-01T00:00:00Z',
    });
  });

  it('marks a dynamic share with its instance and as many library ids as fit', () => {
    const many = Array.from({ length: 200 }, (_, index) => library(`library-${index}`));

    const { overlay_libraries: list = '', ...marks } = dynamicShareMetadata('i1', many);

    assert.deepEqual(marks, { overlay_type: 'dynamic', overlay_instance: 'i1' });
    assert.ok(list.length <= 1023 && list.length > 1000);
    assert.match(list, /^library-0,.*library-\d+$/);
  });

  it('finds the keys that a client may not set', () => {
    assert.deepEqual(reservedKeys({ team: 'x', overlay_type: 'prebuilt', overlay_: '' }), [
      'overlay_type',
      'overlay_',
    ]);
  });
});
