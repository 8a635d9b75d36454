import { readFile } from 'node:fs/promises';
import { Cell, loadTransaction, type Message, type Transaction } from '@ton/core';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { iterateTransactions } from '../../../src/chain/tlb/account-blocks.ts';
import { readBlockExtra, readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { createConnection } from '../../../src/lite/connection.ts';
import { parseGlobalConfig } from '../../../src/lite/global-config.ts';
import { createHeadProver } from '../../../src/lite/head-proof.ts';
import { createPool, type LitePool } from '../../../src/lite/pool.ts';
import { createLiveCaches } from '../../../src/live/caches.ts';
import { createEmulationContext, type EmulationContext } from '../../../src/live/emulation.ts';
import { createLocalnet, type Localnet } from '../../../src/localnet/chain/localnet.ts';
import { openLiteServer } from '../../../src/localnet/chain/start-localnet.ts';
import { createValidatorSigner } from '../../../src/localnet/chain/validators.ts';
import { createCollator } from '../../../src/localnet/collate/collator.ts';
import { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';
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
import { createCall } from '../../live/support/make-call.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

/** A local chain behind a lite server over ADNL, and emulations on it; its clock stands still, so that times are known. */
export interface EmulatorContext {
  readonly localnet: Localnet;
  readonly pool: LitePool;
  /** How often a method of the lite server was called. */
  readonly queries: (method: string) => number;
  readonly vm: Vm;
  readonly context: EmulationContext;
  /** The same with empty caches but for the config, as at a new block. */
  readonly freshContext: () => EmulationContext;
  readonly emulator: TraceEmulator;
  /** An emulator with other limits on the same chain. */
  readonly emulatorWith: (options: Partial<TraceEmulatorOptions>) => TraceEmulator;
  /** Puts external messages into blocks, with all that follows, and waits until the lite server has them. */
  readonly deliver: (...messages: readonly Cell[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface EmulatorContextOptions {
  readonly shards?: 1 | 2 | 4;
  /** Whether the chain is filled with the demo. */
  readonly demo?: boolean;
  readonly vm?: Partial<VmOptions>;
  /** Whether the lite server tells of signed shard blocks; it does by default. */
  readonly showsSigned?: boolean;
}

/** Enough for everything that is not meant to time out. */
export const BUDGET_MS = 60_000;

export async function openEmulatorContext(options: EmulatorContextOptions = {}): Promise<EmulatorContext> {
  const { shards = 1, demo = false } = options;
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('emulate');
  if (demo) await copyDemoChain(folder, shards);
  const vm = options.vm === undefined ? sharedVm() : createVm({ log, threads: 1, ...options.vm });
  const time = Math.floor(Date.now() / 1000);
  const localnet = await createLocalnet({
    folder,
    vm,
    log,
    clock: () => time,
    settings: { blockMs: 1000, mine: 'interval', shards },
    makeZeroStates: async (genesis) => (await createGenesis(genesis)).zeroStates,
    createCollator: (store) => createCollator({ store, vm, signer: createValidatorSigner() }),
    // A new chain splits over time; the demo chain stays as it is, so that its index can be shared.
    prepare: async (chain) => void (demo || (await chain.drain())),
  });
  const { store, now } = localnet;
  const server = await openLiteServer(folder, {
    store,
    host: '127.0.0.1',
    port: 0,
    log,
    now,
    showsSigned: options.showsSigned ?? true,
  });
  const config = parseGlobalConfig(await readFile(server.globalConfigPath, 'utf8'));
  const memory = { load: async () => undefined, save: async () => undefined };
  const prover = await createHeadProver({ anchor: config.initBlock, store: memory, log });
  const queries = new Map<string, number>();
  const pool = createPool({
    config,
    metrics: {
      queryDone: (method) => void queries.set(method, (queries.get(method) ?? 0) + 1),
      serverFailed() {},
    },
    connect: createConnection,
    log,
    proveHead: (from, block) => prover.prove(from.query, block),
  });
  const caughtUp = () => pool.waitForSeqno(store.head.seqno, { timeoutMs: 120_000 });
  const { ports } = createCall({ pool, vm, log }, { clock: now });
  const context = createEmulationContext(ports, log);
  const freshContext = () => {
    const { configs } = ports.caches;
    return createEmulationContext({ ...ports, caches: { ...createLiveCaches(), configs } }, log);
  };
  const emulatorWith = (other: Partial<TraceEmulatorOptions>) =>
    createTraceEmulator({ vm, context: context, log, ...other });
  await caughtUp();
  return {
    localnet,
    pool,
    queries: (method) => queries.get(method) ?? 0,
    vm,
    context,
    freshContext,
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

/** The trace of an outcome; throws for a refusal. */
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
      const { cells, cell: root } = store.open(block);
      const { accountBlocks } = readBlockExtra(cells, readBlockRoot(cells, root).extra);
      for (const { cell: at } of iterateTransactions(cells, accountBlocks)) {
        const cell = toCoreCell(cells, at);
        const transaction = loadTransaction(cell.beginParse());
        if (transaction.description.type === 'generic')
          found.push({ workchain: block.id.workchain, cell, transaction });
      }
    }
  }
  return found;
}

/** What a transaction did, without what depends on its position in the chain. */
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
