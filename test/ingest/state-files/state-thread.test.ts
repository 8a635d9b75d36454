import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { findStateFiles, type ShardStateFiles } from '../../../src/ingest/state-files/find-state-files.ts';
import { openShardState, type ProvenState } from '../../../src/ingest/state-files/shard-state.ts';
import type { StateAccount } from '../../../src/ingest/state-files/state-batch.ts';
import { StateFileError } from '../../../src/ingest/state-files/state-file-error.ts';
import { openStateThread } from '../../../src/ingest/state-files/state-thread.ts';
import { makeState } from '../../support/made-state.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

const ACCOUNTS = 9000;
const SIGNAL = new AbortController().signal;

let folder: string;
let workFolder: string;
let files: ShardStateFiles;
let proven: ProvenState;
beforeAll(async () => {
  folder = makeTemporaryDirectory('state-thread');
  workFolder = join(folder, 'work');
  const made = await makeState({ folder: join(folder, 'made'), accounts: ACCOUNTS, splitDepth: 1 });
  proven = made.proven;
  const { states } = await findStateFiles([join(folder, 'made')]);
  files = states[0]!.shards[0]!;
}, 120_000);
afterAll(() => removeTemporaryDirectory(folder));

async function readAll(after?: Buffer): Promise<StateAccount[]> {
  const state = await openStateThread(files, proven, { workFolder, signal: SIGNAL });
  const accounts: StateAccount[] = [];
  for await (const batch of state.batches(after)) accounts.push(...batch);
  await state.close();
  return accounts;
}

it('reads what the files hold, with the code of the first account that has it', async () => {
  const read = await readAll();
  const state = await openShardState(files, proven, { workFolder });
  const codes = new Set<string>();
  let count = 0;
  for await (const file of state.files())
    for (const { id, cells, cell, lastTransLt, lastTransHash } of file.accounts()) {
      const account = readAccount(cells, cell)!;
      const one = read[count++]!;
      expect(one).toMatchObject({ id, hash: cells.hash(cell), lastTransLt, lastTransHash });
      expect(one.balance).toBe(account.balance.grams);
      expect(one.status).toBe('active');
      const data = readBoc(one.data!);
      expect(data.hash(data.root)).toEqual(one.dataHash);
      const code = one.codeHash!.toString('hex');
      expect(one.newCode?.hash.toString('hex')).toBe(codes.has(code) ? undefined : code);
      codes.add(code);
    }
  state.close();
  expect([count, read.length]).toEqual([ACCOUNTS, ACCOUNTS]);
  expect(codes.size).toBe(3);
});

it('goes on after an account', async () => {
  const all = await readAll();
  const middle = all.length - 1000;
  const rest = await readAll(all[middle - 1]!.id);
  expect(rest.map(({ id }) => id)).toEqual(all.slice(middle).map(({ id }) => id));
  expect(rest.some(({ newCode }) => newCode !== undefined)).toBe(true);
});

it('reads no further ahead than its bound', async () => {
  const hashed = new Set<string>();
  const state = await openStateThread(files, proven, {
    workFolder,
    signal: SIGNAL,
    aheadBytes: 1,
    onHashed: (path) => hashed.add(path),
  });
  const [first, second] = files.parts!.map(({ path }) => path);
  const batches = state.batches();
  // One is taken, the next one is ahead: it is the last of the first file.
  await batches.next();
  await sleep(500);
  expect([hashed.has(first!), hashed.has(second!)]).toEqual([true, false]);
  let rest = 0;
  for await (const batch of batches) rest += batch.length;
  expect(hashed.has(second!)).toBe(true);
  expect(rest).toBe(ACCOUNTS - 4000);
  await state.close();
});

it('names the damage of a file, after the accounts of the files before', async () => {
  const damaged = files.parts![1]!.path;
  const whole = await readFile(damaged);
  const broken = Buffer.from(whole);
  broken[whole.length >> 1]! ^= 4;
  await writeFile(damaged, broken);
  try {
    const state = await openStateThread(files, proven, { workFolder, signal: SIGNAL });
    let before = 0;
    const reading = (async () => {
      for await (const batch of state.batches()) before += batch.length;
    })();
    const error = await reading.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StateFileError);
    const { path, message } = error as StateFileError;
    expect(basename(path)).toBe(basename(damaged));
    expect(message).toMatch(/ at byte \d+: /);
    expect(before).toBeGreaterThan(4000);
    await state.close();
  } finally {
    await writeFile(damaged, whole);
  }
});

it('refuses a state that is not the proven one when it is opened', async () => {
  const other = { ...proven, hash: Buffer.alloc(32, 7) };
  await expect(openStateThread(files, other, { workFolder, signal: SIGNAL })).rejects.toThrow(
    /holds a state with the hash/,
  );
});

it('ends when it is aborted', async () => {
  const ending = new AbortController();
  const state = await openStateThread(files, proven, { workFolder, signal: ending.signal, aheadBytes: 1 });
  const reading = (async () => {
    for await (const _ of state.batches()) ending.abort(new Error('stopped'));
  })();
  await expect(reading).rejects.toThrow('stopped');
  await state.close();
});
