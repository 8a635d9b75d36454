import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
    .addColumn('hash', 'bytea', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('networks', sql`text[]`, (column) => column.notNull().defaultTo(sql`'{}'`))
    .addColumn('rps', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('last_used_at', 'timestamptz')
    .addColumn('revoked_at', 'timestamptz')
    .addUniqueConstraint('api_keys_hash_key', ['hash'])
    .addCheckConstraint('api_keys_hash_is_sha256', sql`octet_length(hash) = 32`)
    .addCheckConstraint('api_keys_rps_positive', sql`rps > 0`)
    .execute();
}
