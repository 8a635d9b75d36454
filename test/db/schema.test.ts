import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { dumpSchema } from '../support/schema-dump.ts';

const GOLDEN = new URL('schema.sql', import.meta.url);

it('has the schema that test/db/schema.sql shows', async () => {
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
