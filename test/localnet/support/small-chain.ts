import type { Address, Cell, StateInit, Transaction, TupleItem } from '@ton/core';
import {
  Blockchain,
  Executor,
  type SandboxContract,
  type SendMessageResult,
  type TreasuryContract,
} from '@ton/sandbox';

/** Somebody with money who sends messages. */
export type Person = SandboxContract<TreasuryContract>;

/** A chain without blocks in which contracts are tried out. */
export interface SmallChain {
  readonly chain: Blockchain;
  people<Names extends string[]>(...names: Names): Promise<{ [Name in keyof Names]: Person }>;
  /** Has a person send value and a body, with the first state of the receiver where it is not there yet. */
  send(from: Person, to: Address, value: bigint, body?: Cell, init?: StateInit): Promise<SendMessageResult>;
  /** The stack that a get-method leaves. */
  get(address: Address, method: string, stack?: TupleItem[]): Promise<TupleItem[]>;
  balance(address: Address): Promise<bigint>;
  /** Remembers how everything is now, for `reset`. */
  save(): void;
  reset(): Promise<void>;
}

let executor: Promise<Executor> | undefined;

/** Starts a chain with the configuration of the mainnet at a fixed time. */
export async function startSmallChain(): Promise<SmallChain> {
  // To start the machine takes longer than a whole test.
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

/** The exit code of an ordinary transaction: of its actions if its computation went well. */
export function exitCode(transaction: Transaction | undefined): number | undefined {
  const description = transaction?.description;
  if (description?.type !== 'generic') return undefined;
  const { computePhase, actionPhase } = description;
  if (computePhase.type !== 'vm') return undefined;
  return computePhase.success ? (actionPhase?.resultCode ?? 0) : computePhase.exitCode;
}

/** The transaction of an account in what a message has set off. */
export function at(result: SendMessageResult, address: Address): Transaction | undefined {
  const key = BigInt(`0x${address.hash.toString('hex')}`);
  return result.transactions.findLast((transaction) => transaction.address === key);
}

/** Where messages went, and the operations of their bodies. */
export function hops(result: SendMessageResult): (readonly [string, number | undefined])[] {
  return result.transactions.flatMap(({ inMessage }) => {
    if (inMessage?.info.type !== 'internal') return [];
    const slice = inMessage.body.beginParse();
    return [[`${inMessage.info.dest}`, slice.remainingBits >= 32 ? slice.loadUint(32) : undefined] as const];
  });
}

/** An address from a stack as text; what is no slice with an address or with addr_none is a fault. */
export function addressOf(item: TupleItem | undefined): string {
  if (item?.type !== 'slice') throw new Error(`no slice but ${item?.type}`);
  return `${item.cell.beginParse().loadMaybeAddress()}`;
}

/** A number from a stack. */
export function numberOf(item: TupleItem | undefined): bigint {
  if (item?.type !== 'int') throw new Error(`no number but ${item?.type}`);
  return item.value;
}

/** A cell from a stack. */
export function cellOf(item: TupleItem | undefined): Cell {
  if (item?.type !== 'cell') throw new Error(`no cell but ${item?.type}`);
  return item.cell;
}
