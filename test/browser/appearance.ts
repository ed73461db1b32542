import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../scripts/server-process.ts';
import type { ChromiumPage } from '../support/browser/chromium.ts';
import { eventually } from '../support/eventually.ts';

/** Where the suites leave their pictures. */
export const picturesFolder = join(projectRoot, '.data/browser');
/** A screen of a desk, and a phone. */
export const SIZES = [
  [1280, 900],
  [390, 844],
] as const;

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Users of screen readers move on a page by its headings. axe rates these rules as moderate and minor. */
const HEADING_RULES = ['empty-heading', 'heading-order', 'page-has-heading-one'];

interface Finding {
  id: string;
  impact: string;
  targets: string[];
}

/**
 * The serious and critical findings on the current page, and all about its headings. The page's policy does
 * not restrict the browser's protocol.
 */
export async function findingsOf(page: ChromiumPage): Promise<Finding[]> {
  await page.evaluate(`${axe}; 0`);
  const all = await page.evaluate<Finding[]>(`axe.run().then(({ violations }) => violations.map(
    ({ id, impact, nodes }) => ({ id, impact, targets: nodes.map(({ target }) => target.join(' ')) })))`);
  return all.filter(
    ({ id, impact }) => impact === 'critical' || impact === 'serious' || HEADING_RULES.includes(id),
  );
}

/** Opens the page in both sizes and schemes, once `ready` is true, and leaves a picture of each. */
export async function assertLooksRight(
  page: ChromiumPage,
  name: string,
  url: string,
  ready: string,
): Promise<void> {
  const becomes = (condition: string) =>
    eventually(async () => await page.evaluate<boolean>(condition), 60_000).catch(async (cause: unknown) => {
      const text = await page.evaluate<string>('document.body.innerText');
      throw new Error(`${name}: ${condition} did not become true: ${text}`, { cause });
    });
  for (const [width, height] of SIZES) {
    for (const scheme of ['light', 'dark'] as const) {
      const at = `${name}-${width}-${scheme}`;
      await page.resize(width, height);
      await page.preferColors(scheme);
      // A page whose address differs in its fragment only would not be loaded again.
      await page.load('about:blank');
      await page.load(url);
      await becomes(ready);
      await becomes(
        `document.getAnimations().every(({ effect, playState }) =>
          playState !== 'running' || effect.getTiming().iterations === Infinity)`,
      );
      mkdirSync(picturesFolder, { recursive: true });
      writeFileSync(join(picturesFolder, `${at}.png`), await page.screenshot());

      // Contrast follows the scheme and layout the size, so these two cover all four.
      if ((scheme === 'light') === (width === SIZES[0][0])) assert.deepEqual(await findingsOf(page), [], at);
      const actual = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(actual <= width, `${at} is ${actual} pixels wide`);
      assert.equal(await page.evaluate(IS_DARK), scheme === 'dark', `${at} has the colours of the scheme`);
    }
  }
}

/** Whether the page is darker than its text. */
const IS_DARK = `{
  const canvas = document.createElement('canvas').getContext('2d');
  const lightness = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, each) => sum + each, 0);
  };
  const text = getComputedStyle(document.querySelector('h1, h2') ?? document.body);
  lightness(text.color) > 383;
}`;
