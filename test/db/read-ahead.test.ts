import { setImmediate } from 'node:timers/promises';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptStatement, readAhead, shareConnection } from '../../src/db/driver.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test?.drop());

/** A value that differs each time it is asked for. */
async function draw(db: Kysely<Tables>, parameter: unknown): Promise<number> {
  const { rows } = await sql<{ value: number }>`
    select random() as value, ${parameter}::text as parameter`.execute(db);
  return rows[0]!.value;
}

function onOneConnection<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  return shareConnection(test.database.primary, ({ db }) => work(db));
}

describe('reading ahead', () => {
  it('gives the results of statements that were started, and sends others once', async () => {
    await onOneConnection(async (db) => {
      let started: Promise<number> | undefined;
      const ahead = readAhead(db, (starting) => {
        started = draw(starting, 'a');
        return [started];
      });
      expect(await draw(ahead, 'a')).toBe(await started);
      expect(await draw(ahead, 'a')).toBe(await started);
      expect(await draw(ahead, 'b')).not.toBe(await started);
      expect(await draw(ahead, 'b')).toBe(await draw(ahead, 'b'));
      expect(await draw(db, 'a')).not.toBe(await started);
    });
  });

  it.each([
    [['a', 'b'], ['a,b']],
    [['a', 'b'], ['ab']],
    [[Buffer.from('a')], ['a']],
    [['1'], [1]],
    [[['a'], 'b'], [['a', 'b']]],
    [['null'], [null]],
  ])('tells %j from %j', async (some, others) => {
    const count = async (db: Kysely<Tables>, values: readonly unknown[]) => {
      const list = sql.join(values.map((value) => sql`${value}::text`));
      const { rows } = await sql<{ value: number }>`select random() as value, num_nulls(${list})`.execute(db);
      return rows[0]!.value;
    };
    await onOneConnection(async (db) => {
      const results: Promise<number>[] = [];
      const ahead = readAhead(db, (starting) => {
        results.push(count(starting, some));
        return results;
      });
      expect(await count(ahead, some)).toBe(await results[0]);
      expect(await count(ahead, others)).not.toBe(await results[0]);
    });
  });

  it('fails only for those who ask for what failed', async () => {
    const fail = (db: Kysely<Tables>) => sql`select 1 / ${0}::int`.execute(db);
    await onOneConnection(async (db) => {
      const ahead = readAhead(db, (starting) => [fail(starting)]);
      expect(await draw(ahead, 'a')).toBeTypeOf('number');
      await expect(fail(ahead)).rejects.toThrow('division by zero');
    });
  });
});

describe('a shared connection', () => {
  const kept = keptStatement<{ readonly value: string }, [string]>(
    (_db, value) => sql`select ${value}::text as value`,
  );

  it('makes its statements wait for its pauses, and refuses them after its end', async () => {
    const order: string[] = [];
    const pause = async (): Promise<void> => {
      order.push('pause');
      await setImmediate();
      order.push('over');
    };
    await shareConnection(
      test.database.primary,
      async ({ db, close }) => {
        const ahead = readAhead(db, () => []);
        expect(await kept(ahead, 'a')).toEqual([{ value: 'a' }]);
        order.push('read');
        await draw(db, 'b');
        expect(order).toEqual(['pause', 'over', 'read', 'pause', 'over']);
        const late = kept(ahead, 'c');
        close();
        await expect(late).rejects.toThrow('is over');
        await expect(draw(db, 'd')).rejects.toThrow('is over');
      },
      pause,
    );
  });

  it('tells plugins of its statements and their rows', async () => {
    const told: unknown[] = [];
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        told.push(...result.rows);
        return result;
      },
    };
    await shareConnection(test.database.primary.withPlugin(plugin), async ({ db }) => {
      await kept(
        readAhead(db, () => []),
        'a',
      );
      await kept(db.withPlugin(plugin), 'b');
    });
    expect(told).toEqual([{ value: 'a' }, { value: 'b' }, { value: 'b' }]);
  });
});
