import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MASTERCHAIN } from '../../src/chain/block-id.ts';
import { parseStateFileName } from '../../src/chain/state/state-file-names.ts';
import { walkShardAccounts } from '../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../src/chain/tlb/shard-state.ts';
import { findStateFiles } from '../../src/ingest/state-files/find-state-files.ts';
import { proveStates, proveZeroStates } from '../../src/ingest/state-files/proven-states.ts';
import { openShardState } from '../../src/ingest/state-files/shard-state.ts';
import { chainFolder, lockFolder } from '../../src/localnet/chain/chain-folder.ts';
import { withStoredChain } from '../../src/localnet/chain/stored-chain.ts';
import type { ChainStore } from '../../src/localnet/store/chain-store.ts';
import { headShards, headState } from '../../src/localnet/store/head-state.ts';
import { copyDemoChain } from '../support/demo-chain.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { makeDataDir, runTongateHere } from '../support/tongate-process.ts';

let data: ReturnType<typeof makeDataDir>;
let folder: string;
beforeAll(async () => {
  data = makeDataDir();
  folder = chainFolder(data.path);
  await copyDemoChain(folder, 1);
}, 300_000);
afterAll(() => data?.remove());

const run = (...args: string[]) => runTongateHere(['localnet', 'export', ...args], { DATA_DIR: data.path });
const withStore = <T>(work: (store: ChainStore) => Promise<T>): Promise<T> =>
  withStoredChain({ folder, log: createQuietLog() }, work);

it('writes the states of a stopped chain, whole or split, proven by its blocks', async () => {
  for (const [depth, parts] of [
    ['0', 0],
    ['2', 4],
  ] as const) {
    const states = join(data.path, `states-${depth}`);
    const { code, output } = await run('--states', states, '--split-depth', depth);
    expect(code).toBe(0);
    const names = await readdir(states);
    expect(output).toContain(`${names.length} files of states in ${states}`);
    const kinds = names.map((name) => parseStateFileName(name)!.kind).sort();
    const split = ['header', ...Array(parts).fill('part')];
    expect(kinds).toEqual([
      ...(parts > 0 ? split : []),
      ...(parts > 0 ? ['whole'] : ['whole', 'whole']),
      'zero',
      'zero',
    ]);
    await withStore((store) => compare(store, states));
  }
});

/** Compares the accounts of the files with those of the chain. */
async function compare(store: ChainStore, folder: string): Promise<void> {
  const found = await findStateFiles([folder]);
  const options = { workFolder: join(data.path, 'work') };
  const proven = await proveStates(found.states[0]!, {
    masterchainBlock: async (seqno) => store.open(store.masterchainBlock(seqno)!).bytes,
    shardBlock: async (id) => store.open(store.block(id)!).bytes,
  });
  const head = headState(store);
  const blocks = [head.id, ...headShards(head)];
  expect(proven.map(({ files }) => files.workchain)).toEqual([MASTERCHAIN, 0]);
  for (const [i, { files, proven: expected }] of proven.entries()) {
    const accounts: string[] = [];
    const state = await openShardState(files, expected, options);
    for await (const file of state.files())
      for (const { id, cells, cell } of file.accounts())
        accounts.push(`${id.toString('hex')} ${cells.hash(cell).toString('hex')}`);
    state.close();
    const tree = store.state(blocks[i]!);
    if (typeof tree !== 'object') throw new Error('the state is missing');
    const known: string[] = [];
    walkShardAccounts(tree.cells, readShardState(tree.cells, tree.cell).accounts, (id, { account }) => {
      known.push(`${id.toString('hex')} ${tree.cells.hash(account).toString('hex')}`);
    });
    expect(accounts).toEqual(known);
    expect(known.length).toBeGreaterThan(3);
  }
  const zeros = await proveZeroStates(found.zeroStates, store.zeroState, options);
  expect(zeros.map(({ files }) => files.workchain)).toEqual([MASTERCHAIN, 0]);
}

it('says what is wrong with its arguments, and leaves a running chain alone', async () => {
  expect(await run()).toMatchObject({ code: 2 });
  expect(await run('--states', 'x', '--split-depth', '9')).toMatchObject({ code: 2 });
  const unknown = await run('--states', join(data.path, 'none'), '--snapshot', 'nobody');
  expect(unknown.output).toContain('there is no snapshot of the name nobody');
  const unlock = lockFolder(folder);
  try {
    const { code, output } = await run('--states', join(data.path, 'none'));
    expect(code).toBe(1);
    expect(output).toContain('in use by process');
  } finally {
    unlock();
  }
});
