export { knownMarks } from './known-marks.ts';
export { noteLeftOut, readWholeLists, watchLeftOut } from './left-out.ts';
export { declaredRecords } from './record.ts';
