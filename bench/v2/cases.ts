import { type Address, beginCell, external, storeMessage } from '@ton/core';
import type { AccountId } from '../../src/chain/address.ts';
import { MAX_TRANSACTIONS_PER_PAGE, type TransactionRef } from '../../src/lite/methods/transactions.ts';
import type { ContractState } from '../../src/localnet/contracts/contract.ts';
import type { HttpCall } from '../support/load.ts';
import { type Content, ownerOf } from './content.ts';
import type { RawEmulator } from './raw-emulator.ts';
import type { RawLite } from './raw-lite.ts';

/** The part of a request that cannot be avoided, done by the benchmark itself; each call does the next request. */
export interface BaselineWork {
  readonly name: string;
  readonly work: () => Promise<unknown>;
  /** Runs one at a time in one thread, while the server may use more threads. */
  readonly isOneThread?: true;
}

/** An operation in one situation: hot (cached), cold, or with a cached account. */
export interface BenchCase {
  readonly name: string;
  /** Sent in order, over and over. */
  readonly calls: readonly HttpCall[];
  /** The baseline, then intermediate stages; without it, a bare server with the same response is the baseline. */
  readonly baseline?: readonly BaselineWork[];
  /** The messages must be in blocks before the next round. */
  readonly sendsMessages?: true;
}

interface Tools {
  readonly apiKey: string;
  readonly content: Content;
  readonly lite: RawLite;
  readonly emulator: RawEmulator;
}

/** More than are sent within a block interval. */
const REQUESTS = 4096;
/** So few accounts that all of them are cached soon after a block. */
const CACHED_ACCOUNTS = 64;

/** All measured cases. */
export async function createCases({ apiKey, content, lite, emulator }: Tools): Promise<readonly BenchCase[]> {
  const { wallets, jettonWallets, minter, shop, receivers } = content;
  const headers = { 'x-api-key': apiKey };
  const get = (operation: string, params: Record<string, string> = {}): HttpCall => ({
    method: 'GET',
    headers,
    path: `/api/v2/${operation}?${new URLSearchParams(params)}`,
  });
  const post = (operation: string, body: object): HttpCall => ({
    method: 'POST',
    headers,
    body,
    path: `/api/v2/${operation}`,
  });
  const accountCall = ({ address }: ContractState): HttpCall =>
    get('getAddressInformation', { address: address.toString() });
  const run = (address: string, method: string, stack: readonly unknown[] = []): HttpCall =>
    post('runGetMethod', { address, method, stack });

  /** Response cached, account cached, nothing cached. */
  const methodCases = (method: string, contracts: readonly ContractState[]): BenchCase[] => {
    const name = `runGetMethod ${method}`;
    const cached = contracts.slice(0, CACHED_ACCOUNTS);
    const runs = contracts.map((contract) => ({
      account: accountId(contract),
      prepared: emulator.prepare(contract, method),
    }));
    return [
      { name: `${name}, hot`, calls: [run(textOf(cached[0]!), method)] },
      {
        name: `${name}, cached account`,
        // Responses are cached by the spelling of the address.
        calls: spellings(
          cached.map(({ address }) => address.toRawString()),
          REQUESTS / CACHED_ACCOUNTS,
        ).map((address) => run(address, method)),
        baseline: [emulated(cycle(runs, ({ prepared }) => emulator.direct(prepared)))],
      },
      {
        name: `${name}, cold`,
        calls: contracts.map((contract) => run(textOf(contract), method)),
        baseline: [
          {
            name: 'lite query, then emulator',
            work: cycle(runs, async ({ account, prepared }) => {
              await lite.query({ method: 'getAccountState', id: lite.head, account });
              await emulator.inThreads(prepared);
            }),
          },
        ],
      },
    ];
  };

  const historyCase = (limit: number): BenchCase => {
    const pages = Array.from({ length: history.length - limit }, (_, start) =>
      history.slice(start, start + limit),
    );
    const page = (index: number): HttpCall => {
      const { lt, hash } = pages[index % pages.length]![0]!;
      return get('getTransactions', {
        address: textOf(shop),
        limit: String(limit),
        lt: String(lt),
        hash: hash.toString('base64'),
        // Filters nothing, but makes the request a new one: pages of old transactions are cached for long.
        to_lt: String(index),
      });
    };
    return {
      name: `getTransactions, ${limit}, cold`,
      calls: Array.from({ length: 4 * REQUESTS }, (_, index) => page(index)),
      baseline: [{ name: 'lite queries', work: readPages(lite, accountId(shop), pages) }],
    };
  };

  const accounts = [...wallets, ...jettonWallets];
  const accountIds = accounts.map(accountId);
  const owners = Array.from({ length: REQUESTS }, (_, index) => ownerOf(index));
  const ownerRuns = owners.map((owner) => emulator.prepare(minter, 'get_wallet_address', owner));
  const messages = Array.from({ length: REQUESTS }, (_, index) =>
    messageTo(receivers[index % receivers.length]!, index),
  );
  const history = await lite.wholeHistory(accountId(shop));
  return [
    { name: 'getMasterchainInfo, hot', calls: [get('getMasterchainInfo')] },
    { name: 'getAddressInformation, hot', calls: [accountCall(wallets[0]!)] },
    {
      name: 'getAddressInformation, cold',
      calls: accounts.map(accountCall),
      baseline: [
        {
          name: 'lite query',
          work: cycle(accountIds, (account) =>
            lite.query({ method: 'getAccountState', id: lite.head, account }),
          ),
        },
        { name: 'lite query, verified', work: cycle(accountIds, (account) => lite.account(account)) },
      ],
    },
    historyCase(10),
    historyCase(100),
    ...methodCases('seqno', wallets),
    ...methodCases('get_wallet_data', jettonWallets),
    {
      name: 'runGetMethod get_wallet_address, cached account, new owners',
      calls: owners.map((owner) =>
        run(textOf(minter), 'get_wallet_address', [['tvm.Slice', sliceText(owner)]]),
      ),
      baseline: [
        emulated(cycle(ownerRuns, (prepared) => emulator.direct(prepared))),
        { name: 'emulator in threads', work: cycle(ownerRuns, (prepared) => emulator.inThreads(prepared)) },
      ],
    },
    {
      name: 'sendBoc',
      calls: messages.map((boc) => post('sendBoc', { boc: boc.toString('base64') })),
      baseline: [
        {
          name: 'lite query',
          work: cycle(messages, (body) => lite.query({ method: 'sendMessage', body })),
        },
      ],
      sendsMessages: true,
    },
  ];
}

function emulated(work: BaselineWork['work']): BaselineWork {
  return { name: 'emulator', work, isOneThread: true };
}

/** Work on the next item of a list with each call, starting over after the last. */
function cycle<T>(list: readonly T[], work: (item: T) => Promise<unknown>): BaselineWork['work'] {
  let next = 0;
  return () => work(list[next++ % list.length]!);
}

/** Reads pages; a long one takes several queries, because servers limit their length. */
function readPages(
  lite: RawLite,
  account: AccountId,
  pages: readonly (readonly TransactionRef[])[],
): BaselineWork['work'] {
  return cycle(pages, async (page) => {
    for (let at = 0; at < page.length; at += MAX_TRANSACTIONS_PER_PAGE) {
      const count = Math.min(MAX_TRANSACTIONS_PER_PAGE, page.length - at);
      await lite.query({ method: 'getTransactions', count, account, ...page[at]! });
    }
  });
}

function accountId({ address }: ContractState): AccountId {
  return { workchain: address.workChain, hash: address.hash };
}

function textOf({ address }: ContractState): string {
  return address.toString();
}

function sliceText(address: Address): string {
  return beginCell().storeAddress(address).endCell().toBoc().toString('base64');
}

function messageTo({ address }: ContractState, number: number): Buffer {
  const message = external({ to: address, body: beginCell().storeUint(number, 64).endCell() });
  return beginCell().store(storeMessage(message)).endCell().toBoc();
}

/** Each raw address in `count` spellings: all addresses in the first one, then all in the second, and so on. */
function spellings(addresses: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, number) =>
    addresses.map((address) => spell(address, number)),
  ).flat();
}

/** Writes the hex letters in upper or lower case, by the bits of a number. */
function spell(address: string, number: number): string {
  let bit = 0;
  return address.replace(/[a-f]/g, (letter) => ((number >> bit++) & 1 ? letter.toUpperCase() : letter));
}
