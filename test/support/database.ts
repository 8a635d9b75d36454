import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, type Database, type DatabaseOptions } from '../../src/db/connection.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { fixtureHash } from './fixtures.ts';
import { createQuietLog } from './quiet-log.ts';

const OBJECT_IN_USE = '55006';
const MAX_ATTEMPTS = 100;

/** A database of one test, with the current schema. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** Closes the connections and removes it. */
  drop(): Promise<void>;
}

/** Clones the migrated template database of this run. */
export async function createTestDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  return createFrom(inject('testTemplate'), options);
}

/** Creates an empty database, for tests of migrations. */
export async function createEmptyTestDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  return createFrom(inject('emptyTemplate'), options);
}

/** A database that is filled once and kept between runs. */
export interface FilledDatabase {
  /** Becomes part of its name. */
  readonly name: string;
  /** The file that fills it, relative to the checkout: it is filled anew when that or something it imports changes. */
  readonly source: string;
  /** More that it depends on. */
  readonly version?: string;
  /** The database that is filled further. */
  readonly base?: FilledDatabase;
  /** Gets it open; who fills it need not close it. */
  readonly fill: (filling: Pick<TestDatabase, 'url' | 'database'>) => Promise<void>;
}

/** Clones a filled database. */
export async function createFilledTestDatabase(
  wanted: FilledDatabase,
  options: Partial<DatabaseOptions> = {},
): Promise<TestDatabase> {
  return createFrom(await ensureFilled(wanted), options);
}

/** Opens a filled database that all files share which only read it. */
export async function readFilledTestDatabase(wanted: FilledDatabase): Promise<TestDatabase> {
  const filled = await ensureFilled(wanted);
  // Not the one itself, which cannot be cloned while there are connections to it.
  const shared = `${filled}_shared`;
  await onceInRun(shared, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [shared]);
    if (rowCount !== 0) return;
    await onServers((node) => clone(node, shared, filled));
    if (!isTestCluster())
      await client.query(`alter database ${shared} set default_transaction_read_only = on`);
  });
  return open(shared, {}, async () => {});
}

/** Returns the name of a filled database. The first caller fills it, if no earlier run has; the others wait. */
async function ensureFilled({ name, source, version = '', base, fill }: FilledDatabase): Promise<string> {
  const template = base === undefined ? inject('testTemplate') : await ensureFilled(base);
  const subject = `${inject('testTemplate')}_${name}_`;
  const filled = `${subject}${version}${fixtureHash(source)}`;
  await onceInRun(subject, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
      subject,
    ]);
    const names = rows.map(({ datname }) => datname as string);
    if (names.includes(filled)) return;
    for (const older of names) await onServers((node) => node.query(`drop database ${older} with (force)`));
    const draft = `${filled}_draft`;
    await onServers((node) => node.query(`drop database if exists ${draft} with (force)`));
    await onServers((node) => clone(node, draft, template));
    const filling = open(draft, {}, async () => {});
    try {
      await fill(filling);
    } finally {
      await filling.drop();
    }
    if (isTestCluster()) await onServers((node) => endConnectionsTo(node, draft));
    await onServers((node) => node.query(`alter database ${draft} rename to ${filled}`));
  });
  return filled;
}

/** Runs work that several files may ask for, one after another. */
export function onceInRun(name: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  return onServer(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    await work(client);
  });
}

async function createFrom(template: string, options: Partial<DatabaseOptions>): Promise<TestDatabase> {
  const name = `tongate_test_${randomBytes(6).toString('hex')}`;
  await onServers((client) => clone(client, name, template));
  return open(name, options, () => onServers((client) => dropDatabase(client, name)));
}

function open(
  name: string,
  options: Partial<DatabaseOptions>,
  afterClose: () => Promise<void>,
): TestDatabase {
  const url = withDatabase(inject('testServerUrl'), name);
  const database = createDatabase({
    url,
    replicaUrls: [],
    poolSize: 5,
    isCluster: isTestCluster(),
    log: createQuietLog(),
    ...options,
  });
  return {
    url,
    database,
    async drop() {
      await database.close();
      await afterClose();
    },
  };
}

/** Gives closed connections time to end: being terminated by the server would be an error in the process that had them. */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = $1 and backend_type = 'client backend'
         and application_name not like 'citus%'`,
      [name],
    );
    if (rowCount === 0) break;
    await sleep(10);
  }
  // The maintenance daemon of Citus may keep it longer than the 5 s that PostgreSQL waits.
  await retryInUse(() => client.query(`drop database if exists ${name} with (force)`));
}

/**
 * Concurrent clones of a template can fail. Where nothing waits for a disk, on our own server, copying files takes less than
 * half of the time that copying through the log takes.
 */
function clone(client: pg.Client, name: string, template: string): Promise<void> {
  const strategy = inject('pristineCluster') === '' ? 'wal_log' : 'file_copy';
  return retryInUse(() => client.query(`create database ${name} template ${template} strategy ${strategy}`));
}

/** Retries while it fails with "object in use". */
async function retryInUse(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== OBJECT_IN_USE || attempt === MAX_ATTEMPTS) throw error;
      await sleep(50);
    }
  }
}

/** Whether the tests run on a cluster. */
export function isTestCluster(): boolean {
  return inject('testWorkerUrls').length > 0;
}

/** Makes seqnos part of the coverage, for tests that write rows themselves: a cluster shows no others. */
export async function coverSeqnos(
  db: Kysely<Tables>,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  await db
    .insertInto('index_chunks')
    .values({ first_seqno: first, last_seqno: last, done_seqno: last })
    .execute();
}

/** Ends the connections to a database from which others are cloned: Citus keeps some for itself. */
export function endConnections(url: string, name: string): Promise<void> {
  return onServer((client) => endConnectionsTo(client, name), url);
}

async function endConnectionsTo(client: pg.Client, name: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { rowCount } = await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    );
    if (rowCount === 0) return;
    await sleep(10);
  }
}

/** On all nodes of a cluster, the workers last. */
async function onServers(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  for (const url of [inject('testServerUrl'), ...inject('testWorkerUrls')]) await onServer(work, url);
}

async function onServer(
  work: (client: pg.Client) => Promise<unknown>,
  url = inject('testServerUrl'),
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
