import type { Tables } from '../../../src/db/tables.ts';
import type { DemoPicks } from './demo-picks.ts';

/** Values to try of parameters that many operations have. */
export const FLAG = ['true', '0'];
export const PAGE = { limit: ['5', '20'], offset: ['0', '2'], cursor: [] };
export const SORTED = { ...PAGE, sort: ['asc', 'D'] };

/** Bounds of time and of logical time in the middle of the rows of a table. */
export const span = async ({ middle }: DemoPicks, table: keyof Tables, utime: string, lt: string) => {
  const [[early, late], [first, last]] = [await middle(table, utime), await middle(table, lt)];
  return {
    start_utime: [early, `${early}.5`],
    end_utime: [late, `${Number(late) / 1e9}e9`],
    start_lt: [first, '0'],
    end_lt: [last, `${2n ** 64n - 1n}`],
  };
};
