import { hash as hashOnce } from 'node:crypto';
import {
  Address,
  beginCell,
  Cell,
  type Slice as CoreSlice,
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
interface ContractAtBlock {
  readonly chain: GetMethodClient;
  readonly at: BlockId;
  readonly address: Address;
  readonly zone: Address | undefined;
}

type Columns = Readonly<Record<string, unknown>>;
type ColumnReader = (contract: ContractAtBlock) => Promise<Columns | undefined>;

/** The rows of a contract by its own get-methods, by table; undefined for interfaces that it does not have. */
export const COLUMN_READERS: Readonly<Record<string, ColumnReader>> = {
  jetton_masters: ifImplemented(async (contract) => {
    const result = await read(contract, 'get_jetton_data', 5);
    return {
      total_supply: result.readBigNumber(),
      mintable: result.readBoolean(),
      admin: address(result),
      content: content(result.readCell()),
      wallet_code_hash: result.readCell(),
      mintless_root: null,
    };
  }),
  jetton_wallets: ifImplemented(async (contract) => {
    const result = await read(contract, 'get_wallet_data', 4);
    const balance = result.readBigNumber();
    const [owner, jetton] = [account(result), account(result)];
    result.readCell();
    const confirmed = await read({ ...contract, address: jetton }, 'get_wallet_address', 1, [slice(owner)]);
    expectConfirmed(contract, address(confirmed));
    const claimed = await contract.chain.run(contract.at, contract.address, 'is_claimed');
    return {
      balance,
      owner,
      jetton,
      mintless_is_claimed: claimed === undefined ? null : claimed.length === 1,
      mintless_root: null,
      mintless_amount: null,
      mintless_start_from: null,
      mintless_expire_at: null,
    };
  }),
  nft_collections: ifImplemented(async (contract) => {
    const result = await read(contract, 'get_collection_data', 3);
    return {
      next_item_index: result.readBigNumber(),
      content: content(result.readCell()),
      owner: address(result),
    };
  }),
  nft_items: ifImplemented(async (contract) => {
    const item = await readItem(contract);
    const domain = await readDomain(contract, item).catch(() => undefined);
    return domain === undefined ? item : { ...item, content: { ...item.content, domain } };
  }),
  nft_sales: ifImplemented(async (contract) => {
    const result = await read(contract, 'get_fix_price_data_v4', 13);
    return {
      is_complete: result.readBoolean(),
      created_at: result.readBigNumber(),
      marketplace: account(result),
      nft: account(result),
      nft_owner: address(result),
      full_price: result.readBigNumber(),
      marketplace_fee_address: account(result),
      marketplace_fee: result.readBigNumber(),
      royalty_address: account(result),
      royalty_amount: result.readBigNumber(),
      sold_at: result.readBigNumber(),
      sold_query_id: result.readBigNumber(),
      jetton_prices: noPrices(result.readCellOpt()),
    };
  }),
  dns_entries: ifImplemented(async (contract) => {
    const item = await readItem(contract);
    const domain = await readDomain(contract, item);
    const itself: TupleItem[] = [
      { type: 'slice', cell: beginCell().storeUint(0, 8).endCell() },
      { type: 'int', value: 0n },
    ];
    const result = await read(contract, 'dnsresolve', 2, itself);
    if (result.readBigNumber() !== 8n) throw new Error('it does not resolve itself');
    return { owner: item.owner, domain, ...records(result.readCellOpt()), ...(await readAuction(contract)) };
  }),
  multisigs: ifImplemented(async (contract) => {
    const result = await read(contract, 'get_multisig_data', 4);
    return {
      next_order_seqno: result.readBigNumber(),
      threshold: result.readBigNumber(),
      signers: addresses(result.readCellOpt()),
      proposers: addresses(result.readCellOpt()),
    };
  }),
  multisig_orders: ifImplemented(async (contract) => {
    const result = await read(contract, 'get_order_data', 9);
    const multisig = account(result);
    const seqno = result.readBigNumber();
    const order = {
      multisig,
      order_seqno: seqno,
      threshold: result.readBigNumber(),
      sent_for_execution: result.readBoolean(),
      signers: addresses(result.readCell()),
      approvals_mask: result.readBigNumber(),
      approvals_num: result.readBigNumber(),
      expiration_date: result.readBigNumber(),
      order_boc: result.readCell(),
    };
    const target = { ...contract, address: multisig };
    expectConfirmed(
      contract,
      address(await read(target, 'get_order_address', 1, [{ type: 'int', value: seqno }])),
    );
    return order;
  }),
  vestings: ifImplemented(async (contract) => {
    const result = await read(contract, 'get_vesting_data', 8);
    return {
      start_time: result.readBigNumber(),
      total_duration: result.readBigNumber(),
      unlock_period: result.readBigNumber(),
      cliff_duration: result.readBigNumber(),
      total_amount: result.readBigNumber(),
      sender: account(result),
      owner: account(result),
      whitelist: whitelist(result.readCellOpt()),
    };
  }),
  nominator_pools: ifImplemented(async (contract) => {
    const result = await read(contract, 'get_pool_data', 17);
    const pool = {
      state: result.readBigNumber(),
      nominators_count: result.readBigNumber(),
      stake_amount_sent: result.readBigNumber(),
      validator_amount: result.readBigNumber(),
      validator: hashAddress(-1, result.readBigNumber()),
      validator_reward_share: result.readBigNumber(),
      max_nominators_count: result.readBigNumber(),
      min_validator_stake: result.readBigNumber(),
      min_nominator_stake: result.readBigNumber(),
    };
    const amounts = {
      serialize: () => {},
      parse: (value: CoreSlice) => [value.loadCoins(), value.loadCoins()] as const,
    };
    const root = result.readCellOpt();
    const kept = root ? [...Dictionary.loadDirect(Dictionary.Keys.BigUint(256), amounts, root)] : [];
    kept.sort(([a], [b]) => (a < b ? -1 : 1));
    result.readCellOpt();
    return {
      ...pool,
      stake_at: result.readBigNumber(),
      nominators: kept.map(([hash]) => hashAddress(0, hash)),
      nominator_balances: kept.map(([, [balance]]) => balance),
      nominator_pending_balances: kept.map(([, [, pending]]) => pending),
    };
  }),
};

function hashAddress(workchain: number, hash: bigint): Address {
  return Address.parse(`${workchain}:${hash.toString(16).padStart(64, '0')}`);
}

/** The collection of .ton domains, from the root resolver. */
export async function findTonZone(chain: GetMethodClient, at: BlockId): Promise<Address | undefined> {
  const root = await chain.dnsRoot(at);
  if (root === undefined) return undefined;
  const category = hashOnce('sha256', 'dns_next_resolver', 'hex');
  const result = await chain.run(at, root, 'dnsresolve', [
    { type: 'slice', cell: beginCell().storeBuffer(Buffer.from('ton\0')).endCell() },
    { type: 'int', value: BigInt(`0x${category}`) },
  ]);
  const record = result === undefined ? undefined : new TupleReader(result.slice(1)).readCell().beginParse();
  return record?.loadUint(16) === 0xba93 ? record.loadAddress() : undefined;
}

async function readItem(contract: ContractAtBlock) {
  const result = await read(contract, 'get_nft_data', 5);
  const init = result.readBoolean();
  const index = result.readBigNumber();
  const [collection, owner] = [address(result), address(result)];
  const own = result.readCell();
  const item = { init, index, collection, owner };
  if (collection === null) return { ...item, content: content(own) };
  const numbered: TupleItem = { type: 'int', value: index };
  const target = { ...contract, address: collection };
  expectConfirmed(contract, address(await read(target, 'get_nft_address_by_index', 1, [numbered])));
  const full = await read(target, 'get_nft_content', 1, [numbered, { type: 'cell', cell: own }]);
  return { ...item, content: content(full.readCell()) };
}

async function readDomain(
  contract: ContractAtBlock,
  { collection }: { readonly collection: Address | null },
) {
  if (contract.zone === undefined || !contract.zone.equals(collection!)) throw new Error('another zone');
  return `${(await read(contract, 'get_domain', 1)).readBuffer()}.ton`;
}

async function readAuction(contract: ContractAtBlock) {
  const bid = await read(contract, 'get_auction_info', 3)
    .then((result) => [address(result), result.readBigNumber(), result.readBigNumber()] as const)
    .catch(() => [null] as const);
  const [bidder, amount, end] = bid[0] === null ? [null, null, null] : bid;
  const fillUp = await read(contract, 'get_last_fill_up_time', 1)
    .then((result) => result.readBigNumber())
    .catch(() => null);
  return {
    max_bid_address: bidder,
    max_bid_amount: amount,
    auction_end_time: end,
    last_fill_up_time: fillUp,
  };
}

async function read(
  { chain, at, address: target }: ContractAtBlock,
  method: string,
  size: number,
  args: TupleItem[] = [],
): Promise<TupleReader> {
  const result = await chain.run(at, target, method, args);
  if (result === undefined || result.length < size) throw new Error(`no ${method}`);
  return new TupleReader(result);
}

/** Undefined if the get-methods do not behave like the interface. */
function ifImplemented(readColumns: (contract: ContractAtBlock) => Promise<Columns>): ColumnReader {
  return (contract) => readColumns(contract).catch(() => undefined);
}

function address(result: TupleReader): Address | null {
  return result.readCell().beginParse().loadMaybeAddress();
}

function account(result: TupleReader): Address {
  return result.readCell().beginParse().loadAddress();
}

function slice(target: Address): TupleItem {
  return { type: 'slice', cell: beginCell().storeAddress(target).endCell() };
}

function expectConfirmed({ address: own }: ContractAtBlock, confirmed: Address | null): void {
  if (confirmed === null || !confirmed.equals(own)) throw new Error('denied');
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

function addresses(cell: Cell | null): Address[] {
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
export class GetMethodClient {
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
const BAGS = new Set(['customPayload', 'forwardPayload', 'order_boc']);

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

/** The address of an account in the format of columns. */
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
