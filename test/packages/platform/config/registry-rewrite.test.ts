import assert from 'node:assert/strict';
import { ConfigError, loadConfig } from '@gateway/platform';
import { withFile } from './environment.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: a group in the language of k3s
const GROUP = '${1}';

describe('the names of images at a mirror', () => {
  function rewritesOf(...rewrite: object[]) {
    const registries = [{ name: 'docker.io', endpoint: 'https://mirror.example.org', rewrite }];
    return withFile(JSON.stringify({ lite: { k3s: { registries } } }), loadConfig).lite.k3s.registries[0]
      ?.rewrite;
  }

  function problemOf(...rewrite: object[]): string {
    try {
      rewritesOf(...rewrite);
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.message;
    }
    throw new Error('The configuration was accepted.');
  }

  it('are rewritten by patterns, and by none by default', () => {
    const rewrites = [
      { pattern: '^rancher/(.*)', replacement: 'hub/rancher-$1' },
      { pattern: '^(library)/([a-z0-9.]+)$', replacement: `${GROUP}x/$2.v1` },
      { pattern: '^a\\.b/\\w+$', replacement: 'all/a.b' },
    ];

    assert.deepEqual(rewritesOf(...rewrites), rewrites);
    assert.deepEqual(rewritesOf(), []);
  });

  for (const pattern of [
    ...[
      '(',
      ')(',
      '(?i)a',
      '(?=a)b',
      '(a)\\1',
      'a\\z',
      '[]',
      '[^]a',
      '[z-a]',
      'a{2}',
      '*',
      'a|',
      '()',
      'a**',
    ],
    ...['(|a)', 'a^b', 'ä', 'a b', '^$', ''],
  ]) {
    it(`have no pattern that k3s may not understand: ${pattern}`, () => {
      assert.match(problemOf({ pattern, replacement: 'a' }), /"lite\.k3s\.registries\[0\]\.rewrite\[0\]/);
    });
  }

  for (const replacement of [
    '$2',
    GROUP.replace('1', '2'),
    '$1a',
    '$1_',
    '$$',
    '$a',
    'A',
    'a:b',
    'https://a',
    'a b',
    '',
  ]) {
    it(`have no replacement with another meaning for k3s: ${replacement}`, () => {
      assert.match(
        problemOf({ pattern: '^(.*)$', replacement }),
        /"lite\.k3s\.registries\[0\]\.rewrite\[0\].*replacement/,
      );
    });
  }

  it('have each pattern once', () => {
    const rewrite = { pattern: '^a', replacement: 'b' };

    assert.match(problemOf(rewrite, rewrite), /rewrite\[1\]" has the pattern of an earlier one/);
  });
});
