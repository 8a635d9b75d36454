import type { Address, Cell, StateInit, Transaction, TupleItem } from '@ton/core';
import {
  Blockchain,
  Executor,
  type SandboxContract,
  type SendMessageResult,
  type TreasuryContract,
} from '@ton/sandbox';

/** A funded sender of messages. */
export type Person = SandboxContract<TreasuryContract>;

/** A chain without blocks for testing contracts. */
export interface SmallChain {
  readonly chain: Blockchain;
  people<Names extends string[]>(...names: Names): Promise<{ [Name in keyof Names]: Person }>;
  /** Sends value and a body from a person, with the initial state of the receiver if it is not deployed. */
  send(from: Person, to: Address, value: bigint, body?: Cell, init?: StateInit): Promise<SendMessageResult>;
  /** The result stack of a get-method. */
  get(address: Address, method: string, stack?: TupleItem[]): Promise<TupleItem[]>;
  balance(address: Address): Promise<bigint>;
  /** Saves the current state for `reset`. */
  save(): void;
  reset(): Promise<void>;
}

let executor: Promise<Executor> | undefined;

/** Starts a chain with the mainnet configuration at a fixed time. */
export async function startSmallChain(): Promise<SmallChain> {
  // Shared, because starting the VM takes longer than a test.
  executor ??= Executor.create();
  const chain = await Blockchain.create({ executor: await executor, config: 'slim' });
  chain.now = 1_800_000_000;
  let saved = chain.snapshot();
  return {
    chain,
    async people(...names) {
      const people: Person[] = [];
      for (const name of names) people.push(await chain.treasury(name));
      return people as never;
    },
    send: (from, to, value, body, init) => from.send({ to, value, body, init, bounce: true }),
    async get(address, method, stack = []) {
      const { stack: result } = await chain.runGetMethod(address, method, stack);
      return result;
    },
    balance: async (address) => (await chain.getContract(address)).balance,
    save() {
      saved = chain.snapshot();
    },
    reset: () => chain.loadFrom(saved),
  };
}

/** The exit code of an ordinary transaction: that of the action phase if the compute phase succeeded. */
export function exitCode(transaction: Transaction | undefined): number | undefined {
  const description = transaction?.description;
  if (description?.type !== 'generic') return undefined;
  const { computePhase, actionPhase } = description;
  if (computePhase.type !== 'vm') return undefined;
  return computePhase.success ? (actionPhase?.resultCode ?? 0) : computePhase.exitCode;
}

/** The transaction of an account in a trace. */
export function at(result: SendMessageResult, address: Address): Transaction | undefined {
  const key = BigInt(`0x${address.hash.toString('hex')}`);
  return result.transactions.findLast((transaction) => transaction.address === key);
}

/** The destinations and opcodes of messages. */
export function hops(result: SendMessageResult): (readonly [string, number | undefined])[] {
  return result.transactions.flatMap(({ inMessage }) => {
    if (inMessage?.info.type !== 'internal') return [];
    const slice = inMessage.body.beginParse();
    return [[`${inMessage.info.dest}`, slice.remainingBits >= 32 ? slice.loadUint(32) : undefined] as const];
  });
}

/** An address from a stack as text; throws if the item is not a slice with an address or addr_none. */
export function addressOf(item: TupleItem | undefined): string {
  if (item?.type !== 'slice') throw new Error(`Expected a slice, got ${item?.type}`);
  return `${item.cell.beginParse().loadMaybeAddress()}`;
}

/** A number from a stack. */
export function numberOf(item: TupleItem | undefined): bigint {
  if (item?.type !== 'int') throw new Error(`Expected a number, got ${item?.type}`);
  return item.value;
}

/** A cell from a stack. */
export function cellOf(item: TupleItem | undefined): Cell {
  if (item?.type !== 'cell') throw new Error(`Expected a cell, got ${item?.type}`);
  return item.cell;
}
