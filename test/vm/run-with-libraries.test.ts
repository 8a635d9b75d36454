import { Address, beginCell, Cell, loadTransaction, toNano } from '@ton/core';
import { afterAll, expect, it } from 'vitest';
import { libraryReference } from '../../src/localnet/contracts/contract.ts';
import { type LibrarySource, runWithLibraries } from '../../src/vm/run-with-libraries.ts';
import { writeLibraries } from '../../src/vm/shared-inputs.ts';
import { sharedVm } from '../support/shared-vm.ts';
import { boc, config, internalMessage, RAND_SEED, shardAccount, UTIME } from './built-data.ts';

const vm = sharedVm();
afterAll(() => vm.close());

/** The libraries of a chain that has some; `asked` gets the hashes that were looked for. */
function sourceOf(published: readonly Cell[], asked: string[] = []): LibrarySource {
  const found = new Map<string, Buffer>();
  return {
    async find(hashes) {
      const names = hashes.map((hash) => hash.toString('hex'));
      asked.push(...names);
      const fresh = published.filter((cell) => {
        const name = cell.hash().toString('hex');
        return names.includes(name) && !found.has(name);
      });
      for (const cell of fresh) found.set(cell.hash().toString('hex'), boc(cell));
      return fresh.map(boc);
    },
    share: () => writeLibraries([...found.values()]),
  };
}

async function exitCodeOf(code: Cell, data: Cell, libraries: LibrarySource): Promise<number> {
  const to = new Address(0, Buffer.alloc(32, 0x11));
  const run = {
    shardAccount: shardAccount(to, toNano(10), { code, data }),
    message: internalMessage(to, toNano(1)),
    config,
    lt: 1000n,
    utime: UTIME,
    randSeed: RAND_SEED,
  };
  const limits = () => ({ timeoutMs: 60_000 });
  const { outcome, elapsedSeconds } = await runWithLibraries(vm, run, libraries, limits);
  if (outcome.kind !== 'done') throw new Error(outcome.text);
  expect(elapsedSeconds).toBeGreaterThan(0);
  const { description } = loadTransaction(Cell.fromBoc(outcome.transaction)[0]!.beginParse());
  if (description.type !== 'generic' || description.computePhase.type !== 'vm') throw new Error('not run');
  return description.computePhase.exitCode;
}

/** Code that goes on in a reference. */
const before = (next: Cell): Cell => beginCell().storeUint(0xff00, 16).storeRef(next).endCell();
const last = beginCell().storeUint(0xff00, 16).endCell();
const nothing = beginCell().endCell();

it('runWithLibraries finds library code, and libraries in libraries', async () => {
  const middle = before(libraryReference(last));
  const outer = before(libraryReference(middle));
  const code = libraryReference(outer);
  expect(await exitCodeOf(code, nothing, sourceOf([last, middle, outer]))).toBe(0);
  expect(await exitCodeOf(code, nothing, sourceOf([middle, outer]))).toBe(9);
});

it('runWithLibraries fetches libraries of the data only if one was missing', async () => {
  const data = beginCell().storeRef(libraryReference(last)).endCell();
  const asked: string[] = [];
  expect(await exitCodeOf(last, data, sourceOf([last], asked))).toBe(0);
  expect(asked).toEqual([]);
  // SETCP0, c4 PUSH, CTOS, PLDREF, CTOS, DROP
  const reader = beginCell().storeBuffer(Buffer.from('FF00ED44D0D74CD030', 'hex')).endCell();
  expect(await exitCodeOf(reader, data, sourceOf([last], asked))).toBe(0);
  expect(asked).toEqual([last.hash().toString('hex')]);
});
