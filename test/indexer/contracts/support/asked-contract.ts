import { hash as hashOnce } from 'node:crypto';
import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  parseTuple,
  serializeTuple,
  type TupleItem,
  TupleReader,
} from '@ton/core';
import { type BlockId, MASTERCHAIN } from '../../../../src/chain/block-id.ts';
import { Slice } from '../../../../src/chain/boc/slice.ts';
import { methodIdByName } from '../../../../src/chain/contracts/method-ids.ts';
import { configParam } from '../../../../src/chain/tlb/config.ts';
import { getBlockBytes } from '../../../../src/lite/methods/blocks.ts';
import { getConfigParams } from '../../../../src/lite/methods/config.ts';
import { runSmcMethod } from '../../../../src/lite/methods/get-methods.ts';
import type { LitePool } from '../../../../src/lite/pool.ts';
import { ownTokenContent } from './compare-contracts.ts';

/** A contract at a block, and the collection of .ton domains. */
interface AskedContract {
  readonly chain: AskedChain;
  readonly at: BlockId;
  readonly address: Address;
  readonly zone: Address | undefined;
}

type Columns = Readonly<Record<string, unknown>>;
type Ask = (contract: AskedContract) => Promise<Columns | undefined>;

/** The rows of a contract by its own get-methods, by table; undefined for interfaces that it does not have. */
export const ASKED: Readonly<Record<string, Ask>> = {
  jetton_masters: orNot(async (contract) => {
    const answer = await read(contract, 'get_jetton_data', 5);
    return {
      total_supply: answer.readBigNumber(),
      mintable: answer.readBoolean(),
      admin: address(answer),
      content: content(answer.readCell()),
      wallet_code_hash: answer.readCell(),
    };
  }),
  jetton_wallets: orNot(async (contract) => {
    const answer = await read(contract, 'get_wallet_data', 4);
    const balance = answer.readBigNumber();
    const [owner, jetton] = [account(answer), account(answer)];
    answer.readCell();
    const place = await read({ ...contract, address: jetton }, 'get_wallet_address', 1, [slice(owner)]);
    mustBe(contract, address(place));
    const claimed = await contract.chain.run(contract.at, contract.address, 'is_claimed');
    return {
      balance,
      owner,
      jetton,
      mintless_is_claimed: claimed === undefined ? null : claimed.length === 1,
    };
  }),
  nft_collections: orNot(async (contract) => {
    const answer = await read(contract, 'get_collection_data', 3);
    return {
      next_item_index: answer.readBigNumber(),
      content: content(answer.readCell()),
      owner: address(answer),
    };
  }),
  nft_items: orNot(async (contract) => {
    const item = await readItem(contract);
    const domain = await readDomain(contract, item).catch(() => undefined);
    return domain === undefined ? item : { ...item, content: { ...item.content, domain } };
  }),
  nft_sales: orNot(async (contract) => {
    const answer = await read(contract, 'get_fix_price_data_v4', 13);
    return {
      is_complete: answer.readBoolean(),
      created_at: answer.readBigNumber(),
      marketplace: account(answer),
      nft: account(answer),
      nft_owner: address(answer),
      full_price: answer.readBigNumber(),
      marketplace_fee_address: account(answer),
      marketplace_fee: answer.readBigNumber(),
      royalty_address: account(answer),
      royalty_amount: answer.readBigNumber(),
      sold_at: answer.readBigNumber(),
      sold_query_id: answer.readBigNumber(),
      jetton_prices: noPrices(answer.readCellOpt()),
    };
  }),
  dns_entries: orNot(async (contract) => {
    const item = await readItem(contract);
    const domain = await readDomain(contract, item);
    const itself: TupleItem[] = [
      { type: 'slice', cell: beginCell().storeUint(0, 8).endCell() },
      { type: 'int', value: 0n },
    ];
    const answer = await read(contract, 'dnsresolve', 2, itself);
    if (answer.readBigNumber() !== 8n) throw new Error('it does not resolve itself');
    return { owner: item.owner, domain, ...records(answer.readCellOpt()) };
  }),
  multisigs: orNot(async (contract) => {
    const answer = await read(contract, 'get_multisig_data', 4);
    return {
      next_order_seqno: answer.readBigNumber(),
      threshold: answer.readBigNumber(),
      signers: people(answer.readCellOpt()),
      proposers: people(answer.readCellOpt()),
    };
  }),
  multisig_orders: orNot(async (contract) => {
    const answer = await read(contract, 'get_order_data', 9);
    const multisig = account(answer);
    const seqno = answer.readBigNumber();
    const order = {
      multisig,
      order_seqno: seqno,
      threshold: answer.readBigNumber(),
      sent_for_execution: answer.readBoolean(),
      signers: people(answer.readCell()),
      approvals_mask: answer.readBigNumber(),
      approvals_num: answer.readBigNumber(),
      expiration_date: answer.readBigNumber(),
      order_boc: answer.readCell(),
    };
    const asked = { ...contract, address: multisig };
    mustBe(contract, address(await read(asked, 'get_order_address', 1, [{ type: 'int', value: seqno }])));
    return order;
  }),
  vestings: orNot(async (contract) => {
    const answer = await read(contract, 'get_vesting_data', 8);
    return {
      start_time: answer.readBigNumber(),
      total_duration: answer.readBigNumber(),
      unlock_period: answer.readBigNumber(),
      cliff_duration: answer.readBigNumber(),
      total_amount: answer.readBigNumber(),
      sender: account(answer),
      owner: account(answer),
      whitelist: whitelist(answer.readCellOpt()),
    };
  }),
};

/** The collection of .ton domains, from the root resolver. */
export async function askZone(chain: AskedChain, at: BlockId): Promise<Address | undefined> {
  const root = await chain.dnsRoot(at);
  if (root === undefined) return undefined;
  const category = hashOnce('sha256', 'dns_next_resolver', 'hex');
  const answer = await chain.run(at, root, 'dnsresolve', [
    { type: 'slice', cell: beginCell().storeBuffer(Buffer.from('ton\0')).endCell() },
    { type: 'int', value: BigInt(`0x${category}`) },
  ]);
  const record = answer === undefined ? undefined : new TupleReader(answer.slice(1)).readCell().beginParse();
  return record?.loadUint(16) === 0xba93 ? record.loadAddress() : undefined;
}

async function readItem(contract: AskedContract) {
  const answer = await read(contract, 'get_nft_data', 5);
  const init = answer.readBoolean();
  const index = answer.readBigNumber();
  const [collection, owner] = [address(answer), address(answer)];
  const own = answer.readCell();
  const item = { init, index, collection, owner };
  if (collection === null) return { ...item, content: content(own) };
  const numbered: TupleItem = { type: 'int', value: index };
  const asked = { ...contract, address: collection };
  mustBe(contract, address(await read(asked, 'get_nft_address_by_index', 1, [numbered])));
  const whole = await read(asked, 'get_nft_content', 1, [numbered, { type: 'cell', cell: own }]);
  return { ...item, content: content(whole.readCell()) };
}

async function readDomain(contract: AskedContract, { collection }: { readonly collection: Address | null }) {
  if (contract.zone === undefined || !contract.zone.equals(collection!)) throw new Error('another zone');
  return `${(await read(contract, 'get_domain', 1)).readBuffer()}.ton`;
}

async function read(
  { chain, at, address: asked }: AskedContract,
  method: string,
  size: number,
  args: TupleItem[] = [],
): Promise<TupleReader> {
  const answer = await chain.run(at, asked, method, args);
  if (answer === undefined || answer.length < size) throw new Error(`no ${method}`);
  return new TupleReader(answer);
}

/** A contract that does not respond like an interface does not have it. */
function orNot(ask: (contract: AskedContract) => Promise<Columns>): Ask {
  return (contract) => ask(contract).catch(() => undefined);
}

function address(answer: TupleReader): Address | null {
  return answer.readCell().beginParse().loadMaybeAddress();
}

function account(answer: TupleReader): Address {
  return answer.readCell().beginParse().loadAddress();
}

function slice(asked: Address): TupleItem {
  return { type: 'slice', cell: beginCell().storeAddress(asked).endCell() };
}

function mustBe({ address: own }: AskedContract, place: Address | null): void {
  if (place === null || !place.equals(own)) throw new Error('denied');
}

function content(cell: Cell): Record<string, string> {
  const found = ownTokenContent(cell);
  if (found === undefined) throw new Error('no content');
  return found;
}

function noPrices(cell: Cell | null): null {
  if (cell !== null) throw new Error('prices in jettons are not read here');
  return null;
}

function people(cell: Cell | null): Address[] {
  if (cell === null) return [];
  return Dictionary.loadDirect(Dictionary.Keys.Uint(8), Dictionary.Values.Address(), cell).values();
}

function whitelist(cell: Cell | null): Buffer[] {
  if (cell === null) return [];
  const flags = { serialize: () => {}, parse: () => true };
  const keys = Dictionary.loadDirect(Dictionary.Keys.Buffer(33), flags, cell).keys();
  return keys.sort(Buffer.compare);
}

function records(cell: Cell | null) {
  const none = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  const all = cell ? Dictionary.loadDirect(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell(), cell) : none;
  const find = (name: string, magic: number) => {
    const record = all.get(hashOnce('sha256', name, 'buffer'))?.beginParse();
    return record !== undefined && record.loadUint(16) === magic ? record : undefined;
  };
  return {
    next_resolver: find('dns_next_resolver', 0xba93)?.loadAddress() ?? null,
    wallet: find('wallet', 0x9fd3)?.loadAddress() ?? null,
    site_adnl: find('site', 0xad01)?.loadBuffer(32) ?? null,
    storage_bag_id: find('storage', 0x7473)?.loadBuffer(32) ?? null,
  };
}

const CHECK = { verify: true };
const BUDGET_MS = 60_000;
const DNS_ROOT_PARAM = 4;

/** A direct connection to a lite server, which runs the get-methods itself. */
export class AskedChain {
  readonly #pool: Pick<LitePool, 'session'>;
  readonly #answers = new Map<string, Promise<TupleItem[] | undefined>>();

  constructor(pool: Pick<LitePool, 'session'>) {
    this.#pool = pool;
  }

  /** The result of a get-method at a masterchain block; undefined if it fails. */
  run(
    at: BlockId,
    account: Address,
    method: string,
    args: TupleItem[] = [],
  ): Promise<TupleItem[] | undefined> {
    const params = args.length === 0 ? Buffer.alloc(0) : serializeTuple(args).toBoc();
    const key = `${at.seqno} ${account.toRawString()} ${method} ${params.toString('hex')}`;
    const known = this.#answers.get(key) ?? this.#run(at, account, method, params);
    this.#answers.set(key, known);
    return known;
  }

  async #run(block: BlockId, { workChain: workchain, hash }: Address, method: string, params: Buffer) {
    const { query } = await this.#pool.session({ budgetMs: BUDGET_MS });
    const call = { block, account: { workchain, hash }, methodId: BigInt(methodIdByName(method)), params };
    const { exitCode, result } = await runSmcMethod(query, call, CHECK);
    const isDone = (exitCode === 0 || exitCode === 1) && result !== undefined && result.length > 0;
    return isDone ? parseTuple(Cell.fromBoc(result)[0]!) : undefined;
  }

  /** The root DNS contract of the configuration. */
  async dnsRoot(at: BlockId): Promise<Address | undefined> {
    const { query } = await this.#pool.session({ budgetMs: BUDGET_MS });
    const { cells, cell } = await getConfigParams(query, at, [DNS_ROOT_PARAM], CHECK);
    const param = configParam(cells, cell, DNS_ROOT_PARAM);
    return param < 0 ? undefined : new Address(MASTERCHAIN, Buffer.from(new Slice(cells, param).hash()));
  }

  async block(id: BlockId): Promise<Cell> {
    const { query } = await this.#pool.session({ budgetMs: BUDGET_MS });
    return Cell.fromBoc(await getBlockBytes(query, id, CHECK))[0]!;
  }
}

/** A row in a form that can be compared: bytes in hex, all numbers as texts. */
export type PlainRow = Readonly<Record<string, unknown>>;

/** Columns with bags of cells: compared by root hash, because serialisations may differ. */
const BAGS = new Set(['custom_payload', 'forward_payload', 'order_boc']);

/** Converts a row from the database or from get-methods to a comparable form. */
export function plainRow(row: Readonly<Record<string, unknown>>): PlainRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, BAGS.has(name) ? plainBag(value) : plain(value)]),
  );
}

/** An account in the format of columns: the workchain and 32 bytes. */
export function accountHex({ workChain, hash }: Address): string {
  const workchain = Buffer.alloc(1);
  workchain.writeInt8(workChain);
  return Buffer.concat([workchain, hash]).toString('hex');
}

/** The reverse. */
export function addressOf(account: Buffer): Address {
  return new Address(account.readInt8(0), account.subarray(1));
}

function plain(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (value instanceof Address) return accountHex(value);
  if (value instanceof Cell) return value.hash().toString('hex');
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map(plain) : value;
}

function plainBag(value: unknown): unknown {
  return Buffer.isBuffer(value) ? plain(Cell.fromBoc(value)[0]!) : plain(value);
}
