import {
  type Address,
  beginCell,
  type Cell,
  internal,
  type MessageRelaxed,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import type { LitePool } from '../../../../src/lite/pool.ts';
import { hasPendingWork } from '../../../../src/localnet/chain/mining.ts';
import { openLiteServer } from '../../../../src/localnet/chain/start-localnet.ts';
import { createRunGetMethod } from '../../../../src/localnet/chain/vm-runs.ts';
import { type ContractState, contractState } from '../../../../src/localnet/contracts/contract.ts';
import {
  faucetOf,
  type LocalChain,
  startLocalChain,
  TestWallet,
  TON,
} from '../../../localnet/support/local-chain.ts';
import { getMethodCode, type MethodResult } from '../../../support/get-method-code.ts';
import { createQuietLog } from '../../../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../../support/temporary-directory.ts';
import { openChainPool } from '../../support/index-tables.ts';

/** A chain with a lite server, whose blocks a test makes one by one. */
export interface LiveChain {
  readonly chain: LocalChain;
  readonly pool: LitePool;
  readonly globalConfigPath: string;
  /** Funded wallets. */
  readonly people: readonly TestWallet[];
  /** Makes a block with messages of wallets and waits until the pool has it; returns its seqno. */
  step(sends?: ReadonlyMap<TestWallet, readonly MessageRelaxed[]>): Promise<number>;
  /** Sends messages from a wallet and makes blocks until their traces are complete. */
  send(from: TestWallet, messages: readonly MessageRelaxed[]): Promise<number>;
  close(): Promise<void>;
}

/** Large enough to keep the states of all blocks for comparisons. */
const MAX_STATE_BYTES = 256 * 2 ** 20;
const SHARDS = 2;

/** Starts a chain of two shards with up to eight wallets. */
export async function startLiveChain(
  options: { readonly people?: number; readonly dnsRoot?: Buffer } = {},
): Promise<LiveChain> {
  const { people: count = 4, dnsRoot } = options;
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('live');
  const chain = await startLocalChain(
    { shards: SHARDS, ...(dnsRoot && { dnsRoot }) },
    undefined,
    MAX_STATE_BYTES,
  );
  const people = Array.from({ length: count }, (_, i) => new TestWallet(i, 'v5r1'));
  const settle = async () => {
    while (hasPendingWork(chain.store, SHARDS)) await chain.step();
  };
  await settle();
  const faucet = faucetOf(chain.genesis);
  const gifts = people.map(({ address: to }) => internal({ to, value: 100_000n * TON, bounce: false }));
  // As many messages as the faucet can send at once.
  await chain.step([gifts.slice(0, 4), gifts.slice(4, 8)].filter((some) => some.length > 0).map(faucet));
  await settle();
  const server = await openLiteServer(folder, {
    store: chain.store,
    host: '127.0.0.1',
    port: 0,
    now: () => chain.now,
    log,
    runGetMethod: createRunGetMethod(chain.store, chain.vm),
  });
  const pool = await openChainPool(server.globalConfigPath, log);

  async function arrive(): Promise<number> {
    const { seqno } = chain.store.head;
    await pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
    return seqno;
  }
  await arrive();
  return {
    chain,
    pool,
    globalConfigPath: server.globalConfigPath,
    people,
    async step(sends = new Map()) {
      await chain.step([...sends].map(([wallet, messages]) => wallet.send(messages)));
      return arrive();
    },
    async send(from, messages) {
      await chain.step([from.send(messages)]);
      await settle();
      return arrive();
    },
    async close() {
      await pool.close();
      await server.close();
      await chain.close();
      await removeTemporaryDirectory(folder);
    },
  };
}

/** The message that deploys a contract. */
export function deployment({ address, init }: ContractState, value = 5n * TON): MessageRelaxed {
  return internal({ to: address, value, bounce: false, init });
}

/** SETCP0, DUP, EQINT 0, IFJMPREF. */
const HEAD = 'ff0020c000e302';
/**
 * DROP; without a reference nothing more. LDU 8, LDREF, DROP, SWAP, EQINT 2; then SENDRAWMSG of the reference with 160,
 * or SETCODE.
 */
const RECEIVE = '3020d74ac000dcd307d43001c002958100a0fb0092fb04e2';
const SET_CODE = 1;
const DESTROY = 2;

/** Code that accepts every message and replaces itself on request; its get-methods always return the same. */
function changingCode(methods: Readonly<Record<string, MethodResult>>): Cell {
  return beginCell()
    .storeBuffer(Buffer.from(HEAD, 'hex'))
    .storeRef(beginCell().storeBuffer(Buffer.from(RECEIVE, 'hex')).endCell())
    .storeSlice(getMethodCode({ nothing: [], ...methods }).asSlice())
    .endCell();
}

/** A contract of such code; the number makes it unique, and its large data makes storage expensive. */
export function changingContract(
  number: number,
  methods: Readonly<Record<string, MethodResult>> = {},
  dataCells = 0,
): ContractState {
  let data = beginCell().storeUint(number, 32);
  for (let i = 0; i < dataCells; i++) data = beginCell().storeUint(i, 1000).storeRef(data);
  return contractState(changingCode(methods), data.endCell());
}

/** Tells a contract to replace its get-methods. */
export function changeCode(to: Address, methods: Readonly<Record<string, MethodResult>>): MessageRelaxed {
  const body = beginCell().storeUint(SET_CODE, 8).storeRef(changingCode(methods)).endCell();
  return internal({ to, value: toNano('1'), bounce: false, body });
}

/** Tells a contract to send its whole balance and destroy itself. */
export function destroyContract(to: Address, heir: Address): MessageRelaxed {
  const last = beginCell().store(storeMessageRelaxed(internal({ to: heir, value: 0n, bounce: false })));
  const body = beginCell().storeUint(DESTROY, 8).storeRef(last.endCell()).endCell();
  return internal({ to, value: toNano('1'), bounce: false, body });
}
