export { noteLeftOut, watchLeftOut } from './left-out.ts';
export { declaredRecords } from './record.ts';
