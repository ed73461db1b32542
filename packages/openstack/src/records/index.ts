export { knownMarks } from './known-marks.ts';
export { noteLeftOut, readWholeLists, watchLeftOut } from './odd-records.ts';
export { declaredRecords } from './record.ts';
