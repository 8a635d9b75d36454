import { readFile } from 'node:fs/promises';
import { Cell, loadTransaction, type Message, type Transaction } from '@ton/core';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { createConnection } from '../../../src/lite/connection.ts';
import { parseGlobalConfig } from '../../../src/lite/global-config.ts';
import { createHeadProver } from '../../../src/lite/head-proof.ts';
import { createPool, type LitePool } from '../../../src/lite/pool.ts';
import { createEmulationContext, type EmulationContext } from '../../../src/live/emulation.ts';
import { createLiveMemory } from '../../../src/live/memory.ts';
import { createLocalnet, type Localnet } from '../../../src/localnet/chain/localnet.ts';
import { openLiteServer } from '../../../src/localnet/chain/open-lite-server.ts';
import { createValidatorSigner } from '../../../src/localnet/chain/validators.ts';
import { createCollator } from '../../../src/localnet/collate/collator.ts';
import { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';
import { listTransactions } from '../../../src/localnet/lite-server/methods/block-transactions.ts';
import { parseBlock, shardTops } from '../../../src/localnet/store/parse-block.ts';
import {
  createTraceEmulator,
  type TraceEmulator,
  type TraceEmulatorOptions,
} from '../../../src/pending/emulate.ts';
import type {
  EmulatedTrace,
  EmulatedTransaction,
  EmulationRefusal,
} from '../../../src/pending/pending-traces.ts';
import { createVm, type Vm, type VmOptions } from '../../../src/vm/vm.ts';
import { makeCall } from '../../live/support/make-call.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

/** A local chain behind a lite server over ADNL, and emulations on it; its clock stands still, so that times are known. */
export interface EmulatorContext {
  readonly localnet: Localnet;
  readonly pool: LitePool;
  readonly vm: Vm;
  readonly ground: EmulationContext;
  /** The same as it is at a new block: nothing is remembered but the configuration. */
  readonly freshGround: () => EmulationContext;
  readonly emulator: TraceEmulator;
  /** An emulator of other bounds on the same ground. */
  readonly emulatorWith: (options: Partial<TraceEmulatorOptions>) => TraceEmulator;
  /** Puts messages from outside into blocks, with all that follows, and waits until the lite server is known to have them. */
  readonly deliver: (...messages: readonly Cell[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface EmulatorContextOptions {
  readonly shards?: 1 | 2 | 4;
  /** Whether the chain is filled with the demo. */
  readonly demo?: boolean;
  readonly vm?: Partial<VmOptions>;
}

/** Time enough for everything but what is meant to run out of it. */
export const BUDGET_MS = 60_000;

export async function openEmulatorContext(options: EmulatorContextOptions = {}): Promise<EmulatorContext> {
  const { shards = 1, demo = false } = options;
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('emulate');
  if (demo) await copyDemoChain(folder, shards);
  const vm = createVm({ log, threads: 1, ...options.vm });
  const time = Math.floor(Date.now() / 1000);
  const localnet = await createLocalnet({
    folder,
    vm,
    log,
    clock: () => time,
    settings: { blockMs: 1000, mine: 'interval', shards },
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
    config,
    connect: createConnection,
    log,
    proveHead: (from, block) => prover.prove(from.query, block),
  });
  const caughtUp = () => pool.waitForSeqno(store.head.seqno, { timeoutMs: 30_000 });
  const { ports } = makeCall({ pool, vm, log }, { clock: now });
  const ground = createEmulationContext(ports, log);
  const freshGround = () => {
    const { configs } = ports.memory;
    return createEmulationContext({ ...ports, memory: { ...createLiveMemory(), configs } }, log);
  };
  const emulatorWith = (other: Partial<TraceEmulatorOptions>) =>
    createTraceEmulator({ vm, ground, log, ...other });
  await caughtUp();
  return {
    localnet,
    pool,
    vm,
    ground,
    freshGround,
    emulator: emulatorWith({}),
    emulatorWith,
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

/** What a transaction did, without what depends on the place in the chain that it has. */
export interface Effect {
  readonly account: string;
  readonly status: string;
  /** Exit code of the compute phase, or why it was skipped; result code of the action phase. */
  readonly compute: number | string;
  readonly action: number | undefined;
  readonly bounced: string | undefined;
  readonly fees: bigint;
  readonly inMessage: string;
  readonly outMessages: readonly string[];
}

/** What a transaction of a trace did. */
export function effectOf({ account, boc }: EmulatedTransaction): Effect {
  return effectOfCell(account.workchain, Cell.fromBoc(boc)[0]!);
}

/** What a transaction did. */
export function effectOfCell(workchain: number, cell: Cell): Effect {
  const transaction: Transaction = loadTransaction(cell.beginParse());
  const { description, oldStatus, endStatus } = transaction;
  if (description.type !== 'generic') throw new Error('a transaction without a message');
  const { computePhase: compute, actionPhase, bouncePhase } = description;
  return {
    account: `${workchain}:${transaction.address.toString(16).padStart(64, '0')}`,
    status: `${oldStatus} ${endStatus}`,
    compute: compute.type === 'vm' ? compute.exitCode : compute.reason,
    action: actionPhase?.resultCode,
    bounced: bouncePhase?.type,
    fees: transaction.totalFees.coins,
    inMessage: textOf(transaction.inMessage!),
    outMessages: transaction.outMessages.values().map(textOf),
  };
}

function textOf({ info, init, body }: Message): string {
  const parts = [`${info.src} to ${info.dest}`, body.hash().toString('hex')];
  if (init != null) parts.push('with init');
  if (info.type === 'internal')
    parts.push(
      `${info.value.coins} ${info.value.other?.size ?? 0} ${info.bounce} ${info.bounced} ${info.forwardFee}`,
    );
  return parts.join(', ');
}
