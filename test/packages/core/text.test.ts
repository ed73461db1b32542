import assert from 'node:assert/strict';
import { cutText, textEnd } from '@gateway/core';

describe('cutText', () => {
  for (const [text, length, expected] of [
    ['name', 10, 'name'],
    ['name', 4, 'name'],
    ['name', 2, 'na'],
    ['name', 0, ''],
    ['a😀b', 1, 'a'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['😀😀', 3, '😀'],
    ['', 3, ''],
  ] as const) {
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(text)} for ${length} characters`, () => {
      assert.equal(cutText(text, length), expected);
    });
  }
});

describe('textEnd', () => {
  for (const [text, length, expected] of [
    ['name', 10, 'name'],
    ['name', 2, 'me'],
    ['a😀b', 3, '😀b'],
    ['a😀b', 2, 'b'],
    ['😀', 2, '😀'],
  ] as const) {
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(text)} for ${length} characters`, () => {
      assert.equal(textEnd(text, length), expected);
    });
  }
});
