import { readFile } from 'node:fs/promises';
import { type Address, beginCell, type Cell, toNano } from '@ton/core';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { parseMethodId } from '../../src/chain/contracts/method-ids.ts';
import { wholeSliceEntry } from '../../src/chain/stack/entries.ts';
import { writeStackBoc } from '../../src/chain/stack/vm-stack.ts';
import { createConnection } from '../../src/lite/connection.ts';
import { parseGlobalConfig } from '../../src/lite/global-config.ts';
import { createPool } from '../../src/lite/pool.ts';
import { readBlockConfig } from '../../src/live/config.ts';
import type { ContractState } from '../../src/localnet/contracts/contract.ts';
import type { GetMethodWire } from '../../src/vm/runs.ts';
import { decodeGetMethod, encodeGetMethod, type GetMethodRun, textsOfGetMethod } from '../../src/vm/runs.ts';
import { createVm, type Vm } from '../../src/vm/vm.ts';
import { compileEmulator } from '../../src/vm/worker/emulator.ts';
import { Runner } from '../../src/vm/worker/runner.ts';
import { createCall } from '../../test/live/support/make-call.ts';
import { createQuietLog } from '../../test/support/quiet-log.ts';

/** A run with its serialised input, so that only the run itself is measured. */
export interface PreparedRun {
  readonly run: GetMethodRun;
  readonly wire: GetMethodWire;
}

/** The emulator without a server around it. */
export interface RawEmulator {
  prepare(contract: ContractState, method: string, owner?: Address): PreparedRun;
  /** Runs in this thread. */
  direct(prepared: PreparedRun): Promise<void>;
  /** Runs in one of as many threads as the server has. */
  inThreads(prepared: PreparedRun): Promise<void>;
  close(): Promise<void>;
}

/** Prepares the emulator with the configuration of the chain. */
export async function createRawEmulator(globalConfigPath: string, threads: number): Promise<RawEmulator> {
  const log = createQuietLog();
  const vm = createVm({ log, threads });
  const shared = await readShared(globalConfigPath, vm, log);
  const runner = new Runner(await compileEmulator());
  await vm.warm();
  let fresh = textsOfGetMethod(shared as GetMethodRun).map(({ key, text }) => [key, text] as const);
  return {
    prepare({ address, init }, method, owner) {
      const run: GetMethodRun = {
        ...shared,
        code: bocText(init.code),
        data: bocText(init.data),
        address: address.toRawString(),
        balance: toNano('0.1'),
        utime: Math.floor(Date.now() / 1000),
        methodId: parseMethodId(method),
        stack: owner && stackOf(owner),
      };
      return { run, wire: encodeGetMethod(run) };
    },
    async direct({ wire }) {
      const { replies } = await runner.work({ runs: [wire], fresh, forgotten: [] }, () => {});
      fresh = [];
      assertSuccess(decodeGetMethod(replies[0]!));
    },
    inThreads: async ({ run }) => assertSuccess(await vm.runGetMethod(run)),
    close: () => vm.close(),
  };
}

async function readShared(path: string, vm: Vm, log: ReturnType<typeof createQuietLog>) {
  const config = parseGlobalConfig(await readFile(path, 'utf8'));
  const pool = createPool({ config, connect: createConnection, log });
  try {
    const session = await pool.session();
    const { vm: vmConfig, prevBlocks } = await readBlockConfig(createCall({ pool, vm, log }), session);
    return { config: vmConfig, prevBlocks };
  } finally {
    await pool.close();
  }
}

function stackOf(owner: Address): Buffer {
  const bag = readBoc(beginCell().storeAddress(owner).endCell().toBoc());
  return writeStackBoc([wholeSliceEntry(bag, bag.root)]);
}

function bocText(cell: Cell): string {
  return cell.toBoc({ idx: false, crc32: false }).toString('base64');
}

function assertSuccess({ exitCode }: { readonly exitCode: number }): void {
  if (exitCode !== 0) throw new Error(`Get-method failed with exit code ${exitCode}`);
}
