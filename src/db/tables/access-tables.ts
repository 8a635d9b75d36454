import type { ColumnType, Generated } from 'kysely';
import type { BigInteger, DefaultTime, OptionalTime } from './column-types.ts';

/** The tables of API keys, their owners and their usage. They stay on the coordinator of a cluster. */
export interface AccessTables {
  readonly api_keys: ApiKeysTable;
  readonly key_owners: KeyOwnersTable;
  readonly key_usage: KeyUsageTable;
  readonly usage_writers: UsageWritersTable;
}

interface ApiKeysTable {
  /** `bigint`, which pg returns as a decimal string. */
  readonly id: Generated<string>;
  /** SHA-256 of the key; the key itself is not stored. */
  readonly hash: Buffer;
  readonly name: string;
  readonly plan: string;
  /** Networks the key may be used on; empty means all. */
  readonly networks: ColumnType<string[], readonly string[] | undefined, readonly string[]>;
  readonly rps: number;
  readonly owner_id: ColumnType<string | null, string | null | undefined, string | null>;
  readonly created_at: ColumnType<Date, Date | undefined, never>;
  readonly last_used_at: OptionalTime;
  readonly revoked_at: OptionalTime;
}

interface KeyOwnersTable {
  readonly id: Generated<string>;
  readonly name: string;
  /** Plan and rate that all keys of the owner share; null if each key has its own. */
  readonly plan: string | null;
  readonly rps: number | null;
  readonly created_at: DefaultTime;
}

interface KeyUsageTable {
  /** 0 for callers without a key. */
  readonly key_id: BigInteger;
  readonly day: string;
  readonly interface: string;
  readonly operation: string;
  readonly requests: BigInteger;
  readonly limited: BigInteger;
  readonly rejected: BigInteger;
  readonly failed: BigInteger;
}

/** The last batch that a process has written. */
interface UsageWritersTable {
  readonly id: string;
  readonly batch: BigInteger;
  readonly written_at: DefaultTime;
}
