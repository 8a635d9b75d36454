import { type Kysely, sql } from 'kysely';

/** The least finality of the events of a webhook: those of signed blocks too, or only what the masterchain has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db);
  await run("alter table webhooks add min_finality text not null default 'finalized'");
  await run("create index webhooks_early on webhooks (id) where min_finality <> 'finalized'");
}
