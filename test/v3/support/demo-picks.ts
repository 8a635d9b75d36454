import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../src/db/tables.ts';
import { formatAccount } from '../../../src/v3/account-bytes.ts';

/** Values of rows as clients write them. */
export interface DemoPicks {
  /** Those that most rows have. */
  readonly common: (table: keyof Tables, column: string) => Promise<string[]>;
  /** Those in the middle of all, for bounds. */
  readonly middle: (table: keyof Tables, column: string) => Promise<string[]>;
}

const PICKS = 2;

/** Takes values out of a database. */
export function createPicks(db: Kysely<Tables>): DemoPicks {
  return {
    async common(table, column) {
      const { rows } = await sql<{ value: unknown }>`
        select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} is not null
        group by 1 order by count(*) desc, 1 limit ${PICKS}`.execute(db);
      return rows.map(({ value }) => textOf(value));
    },
    async middle(table, column) {
      const { rows } = await sql<{ value: unknown[] }>`
        select percentile_disc(array[0.3, 0.7]) within group (order by ${sql.ref(column)}) as value
        from ${sql.table(table)}`.execute(db);
      return (rows[0]?.value ?? []).map(textOf);
    },
  };
}

const ACCOUNT_BYTES = 33;

function textOf(value: unknown): string {
  if (!Buffer.isBuffer(value)) return String(value);
  return value.length === ACCOUNT_BYTES ? formatAccount(value) : value.toString('base64');
}
