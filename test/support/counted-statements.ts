import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../src/db/connection.ts';
import type { Db } from '../../src/db/tables/tables.ts';

/** A database that counts the statements of its callers, those of transactions too. */
export interface CountedDatabase {
  readonly database: Database;
  readonly statements: () => number;
}

export function countStatements(database: Database): CountedDatabase {
  let count = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const counted =
    <T>(work: (db: Db) => Promise<T>) =>
    (db: Db) =>
      work(db.withPlugin(counter));
  return {
    database: {
      ...database,
      read: (work) => database.read(counted(work)),
      write: (work) => database.write(counted(work)),
    },
    statements: () => count,
  };
}
