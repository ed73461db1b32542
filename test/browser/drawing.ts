import type { Box } from './layout.ts';

interface Text {
  text: string;
  box: Box;
}

interface Point {
  x: number;
  y: number;
}

/** What the page has drawn, as the browser measures it. */
export interface Drawing {
  elements: { id: string; kind: string; box: Box; texts: Text[] }[];
  connections: { from: string; to: string; start: Point; end: Point; address: Text }[];
}

export function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

export function contains(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
