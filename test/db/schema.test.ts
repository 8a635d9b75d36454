import { readFileSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createEmptyTestDatabase, createTestDatabase } from '../support/database.ts';
import { dumpSchema } from '../support/schema-dump.ts';

const GOLDEN = new URL('schema.sql', import.meta.url);

it('the migrated schema matches test/db/schema.sql', async () => {
  const test = await createTestDatabase();
  try {
    const schema = await dumpSchema(test.database.primary);
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, schema);
    const golden = readFileSync(GOLDEN, 'utf8');
    expect(schema, 'The schema has changed; if that is meant, run UPDATE_GOLDEN=1 npm test').toBe(golden);
  } finally {
    await test.drop();
  }
});

it('the schema dump covers everything that a migration can create', async () => {
  const test = await createEmptyTestDatabase();
  try {
    await sql
      .raw(
        `create type mood as enum ('sad', 'happy');
         create sequence counter;
         create table parent (id int not null, at date, note text generated always as (id::text) stored, feeling mood)
           partition by range (id);
         create table child partition of parent for values from (0) to (10);
         create index parent_at on parent (at desc) where id > 5;
         create view seen as select 1 as one;
         create function twice(a int) returns int language sql immutable as 'select 2 * a';`,
      )
      .execute(test.database.primary);
    expect(await dumpSchema(test.database.primary)).toMatchInlineSnapshot(`
      "create type mood as enum ('sad', 'happy');

      create sequence counter as bigint;

      create table child (
        id integer not null,
        at date,
        note text generated always as ((id)::text),
        feeling mood
      ) partition of parent FOR VALUES FROM (0) TO (10);
      CREATE INDEX child_at_idx ON public.child USING btree (at DESC) WHERE (id > 5);

      create table parent (
        id integer not null,
        at date,
        note text generated always as ((id)::text),
        feeling mood
      ) partition by RANGE (id);
      CREATE INDEX parent_at ON ONLY public.parent USING btree (at DESC) WHERE (id > 5);

      create view seen as
       SELECT 1 AS one;

      CREATE OR REPLACE FUNCTION public.twice(a integer)
       RETURNS integer
       LANGUAGE sql
       IMMUTABLE
      AS $function$select 2 * a$function$
      ;
      "
    `);
  } finally {
    await test.drop();
  }
});
