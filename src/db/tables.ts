import type { ColumnType, Generated } from 'kysely';

/** A `timestamptz` that may be left out when a row is written. */
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface ApiKeysTable {
  /** `bigint`, which pg hands out as a decimal string. */
  readonly id: Generated<string>;
  /** SHA-256 of the key; the key itself is stored nowhere. */
  readonly hash: Buffer;
  readonly name: string;
  readonly plan: string;
  /** Networks the key may be used on; empty means all. */
  readonly networks: ColumnType<string[], readonly string[] | undefined, readonly string[]>;
  readonly rps: number;
  readonly created_at: ColumnType<Date, Date | undefined, never>;
  readonly last_used_at: OptionalTime;
  readonly revoked_at: OptionalTime;
}

/** The tables as Kysely sees them; `migrations/` makes them and `test/db/schema.sql` shows the result. */
export interface Tables {
  readonly api_keys: ApiKeysTable;
}
