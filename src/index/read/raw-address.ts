import { type RawBuilder, sql } from 'kysely';

/**
 * The raw address of an account column as text, to order by. The bytes of accounts are in another order: they have the
 * masterchain last.
 */
export function rawAddress(column: string): RawBuilder<string> {
  const account = sql.ref(column);
  const workchain = sql`(get_byte(${account}, 0) + 128) % 256 - 128`;
  return sql`(${workchain} || ':' || upper(encode(substr(${account}, 2), 'hex'))) collate "C"`;
}
