import type { Topology } from '@gateway/resources';
import { type Connection, connectionsOf } from './connections.ts';
import { DETAIL_CHARACTER, type Layout, layOut, NAME_CHARACTER, PADDING, type Placed } from './layout.ts';

/**
 * The topology as SVG. A dot is a connection; a line without a dot only crosses a network.
 *
 * @public `topology.html` imports it.
 */
export function drawTopology(topology: Topology): string {
  const layout = layOut(topology);
  const isNetwork = ({ kind }: Placed) => kind.startsWith('network');
  const parts = [
    ...layout.elements.filter(isNetwork).map(drawElement),
    ...drawConnections(connectionsOf(topology), layout),
    ...layout.elements.filter((element) => !isNetwork(element)).map(drawElement),
  ];
  const { width, height } = layout;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`;
}

function drawElement({ id, kind, name, detail, box, textWidth }: Placed): string {
  const { x, y, width, height } = box;
  const fitting = (text: string, character: number) => {
    const most = Math.floor((textWidth - 2 * PADDING) / character);
    return escaped(text.length > most ? `${text.slice(0, most - 1)}…` : text);
  };
  return `<g class="${kind}" data-id="${escaped(id)}"><title>${escaped(`${name}: ${detail}`)}</title>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>
    <text class="name" x="${x + PADDING}" y="${y + 18}">${fitting(name, NAME_CHARACTER)}</text>
    <text class="detail" x="${x + PADDING}" y="${y + 35}">${fitting(detail, DETAIL_CHARACTER)}</text></g>`;
}

/** Vertical lines. Those of a router or a floating IP divide its width into equal parts. */
function drawConnections(connections: Connection[], { elements, lineX }: Layout): string[] {
  const boxes = new Map(elements.map(({ id, box }) => [id, box]));
  return connections.flatMap(({ addresses, from, kind, to }) => {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    if (start === undefined || end === undefined) return [];
    const siblings = connections.filter((each) => each.from === from && each.kind === kind);
    const place = siblings.findIndex((each) => each.to === to) + 1;
    const x = lineX(from, to) ?? start.x + (start.width * place) / (siblings.length + 1);
    const startY = end.y < start.y ? start.y : start.y + start.height;
    const endY = kind === 'translates' ? end.y : end.y + end.height / 2;
    return [
      `<g class="connection ${kind}" data-from="${escaped(from)}" data-to="${escaped(to)}">
      <path d="M ${x} ${startY} V ${endY}"/><circle cx="${x}" cy="${endY}" r="5"/>
      <text class="detail" x="${x + PADDING}" y="${endY + 4}">${escaped(addresses.join(' '))}</text></g>`,
    ];
  });
}

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
