import { type Address, beginCell, external, storeMessage } from '@ton/core';
import type { AccountId } from '../../src/chain/address.ts';
import { MAX_TRANSACTIONS_PER_PAGE, type TransactionRef } from '../../src/lite/methods/transactions.ts';
import type { ContractState } from '../../src/localnet/contracts/contract.ts';
import { type Content, ownerOf } from './content.ts';
import type { HttpCall } from './http-load.ts';
import type { RawEmulator } from './raw-emulator.ts';
import type { RawLite } from './raw-lite.ts';
import { spellings } from './spellings.ts';

/** Work that an answer cannot do without, done by the benchmark itself: each call is the next question. */
export interface FloorWork {
  readonly name: string;
  readonly work: () => Promise<unknown>;
  /** One at a time, in one thread; the server may have more threads. */
  readonly isOneThread?: true;
}

/** An operation in one situation. */
export interface BenchCase {
  readonly name: string;
  /** The questions; they are asked in a circle. */
  readonly calls: readonly HttpCall[];
  /** What it is measured against first, then what stands in between; the same from a bare server when left out. */
  readonly floor?: readonly FloorWork[];
  /** Messages have to get into blocks before the next ones come. */
  readonly sends?: true;
}

interface Tools {
  readonly apiKey: string;
  readonly content: Content;
  readonly lite: RawLite;
  readonly emulator: RawEmulator;
}

/** More than are asked within a block. */
const QUESTIONS = 4096;
/** So few accounts that all of them are known soon after a block. */
const KNOWN_ACCOUNTS = 64;

/** Everything that is measured. */
export async function createCases({ apiKey, content, lite, emulator }: Tools): Promise<readonly BenchCase[]> {
  const { wallets, jettonWallets, minter, shop, takers } = content;
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

  /** The answer known, the account known, nothing known. */
  const methodCases = (method: string, contracts: readonly ContractState[]): BenchCase[] => {
    const name = `runGetMethod ${method}`;
    const known = contracts.slice(0, KNOWN_ACCOUNTS);
    const runs = contracts.map((contract) => ({
      account: accountId(contract),
      prepared: emulator.prepare(contract, method),
    }));
    return [
      { name: `${name}, hot`, calls: [run(textOf(known[0]!), method)] },
      {
        name: `${name}, known account`,
        // Each spelling of an address is a question of its own.
        calls: spellings(
          known.map(({ address }) => address.toRawString()),
          QUESTIONS / KNOWN_ACCOUNTS,
        ).map((address) => run(address, method)),
        floor: [emulated(inTurn(runs, ({ prepared }) => emulator.direct(prepared)))],
      },
      {
        name: `${name}, cold`,
        calls: contracts.map((contract) => run(textOf(contract), method)),
        floor: [
          {
            name: 'lite query, then emulator',
            work: inTurn(runs, async ({ account, prepared }) => {
              await lite.ask({ method: 'getAccountState', id: lite.head, account });
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
        // Leaves nothing out, and makes the question a new one: such answers are kept for long.
        to_lt: String(index),
      });
    };
    return {
      name: `getTransactions, ${limit}, cold`,
      calls: Array.from({ length: 4 * QUESTIONS }, (_, index) => page(index)),
      floor: [{ name: 'lite queries', work: askForPages(lite, accountId(shop), pages) }],
    };
  };

  const accounts = [...wallets, ...jettonWallets];
  const accountIds = accounts.map(accountId);
  const owners = Array.from({ length: QUESTIONS }, (_, index) => ownerOf(index));
  const ownerRuns = owners.map((owner) => emulator.prepare(minter, 'get_wallet_address', owner));
  const messages = Array.from({ length: QUESTIONS }, (_, index) =>
    messageTo(takers[index % takers.length]!, index),
  );
  const history = await lite.wholeHistory(accountId(shop));
  return [
    { name: 'getMasterchainInfo, hot', calls: [get('getMasterchainInfo')] },
    { name: 'getAddressInformation, hot', calls: [accountCall(wallets[0]!)] },
    {
      name: 'getAddressInformation, cold',
      calls: accounts.map(accountCall),
      floor: [
        {
          name: 'lite query',
          work: inTurn(accountIds, (account) =>
            lite.ask({ method: 'getAccountState', id: lite.head, account }),
          ),
        },
        { name: 'lite query, checked', work: inTurn(accountIds, (account) => lite.account(account)) },
      ],
    },
    historyCase(10),
    historyCase(100),
    ...methodCases('seqno', wallets),
    ...methodCases('get_wallet_data', jettonWallets),
    {
      name: 'runGetMethod get_wallet_address, known account, new owners',
      calls: owners.map((owner) =>
        run(textOf(minter), 'get_wallet_address', [['tvm.Slice', sliceText(owner)]]),
      ),
      floor: [
        emulated(inTurn(ownerRuns, (prepared) => emulator.direct(prepared))),
        { name: 'emulator in threads', work: inTurn(ownerRuns, (prepared) => emulator.inThreads(prepared)) },
      ],
    },
    {
      name: 'sendBoc',
      calls: messages.map((boc) => post('sendBoc', { boc: boc.toString('base64') })),
      floor: [
        {
          name: 'lite query',
          work: inTurn(messages, (body) => lite.ask({ method: 'sendMessage', body })),
        },
      ],
      sends: true,
    },
  ];
}

function emulated(work: FloorWork['work']): FloorWork {
  return { name: 'emulator', work, isOneThread: true };
}

/** Work on one after another of a list, and on the first again after the last. */
function inTurn<T>(list: readonly T[], work: (item: T) => Promise<unknown>): FloorWork['work'] {
  let next = 0;
  return () => work(list[next++ % list.length]!);
}

/** Asks for pages: servers give no more than a part of a long one at a time. */
function askForPages(
  lite: RawLite,
  account: AccountId,
  pages: readonly (readonly TransactionRef[])[],
): FloorWork['work'] {
  return inTurn(pages, async (places) => {
    for (let at = 0; at < places.length; at += MAX_TRANSACTIONS_PER_PAGE) {
      const count = Math.min(MAX_TRANSACTIONS_PER_PAGE, places.length - at);
      await lite.ask({ method: 'getTransactions', count, account, ...places[at]! });
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
