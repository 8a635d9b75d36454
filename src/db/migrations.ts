import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as apiKeys from '../../migrations/0001-api-keys.ts';
import * as indexOfBlocks from '../../migrations/0002-index-of-blocks.ts';
import * as indexOfTraces from '../../migrations/0003-index-of-traces.ts';
import * as indexOfContracts from '../../migrations/0004-index-of-contracts.ts';
import * as indexOfEvents from '../../migrations/0005-index-of-events.ts';
import * as orderOfNftItems from '../../migrations/0006-order-of-nft-items.ts';
import * as indexOfActions from '../../migrations/0007-index-of-actions.ts';
import * as historyOfIndex from '../../migrations/0008-history-of-index.ts';
import * as webhooks from '../../migrations/0009-webhooks.ts';
import * as ownersAndUsage from '../../migrations/0010-owners-and-usage.ts';
import * as validators from '../../migrations/0011-validators.ts';
import * as poolsAndAuctions from '../../migrations/0012-pools-and-auctions.ts';
import * as mintlessJettons from '../../migrations/0013-mintless-jettons.ts';
import * as hashPlaces from '../../migrations/0014-hash-places.ts';
import * as webhookFeeds from '../../migrations/0015-webhook-feeds.ts';
import * as stateImports from '../../migrations/0016-state-imports.ts';
import * as webhookFinality from '../../migrations/0017-webhook-finality.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { withoutTimeLimits } from './driver.ts';
import type { Db } from './tables/tables.ts';

/** All migrations in order of their names; a list instead of a folder scan, so that it survives bundling. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-api-keys': apiKeys,
  '0002-index-of-blocks': indexOfBlocks,
  '0003-index-of-traces': indexOfTraces,
  '0004-index-of-contracts': indexOfContracts,
  '0005-index-of-events': indexOfEvents,
  '0006-order-of-nft-items': orderOfNftItems,
  '0007-index-of-actions': indexOfActions,
  '0008-history-of-index': historyOfIndex,
  '0009-webhooks': webhooks,
  '0010-owners-and-usage': ownersAndUsage,
  '0011-validators': validators,
  '0012-pools-and-auctions': poolsAndAuctions,
  '0013-mintless-jettons': mintlessJettons,
  '0014-hash-places': hashPlaces,
  '0015-webhook-feeds': webhookFeeds,
  '0016-state-imports': stateImports,
  '0017-webhook-finality': webhookFinality,
};

/**
 * Brings the schema up to date. Kysely's advisory lock lets one process at a time do it, and all missing migrations
 * share one transaction, so a failure leaves the schema as it was.
 */
export async function migrateToLatest(
  db: Db,
  log: Log,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Promise<void> {
  // Waiting for the lock and building an index may both take long.
  await withoutTimeLimits(db, (connection) => migrate(connection, log, migrations));
}

async function migrate(db: Db, log: Log, migrations: Readonly<Record<string, Migration>>) {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    nameComparator: (a, b) => (a < b ? -1 : 1),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) {
    for (const { migrationName } of results) log.info({ migration: migrationName }, 'Migration applied');
    return;
  }
  const failed = results.find((result) => result.status === 'Error');
  if (failed !== undefined) {
    const text = `Migration ${failed.migrationName} failed and was rolled back: ${messageOf(error)}${adviceFor(error)}`;
    throw new StartError(text, { cause: error });
  }
  await refuseNewerSchema(db, migrations);
  const text = `The database schema cannot be brought up to date: ${messageOf(error)}${adviceFor(error)}`;
  throw new StartError(text, { cause: error });
}

/** Throws if the database was migrated by a newer tongate; Kysely would say "corrupted migrations". */
async function refuseNewerSchema(db: Db, migrations: Readonly<Record<string, Migration>>) {
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`
    .execute(db)
    .catch(() => ({ rows: [] }));
  const unknown = applied.rows.map((row) => row.name).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new StartError(
    `The database was migrated by a newer version of tongate (unknown here: ${unknown.join(', ')}); ` +
      'start that version or use another database',
  );
}

/** PostgreSQL's code for a missing right. */
const INSUFFICIENT_PRIVILEGE = '42501';

function adviceFor(error: unknown): string {
  if ((error as { code?: unknown })?.code !== INSUFFICIENT_PRIVILEGE) return '';
  return '. The user of DATABASE_URL must be allowed to create tables: make it the owner of the database';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
