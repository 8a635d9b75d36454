import { Account } from './accounts.ts';
import type { FillOptions } from './plan.ts';
import type { Random } from './random.ts';

/** Accounts that all lanes together have for each transaction; jetton wallets come on top. */
const TRANSACTIONS_PER = { wallet: 20, item: 100, domain: 200, jetton: 5000, collection: 10_000 } as const;
const MIN_JETTONS = 4;
const EXCHANGES = 2;
/** How often a wallet is one of an exchange. */
const EXCHANGE_SHARE = 0.15;
/** The exponent of the distribution of accounts: how much more active than others the first ones are. */
const POWER = 3;
const MASTERCHAIN_EVERY = 100;
const TON = 1e9;
/** What payments leave in a wallet: it pays fees even if nobody pays it for ten thousands of transactions. */
export const WALLET_RESERVE = 10_000 * TON;
/** Jettons of a wallet at the beginning; the router of the DEX has many more. */
const JETTONS = 1e12;
const ROUTER_JETTONS = 2e15;

/**
 * The accounts of one lane. A few wallets are in many transactions, most in a few: the choice is skewed. Wallets of jettons
 * and pools are created when they are first used.
 */
export class Population {
  readonly router: Account;
  /** The account of the masterchain that runs in every block. */
  readonly system: Account;
  readonly jettons: readonly Account[];
  readonly collections: readonly Account[];
  readonly zone: Account;
  readonly #name: string;
  readonly #random: Random;
  readonly #wallets: readonly Account[];
  readonly #items: readonly Account[];
  readonly #domains: readonly Account[];
  readonly #jettonWallets = new Map<string, Account>();
  readonly #pools = new Map<string, Account>();

  constructor({ seed, transactions, lanes }: FillOptions, lane: number, random: Random) {
    this.#name = `${seed}/${lane}`;
    this.#random = random;
    const count = (kind: keyof typeof TRANSACTIONS_PER, least: number) =>
      Math.max(least, Math.ceil(transactions / lanes / TRANSACTIONS_PER[kind]));
    const wallets = this.#make('wallet', count('wallet', 2 * EXCHANGES), (number) => ({
      workchain: number % MASTERCHAIN_EVERY === MASTERCHAIN_EVERY - 1 ? -1 : 0,
      balance: Math.floor(
        number < EXCHANGES ? 1e6 * TON : 2 * WALLET_RESERVE + TON * 1e5 * random.fraction() ** 6,
      ),
      amount: random.below(1000),
    }));
    this.#wallets = wallets;
    const contract = { balance: TON / 10, amount: 0 };
    this.router = this.#add('dex', 0, { ...contract, balance: 1000 * TON });
    this.system = this.#add('system', 0, { ...contract, balance: 1e5 * TON, workchain: -1 });
    this.zone = this.#add('zone', 0, contract);
    this.jettons = this.#make('jetton', count('jetton', MIN_JETTONS), () => ({
      ...contract,
      amount: 1e15,
      owner: this.anyWallet(),
    }));
    this.collections = this.#make('collection', count('collection', 2), () => ({
      ...contract,
      owner: this.anyWallet(),
    }));
    this.#items = this.#make('item', count('item', 4), () => ({
      ...contract,
      owner: this.anyWallet(),
      parent: pick(this.collections, random),
    }));
    this.#domains = this.#make('domain', count('domain', 2), () => ({
      ...contract,
      owner: this.anyWallet(),
      parent: this.zone,
    }));
  }

  /** Contracts that others refer to; they are known before the first block. */
  get known(): readonly Account[] {
    return [...this.jettons, ...this.collections, this.zone];
  }

  anyWallet(): Account {
    if (this.#random.fraction() < EXCHANGE_SHARE) return this.exchange();
    return pick(this.#wallets, this.#random);
  }

  exchange(): Account {
    return this.#wallets[this.#random.below(EXCHANGES)]!;
  }

  anyJetton(): Account {
    return pick(this.jettons, this.#random);
  }

  twoJettons(): readonly [Account, Account] {
    const { jettons } = this;
    const first = this.#random.skewed(jettons.length, POWER);
    const second = (first + 1 + this.#random.skewed(jettons.length - 1, POWER)) % jettons.length;
    return [jettons[first]!, jettons[second]!];
  }

  anyItem(): Account {
    return pick(this.#items, this.#random);
  }

  anyDomain(): Account {
    return pick(this.#domains, this.#random);
  }

  jettonWallet(owner: Account, jetton: Account): Account {
    const id = `${owner.kind}${owner.number}/${jetton.number}`;
    const amount = owner === this.router ? ROUTER_JETTONS : JETTONS;
    const details = { balance: TON / 20, amount, owner, parent: jetton };
    return this.#once(this.#jettonWallets, id, (number) => this.#add('jettonWallet', number, details));
  }

  pool(one: Account, other: Account): Account {
    const id = [one.number, other.number].sort((a, b) => a - b).join('/');
    const details = { balance: TON, amount: 0, owner: this.router };
    return this.#once(this.#pools, id, (number) => this.#add('dex', 1 + number, details));
  }

  #once(made: Map<string, Account>, id: string, create: (number: number) => Account): Account {
    let account = made.get(id);
    if (account === undefined) {
      account = create(made.size);
      made.set(id, account);
    }
    return account;
  }

  #make(kind: Account['kind'], count: number, details: (number: number) => Details): Account[] {
    return Array.from({ length: count }, (_, number) => this.#add(kind, number, details(number)));
  }

  #add(kind: Account['kind'], number: number, details: Details): Account {
    return new Account(this.#name, { kind, number, ...details });
  }
}

type Details = Omit<ConstructorParameters<typeof Account>[1], 'kind' | 'number'>;

function pick(accounts: readonly Account[], random: Random): Account {
  return accounts[random.skewed(accounts.length, POWER)]!;
}
