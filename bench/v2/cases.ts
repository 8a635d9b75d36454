import { type Address, beginCell, external, storeMessage } from '@ton/core';
import type { AccountId } from '../../src/chain/tl/names.ts';
import { MAX_HISTORY_PAGE, type TransactionPlace } from '../../src/lite/queries/get-transactions.ts';
import type { ContractState } from '../../src/localnet/contracts/contract-state.ts';
import { type Content, ownerOf } from './content.ts';
import type { HttpCall } from './http-load.ts';
import type { PreparedRun, RawEmulator } from './raw-emulator.ts';
import type { RawLite } from './raw-lite.ts';

/** Something that can be asked again and again: each call is the next question. */
export type Work = () => Promise<unknown>;

/** What an answer is measured against. */
export type Floor =
  /** The same answer from a route that does nothing else. */
  | { readonly kind: 'bare' }
  /** The queries that the answer needs, and the same with the proofs checked. */
  | { readonly kind: 'lite'; readonly raw: Work; readonly checked: Work | undefined }
  /** The run alone in one thread, and by the threads that the server has. */
  | { readonly kind: 'emulator'; readonly direct: Work; readonly threads: Work };

/** An operation in one situation. */
export interface BenchCase {
  readonly name: string;
  /** The questions; they are asked in a circle. */
  readonly calls: readonly HttpCall[];
  readonly floor: Floor;
  /** Messages have to get into blocks before the next ones come. */
  readonly sends?: true;
}

interface Tools {
  readonly apiKey: string;
  readonly content: Content;
  readonly lite: RawLite;
  readonly emulator: RawEmulator;
}

/** More than are asked about within a block. */
const QUESTIONS = 4096;
const BARE: Floor = { kind: 'bare' };

/** Everything that is measured. */
export async function createCases({ apiKey, content, lite, emulator }: Tools): Promise<readonly BenchCase[]> {
  const { wallets, jettonWallets, minter, shop, takers } = content;
  const headers = { 'x-api-key': apiKey };
  const get = (operation: string, params: Record<string, string> = {}): HttpCall => ({
    ...{ method: 'GET', headers },
    path: `/api/v2/${operation}?${new URLSearchParams(params)}`,
  });
  const post = (operation: string, body: object): HttpCall => ({
    ...{ method: 'POST', headers, body },
    path: `/api/v2/${operation}`,
  });
  const accountCall = ({ address }: ContractState): HttpCall =>
    get('getAddressInformation', { address: address.toString() });
  const run = (contract: ContractState, method: string, stack: readonly unknown[] = []): HttpCall =>
    post('runGetMethod', { address: contract.address.toString(), method, stack });
  const emulated = (runs: readonly PreparedRun[]): Floor => ({
    kind: 'emulator',
    direct: inTurn(runs, (prepared) => emulator.direct(prepared)),
    threads: inTurn(runs, (prepared) => emulator.inThreads(prepared)),
  });
  const runEach = (contracts: readonly ContractState[], method: string) => ({
    calls: contracts.map((contract) => run(contract, method)),
    floor: emulated(contracts.map((contract) => emulator.prepare(contract, method))),
  });

  const accounts = [...wallets, ...jettonWallets];
  const owners = Array.from({ length: QUESTIONS }, (_, index) => ownerOf(index));
  const messages = Array.from({ length: QUESTIONS }, (_, index) =>
    messageTo(takers[index % takers.length]!, index),
  );
  const history = await lite.wholeHistory(accountId(shop));
  const historyOf = (limit: number) => {
    const pages = Array.from({ length: history.length - limit }, (_, start) =>
      history.slice(start, start + limit),
    );
    const page = (index: number): HttpCall => {
      const { lt, hash } = pages[index % pages.length]![0]!;
      return get('getTransactions', {
        ...{ address: shop.address.toString(), limit: String(limit) },
        ...{ lt: String(lt), hash: hash.toString('base64') },
        // Leaves nothing out, and makes the question a new one: such answers are kept for long.
        to_lt: String(index),
      });
    };
    return {
      calls: Array.from({ length: 4 * QUESTIONS }, (_, index) => page(index)),
      floor: historyFloor(lite, accountId(shop), pages),
    };
  };

  return [
    { name: 'getMasterchainInfo, hot', calls: [get('getMasterchainInfo')], floor: BARE },
    { name: 'getAddressInformation, hot', calls: [accountCall(wallets[0]!)], floor: BARE },
    {
      name: 'getAddressInformation, cold',
      calls: accounts.map(accountCall),
      floor: {
        kind: 'lite',
        raw: inTurn(accounts.map(accountId), (account) =>
          lite.ask({ method: 'getAccountState', id: lite.head, account }),
        ),
        checked: inTurn(accounts.map(accountId), (account) => lite.account(account)),
      },
    },
    { name: 'getTransactions, 10, cold', ...historyOf(10) },
    { name: 'getTransactions, 100, cold', ...historyOf(100) },
    { name: 'runGetMethod seqno, hot', calls: [run(wallets[0]!, 'seqno')], floor: BARE },
    { name: 'runGetMethod seqno, cold', ...runEach(wallets, 'seqno') },
    {
      name: 'runGetMethod get_wallet_data, hot',
      calls: [run(jettonWallets[0]!, 'get_wallet_data')],
      floor: BARE,
    },
    { name: 'runGetMethod get_wallet_data, cold', ...runEach(jettonWallets, 'get_wallet_data') },
    {
      name: 'runGetMethod get_wallet_address, new owners',
      calls: owners.map((owner) => run(minter, 'get_wallet_address', [['tvm.Slice', addressText(owner)]])),
      floor: emulated(owners.map((owner) => emulator.prepare(minter, 'get_wallet_address', owner))),
    },
    {
      name: 'sendBoc',
      calls: messages.map((boc) => post('sendBoc', { boc: boc.toString('base64') })),
      floor: {
        kind: 'lite',
        raw: inTurn(messages, (body) => lite.ask({ method: 'sendMessage', body })),
        checked: undefined,
      },
      sends: true,
    },
  ];
}

/** Work on one after another of a list, and on the first again after the last. */
function inTurn<T>(list: readonly T[], work: (item: T) => Promise<unknown>): Work {
  let next = 0;
  return () => work(list[next++ % list.length]!);
}

/** The queries of a page: servers give no more than a part of a long one at a time. */
function historyFloor(
  lite: RawLite,
  account: AccountId,
  pages: readonly (readonly TransactionPlace[])[],
): Floor {
  return {
    kind: 'lite',
    raw: inTurn(pages, async (places) => {
      for (let at = 0; at < places.length; at += MAX_HISTORY_PAGE) {
        const count = Math.min(MAX_HISTORY_PAGE, places.length - at);
        await lite.ask({ method: 'getTransactions', count, account, ...places[at]! });
      }
    }),
    checked: inTurn(pages, (places) => lite.history(account, places)),
  };
}

function accountId({ address }: ContractState): AccountId {
  return { workchain: address.workChain, hash: address.hash };
}

function addressText(address: Address): string {
  return beginCell().storeAddress(address).endCell().toBoc().toString('base64');
}

function messageTo({ address }: ContractState, number: number): Buffer {
  const message = external({ to: address, body: beginCell().storeUint(number, 64).endCell() });
  return beginCell().store(storeMessage(message)).endCell().toBoc();
}
