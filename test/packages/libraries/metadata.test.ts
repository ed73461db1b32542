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

  it('splits a long list into 255 characters each, and reads it', () => {
    const attributes = {
      libraries: Array.from({ length: 60 }, (_, index) => `library-number-${index}`),
      strategy: 'prebuilt' as const,
      shareIds: Array.from({ length: 40 }, () => randomUUID()),
      upperVolumeId: randomUUID(),
    };

    const metadata = overlayMetadata(attributes);

    assert.ok(Object.values(metadata).every((value) => value.length <= 255));
    assert.equal(metadata.overlay_share_ids_2?.split(',').length, 6);
    assert.deepEqual(parseOverlayMetadata({ ...metadata, another: 'key' }), attributes);
  });

  it('fills a value up to the limit before it starts the next', () => {
    const [first, second] = ['a'.repeat(127), 'b'.repeat(127)];
    const attributes = { libraries: [first, second], strategy: null, shareIds: [], upperVolumeId: null };

    assert.deepEqual(overlayMetadata(attributes), { overlay_libraries: `${first},${second}` });
  });

  it('writes no keys for a plain instance, and reads none', () => {
    const plain = { libraries: [], strategy: null, shareIds: [], upperVolumeId: null };

    assert.deepEqual(overlayMetadata(plain), {});
    assert.deepEqual(parseOverlayMetadata({}), plain);
  });

  it('refuses an item that contains the separator', () => {
    const attributes = { libraries: ['a,b'], strategy: null, shareIds: [], upperVolumeId: null };

    assert.throws(() => overlayMetadata(attributes), /cannot be an item/);
  });
});

describe('parseOverlayMetadata', () => {
  it('parses an unknown strategy and empty values as absent', () => {
    const attributes = parseOverlayMetadata({
      overlay_strategy: 'other',
      overlay_libraries: '',
      overlay_upper_volume_id: '',
    });

    assert.deepEqual(attributes, { libraries: [], strategy: null, shareIds: [], upperVolumeId: null });
  });
});

describe('share metadata', () => {
  it('names library, version and status of a prebuilt share', () => {
    const metadata = prebuiltShareMetadata(library('arrays'), 'ready', '2026-01-01T00:00:00Z');

    assert.deepEqual(metadata, {
      overlay_type: 'prebuilt',
      overlay_library: 'arrays',
      overlay_version: '1.0',
      overlay_status: 'ready',
      overlay_built_at: '2026-01-01T00:00:00Z',
    });
  });

  it("contains a dynamic share's instance, and as many ids as fit", () => {
    const many = Array.from({ length: 200 }, (_, index) => library(`library-${index}`));

    const { overlay_libraries: list = '', ...metadata } = dynamicShareMetadata('i1', many);

    assert.deepEqual(metadata, { overlay_type: 'dynamic', overlay_instance: 'i1' });
    assert.ok(list.length <= 1023 && list.length > 1000);
    assert.match(list, /^library-0,.*library-\d+$/);
  });

  it('names the keys that a client may not set', () => {
    assert.deepEqual(reservedKeys({ team: 'x', overlay_type: 'prebuilt', overlay_: '' }), [
      'overlay_type',
      'overlay_',
    ]);
  });
});
