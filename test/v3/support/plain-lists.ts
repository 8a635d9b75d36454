import { formatAccount } from '../../../src/v3/account-bytes.ts';
import type { ListQuery } from './list-asker.ts';

/** All values of a parameter. */
export const valuesOf = (query: ListQuery, name: string): readonly string[] => [query[name] ?? []].flat();

/** Whether an account is one of those that a parameter names; true when it names none. */
export function isNamed(query: ListQuery, name: string, account: Buffer | null): boolean {
  const values = valuesOf(query, name);
  return values.length === 0 || (account !== null && values.includes(formatAccount(account)));
}

type Key = Buffer | bigint | number | string;

/** Sorts by keys one after the other. */
export function sortBy<T>(rows: readonly T[], ...keys: readonly ((row: T) => Key)[]): T[] {
  return rows.toSorted((a, b) => {
    for (const key of keys) {
      const order = compare(key(a), key(b));
      if (order !== 0) return order;
    }
    return 0;
  });
}

function compare(a: Key, b: Key): number {
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return Buffer.compare(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}
