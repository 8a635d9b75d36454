import { formatAccount } from '../../src/v3/values.ts';
import type { Account } from './accounts.ts';
import type { MadeBatch } from './lane.ts';
import { Random } from './random.ts';

/**
 * Random keys of a filled index, to build requests from; those with more rows are taken more often. Hashes are hex,
 * accounts raw addresses.
 */
export interface Samples {
  readonly accounts: readonly string[];
  readonly transactions: readonly string[];
  readonly messages: readonly string[];
  readonly traces: readonly string[];
  readonly wallets: readonly string[];
  readonly jettonOwners: readonly string[];
  readonly jettons: readonly string[];
  readonly itemOwners: readonly string[];
  readonly collections: readonly string[];
  /** Masterchain seqnos that have blocks. */
  readonly seqnos: readonly number[];
  /** Unix times of the first and of the last block. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** The account with the most transactions, and their number. */
  readonly busy: { readonly account: string; readonly count: number };
}

/** Enough to avoid requesting the same rows repeatedly. */
const SAMPLE_SIZE = 200;

/** A random sample of fixed size from a stream of any length. */
class Reservoir<T> {
  readonly #taken: T[] = [];
  readonly #random: Random;
  #seen = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  add(value: () => T): void {
    this.#seen++;
    if (this.#taken.length < SAMPLE_SIZE) this.#taken.push(value());
    else {
      const at = this.#random.below(this.#seen);
      if (at < SAMPLE_SIZE) this.#taken[at] = value();
    }
  }

  /** Each value once. */
  values<R>(format: (value: T) => R): R[] {
    return [...new Set(this.#taken.map(format))];
  }
}

const SAMPLE_STREAM = 1_000_000;

/** Takes samples while a lane is generated. */
export class Sampler {
  readonly #random: Random;
  readonly #accounts: Reservoir<Account>;
  readonly #wallets: Reservoir<Account>;
  readonly #jettonWallets: Reservoir<Account>;
  readonly #items: Reservoir<Account>;
  readonly #transactions: Reservoir<string>;
  readonly #messages: Reservoir<string>;
  readonly #traces: Reservoir<string>;
  readonly #seqnos: Reservoir<number>;
  #busiest: Account | undefined;
  #firstTime = Number.POSITIVE_INFINITY;
  #lastTime = 0;

  constructor(seed: number, lane: number) {
    this.#random = new Random(seed, SAMPLE_STREAM + lane);
    this.#accounts = new Reservoir(this.#random);
    this.#wallets = new Reservoir(this.#random);
    this.#jettonWallets = new Reservoir(this.#random);
    this.#items = new Reservoir(this.#random);
    this.#transactions = new Reservoir(this.#random);
    this.#messages = new Reservoir(this.#random);
    this.#traces = new Reservoir(this.#random);
    this.#seqnos = new Reservoir(this.#random);
  }

  add({ arena, seqnos }: MadeBatch): void {
    for (const { seqno, time, transactions } of seqnos) {
      this.#seqnos.add(() => seqno);
      this.#firstTime = Math.min(this.#firstTime, time);
      this.#lastTime = time;
      for (const { account, hash, messages, root } of transactions) {
        this.#addAccount(account);
        this.#transactions.add(() => hash.toString('hex'));
        if (root === undefined) this.#traces.add(() => hash.toString('hex'));
        for (const message of messages) this.#messages.add(() => arena.hash(message).toString('hex'));
      }
    }
  }

  #addAccount(account: Account): void {
    const { kind, count } = account;
    this.#accounts.add(() => account);
    if (kind === 'wallet') this.#wallets.add(() => account);
    else if (kind === 'jettonWallet') this.#jettonWallets.add(() => account);
    else if (kind === 'item') this.#items.add(() => account);
    if (count > (this.#busiest?.count ?? 0)) this.#busiest = account;
  }

  result(): Samples {
    const raw = ({ key }: Account) => formatAccount(key);
    const { key, count } = this.#busiest!;
    return {
      accounts: this.#accounts.values(raw),
      transactions: this.#transactions.values(String),
      messages: this.#messages.values(String),
      traces: this.#traces.values(String),
      wallets: this.#wallets.values(raw),
      jettonOwners: this.#jettonWallets.values(({ owner }) => raw(owner!)),
      jettons: this.#jettonWallets.values(({ parent }) => raw(parent!)),
      itemOwners: this.#items.values(({ owner }) => raw(owner!)),
      collections: this.#items.values(({ parent }) => raw(parent!)),
      seqnos: this.#seqnos.values(Number),
      firstTime: this.#firstTime,
      lastTime: this.#lastTime,
      busy: { account: formatAccount(key), count },
    };
  }
}

/** Joins the samples of all lanes, one of each in turn. */
export function joinSamples(lanes: readonly Samples[]): Samples {
  const join = <T>(of: (samples: Samples) => readonly T[]): T[] => {
    const lists = lanes.map(of);
    const longest = Math.max(...lists.map(({ length }) => length));
    return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
  };
  return {
    accounts: join(({ accounts }) => accounts),
    transactions: join(({ transactions }) => transactions),
    messages: join(({ messages }) => messages),
    traces: join(({ traces }) => traces),
    wallets: join(({ wallets }) => wallets),
    jettonOwners: join(({ jettonOwners }) => jettonOwners),
    jettons: join(({ jettons }) => jettons),
    itemOwners: join(({ itemOwners }) => itemOwners),
    collections: join(({ collections }) => collections),
    seqnos: join(({ seqnos }) => seqnos),
    firstTime: Math.min(...lanes.map(({ firstTime }) => firstTime)),
    lastTime: Math.max(...lanes.map(({ lastTime }) => lastTime)),
    busy: lanes.map(({ busy }) => busy).reduce((most, one) => (one.count > most.count ? one : most)),
  };
}
