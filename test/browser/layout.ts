import type { Topology } from '@gateway/resources';
import { type Column, columnsOf, type Element, networkElement } from './elements.ts';

/** In pixels, as all sizes here. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Placed extends Element {
  box: Box;
  /** The space for its texts. */
  textWidth: number;
}

export interface Layout {
  width: number;
  height: number;
  elements: Placed[];
  /** The line from an instance to one of its networks. */
  lineX(instanceId: string, networkId: string): number | undefined;
}

export const PADDING = 10;
/** No less than the widest common characters of the two fonts take. */
export const NAME_CHARACTER = 9;
export const DETAIL_CHARACTER = 7;
const MARGIN = 1;
const LABEL_WIDTH = 260;
const BAR_HEIGHT = 44;
const BAR_GAP = 26;
const BOX_HEIGHT = 46;
/** Between bars and boxes. */
const ROW_GAP = 40;
const COLUMN_GAP = 28;
const LINE_GAP = 14;

/**
 * Networks are bars over the whole width, external networks at the top. Routers and floating IPs are between
 * these and the internal networks; instances are below.
 */
export function layOut(topology: Topology): Layout {
  const { networks } = topology;
  const columns = columnsOf(topology);
  const width = LABEL_WIDTH + columns.reduce((sum, each) => sum + widthOf(each) + COLUMN_GAP, COLUMN_GAP);
  const bars = (isExternal: boolean, top: number): Placed[] =>
    networks
      .filter(({ is_external }) => is_external === isExternal)
      .map((network, index) => ({
        ...networkElement(network),
        box: { x: MARGIN, y: top + index * (BAR_HEIGHT + BAR_GAP), width, height: BAR_HEIGHT },
        textWidth: LABEL_WIDTH,
      }));
  const below = (placed: Placed[], top: number) => (placed.at(-1)?.box.y ?? top) + BAR_HEIGHT + ROW_GAP;

  const outside = bars(true, MARGIN);
  const upperY = below(outside, MARGIN);
  const inside = bars(false, upperY + BOX_HEIGHT + ROW_GAP);
  const lowerY = below(inside, upperY + BOX_HEIGHT + ROW_GAP);
  const depths = new Map([...outside, ...inside].map(({ id, box }) => [id, box.y]));

  const boxes: Placed[] = [];
  const lines = new Map<string, number>();
  let x = LABEL_WIDTH + COLUMN_GAP;
  for (const column of columns) {
    const columnWidth = widthOf(column);
    boxes.push(...placeBoxes(column, { x, upperY, lowerY }));
    const sorted = column.lines.toSorted(
      (a, b) => (depths.get(a.networkId) ?? 0) - (depths.get(b.networkId) ?? 0),
    );
    // The line to the lowest network is the rightmost, so that no line crosses an address, which is
    // to the right of its own.
    const first = x + columnWidth - addressWidth(column) - (sorted.length - 1) * LINE_GAP;
    for (const [index, { networkId }] of sorted.entries()) {
      lines.set(`${column.lower?.id} ${networkId}`, first + index * LINE_GAP);
    }
    x += columnWidth + COLUMN_GAP;
  }
  return {
    width: width + 2 * MARGIN,
    height: lowerY + BOX_HEIGHT + MARGIN,
    elements: [...outside, ...inside, ...boxes],
    lineX: (instanceId, networkId) => lines.get(`${instanceId} ${networkId}`),
  };
}

function placeBoxes(column: Column, at: { x: number; upperY: number; lowerY: number }): Placed[] {
  const place = (element: Element, x: number, y: number, width: number): Placed => ({
    ...element,
    box: { x, y, width, height: BOX_HEIGHT },
    textWidth: width,
  });
  let { x } = at;
  const upper = column.upper.map((element) => {
    const placed = place(element, x, at.upperY, boxWidth(element));
    x += placed.box.width + COLUMN_GAP;
    return placed;
  });
  if (column.lower === undefined) return upper;
  return [...upper, place(column.lower, at.x, at.lowerY, widthOf(column))];
}

/** Wide enough for the boxes of both rows, and for the lines and addresses beside the floating IPs. */
function widthOf(column: Column): number {
  const upper = column.upper.reduce((sum, element) => sum + boxWidth(element) + COLUMN_GAP, 0);
  if (column.lower === undefined) return upper - COLUMN_GAP;
  const lines = addressWidth(column) + column.lines.length * LINE_GAP;
  return Math.max(boxWidth(column.lower), upper + lines);
}

function boxWidth({ name, detail }: Element): number {
  return Math.max(name.length * NAME_CHARACTER, detail.length * DETAIL_CHARACTER) + 2 * PADDING;
}

function addressWidth({ lines }: Column): number {
  return Math.max(0, ...lines.map(({ label }) => label.length)) * DETAIL_CHARACTER + PADDING;
}
