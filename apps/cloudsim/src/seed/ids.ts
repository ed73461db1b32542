import { fixedHexId } from '../common/ids.ts';

export function projectId(name: string): string {
  return fixedHexId(`project:${name}`);
}

export function userId(name: string): string {
  return fixedHexId(`user:${name}`);
}
