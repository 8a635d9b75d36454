import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOwnerNames, releaseDeadOwners } from '../../src/index/chunks.ts';
import { processIdentity } from '../../src/lib/process-identity.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('releaseDeadOwners releases the chunks of exited processes of this machine only', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const name = `${hostname()} abc ${child.pid} ${processIdentity(child.pid!)}`;
  const owners = [name, createOwnerNames()(), 'elsewhere abc 1 boot:1', 'somebody', null];
  const db = database.database.primary;
  const rows = owners.map((owner, i) => ({
    first_seqno: 10 * i + 1,
    last_seqno: 10 * i + 10,
    done_seqno: 10 * i,
    owner,
  }));
  await db.insertInto('index_chunks').values(rows).execute();
  const ownersNow = async () => {
    const chunks = await db.selectFrom('index_chunks').select('owner').orderBy('first_seqno').execute();
    return chunks.map(({ owner }) => owner);
  };
  await releaseDeadOwners(db);
  expect(await ownersNow()).toEqual(owners);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await releaseDeadOwners(db);
  expect(await ownersNow()).toEqual([null, ...owners.slice(1)]);
});
