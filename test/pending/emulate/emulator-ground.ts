import { readFile } from 'node:fs/promises';
import { type Cell, loadTransaction, type Transaction } from '@ton/core';
import { toCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { createEmulationGround } from '../../../src/cli/emulation-ground.ts';
import { createConnection } from '../../../src/lite/connection/create-connection.ts';
import { parseGlobalConfig } from '../../../src/lite/global-config.ts';
import { createPool, type LitePool } from '../../../src/lite/pool.ts';
import { createHeadProver } from '../../../src/lite/proofs/head-prover.ts';
import { createLocalnet } from '../../../src/localnet/chain/create-localnet.ts';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { openLiteServer } from '../../../src/localnet/chain/open-lite-server.ts';
import { createValidatorSigner } from '../../../src/localnet/chain/validator-signer.ts';
import { createCollator } from '../../../src/localnet/collate/create-collator.ts';
import { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';
import { listTransactions } from '../../../src/localnet/lite-server/block-transactions.ts';
import { parseBlock, shardTops } from '../../../src/localnet/store/new-block.ts';
import {
  createTraceEmulator,
  type TraceEmulator,
  type TraceEmulatorOptions,
} from '../../../src/pending/emulate/create-trace-emulator.ts';
import type { EmulatedTrace, EmulationRefusal } from '../../../src/pending/emulated-trace.ts';
import type { EmulationGround } from '../../../src/pending/emulation-ground.ts';
import { createMemory } from '../../../src/v2/memory.ts';
import { createVm, type Vm, type VmOptions } from '../../../src/vm/create-vm.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { makeCall } from '../../v2/support/make-call.ts';

/** A local chain behind a lite server over ADNL, and emulations on it; its clock stands still, so that times are known. */
export interface EmulatorGround {
  readonly localnet: Localnet;
  readonly pool: LitePool;
  readonly vm: Vm;
  readonly ground: EmulationGround;
  /** The same as it is at a new block: nothing is remembered but the configuration. */
  readonly freshGround: () => EmulationGround;
  readonly emulator: TraceEmulator;
  /** An emulator of other bounds on the same ground. */
  readonly emulatorWith: (options: Partial<TraceEmulatorOptions>) => TraceEmulator;
  /** Puts messages from outside into blocks, with all that follows, and waits until the lite server is known to have them. */
  readonly deliver: (...messages: readonly Cell[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface EmulatorGroundOptions {
  readonly shards?: 1 | 2 | 4;
  /** Whether the chain is filled with the demo. */
  readonly demo?: boolean;
  readonly vm?: Partial<VmOptions>;
}

/** Time enough for everything but what is meant to run out of it. */
export const BUDGET_MS = 60_000;

export async function openEmulatorGround(options: EmulatorGroundOptions = {}): Promise<EmulatorGround> {
  const { shards = 1, demo = false } = options;
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('emulate');
  if (demo) await copyDemoChain(folder, shards);
  const vm = createVm({ log, threads: 1, ...options.vm });
  const time = Math.floor(Date.now() / 1000);
  const localnet = await createLocalnet({
    ...{ folder, vm, log, clock: () => time, settings: { blockMs: 1000, mine: 'interval', shards } },
    makeZeroStates: async (genesis) => (await createGenesis(genesis)).zeroStates,
    createCollator: (store) => createCollator({ store, vm, signer: createValidatorSigner() }),
    // The shards of a new chain come by and by; that of the demo stays as it was, so that an index of it can be shared.
    prepare: async (chain) => void (demo || (await chain.drain())),
  });
  const { store, now } = localnet;
  const server = await openLiteServer(folder, { store, host: '127.0.0.1', port: 0, log, now });
  const config = parseGlobalConfig(await readFile(server.globalConfigPath, 'utf8'));
  const memory = { load: async () => undefined, save: async () => undefined };
  const prover = await createHeadProver({ anchor: config.initBlock, memory, log });
  const pool = createPool({
    ...{ config, connect: createConnection, log },
    proveHead: (from, block) => prover.prove(from.query, block),
  });
  const caughtUp = () => pool.waitForSeqno(store.head.seqno, { timeoutMs: 30_000 });
  const { ports } = makeCall({ pool, vm, log }, { clock: now });
  const ground = createEmulationGround(ports, log);
  const freshGround = () => {
    const { configs } = ports.memory;
    return createEmulationGround({ ...ports, memory: { ...createMemory(), configs } }, log);
  };
  const emulatorWith = (other: Partial<TraceEmulatorOptions>) =>
    createTraceEmulator({ vm, ground, log, ...other });
  await caughtUp();
  return {
    ...{ localnet, pool, vm, ground, freshGround, emulator: emulatorWith({}), emulatorWith },
    async deliver(...messages) {
      for (const message of messages) await localnet.send(message.toBoc());
      await localnet.drain();
      await caughtUp();
    },
    async close() {
      await pool.close();
      await server.close();
      await localnet.stop();
      await vm.close();
      await removeTemporaryDirectory(folder);
    },
  };
}

/** The trace that came out; throws for a refusal. */
export function traceOf(result: EmulatedTrace | EmulationRefusal): EmulatedTrace {
  if ('kind' in result) throw new Error(`refused with ${result.exitCode}: ${result.text}`);
  return result;
}

/** A transaction of a block. */
export interface RealTransaction {
  readonly workchain: number;
  readonly cell: Cell;
  readonly transaction: Transaction;
}

/** The transactions of all masterchain seqnos after one, without tick and tock. */
export function transactionsAfter({ store }: Localnet, after: number): RealTransaction[] {
  const found: RealTransaction[] = [];
  for (let seqno = after + 1; seqno <= store.head.seqno; seqno++) {
    const masterchain = store.masterchainBlock(seqno)!;
    const tops = shardTops(parseBlock(store.open(masterchain).bytes));
    for (const block of [...tops.map((id) => store.block(id)), masterchain]) {
      if (block === undefined || block.masterchainSeqno !== seqno) continue;
      const { cells, root } = store.open(block);
      const list = listTransactions({ cells, root }, { count: 256, reverse: false, after: undefined });
      if (!list.complete) throw new Error('a block with too many transactions for this');
      for (const { cell: at } of list.transactions) {
        const cell = toCoreCell(cells, at);
        const transaction = loadTransaction(cell.beginParse());
        if (transaction.description.type === 'generic')
          found.push({ workchain: block.id.workchain, cell, transaction });
      }
    }
  }
  return found;
}
