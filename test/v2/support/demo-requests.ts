import { readFileSync } from 'node:fs';
import { Address, beginCell, type Cell } from '@ton/core';
import { jettonWalletCode } from '../../../src/localnet/contracts/jetton.ts';
import { probeCode } from '../../../src/localnet/contracts/probe.ts';
import { messageOfCarol, transferOfCarol } from './transfer-of-carol.ts';
import type { V2TestApp } from './v2-app.ts';

/** A request that succeeds on a chain with the demo. */
export interface DemoRequest {
  readonly title: string;
  /** The parameters; `turn` is a new number each time, for messages that can be sent only once. */
  readonly params: (turn: number) => Readonly<Record<string, unknown>>;
  /** Whether it is one of the examples of the operation. */
  readonly isExample: boolean;
}

const WHOLE_SHARD = '-9223372036854775808';
const MASTERCHAIN = { workchain: -1, shard: WHOLE_SHARD };
/** The first block of the demo, with transactions in the basechain too. */
const BUSY_SEQNO = 3;

/** Requests to every operation that reads the chain, by name. */
export async function createDemoRequests(
  context: Pick<V2TestApp, 'call'> & { readonly folder: string },
): Promise<Readonly<Record<string, readonly DemoRequest[]>>> {
  const demo = JSON.parse(readFileSync(`${context.folder}/demo.json`, 'utf8'));
  const of = (name: string): string =>
    Address.parse(demo.wallets[name]?.address ?? demo.contracts[name]).toString();
  const historyOf = async (name: string, limit: number) =>
    (await context.call('getTransactions', { address: of(name), limit })).body.result;
  const [transaction] = await historyOf('account without a contract', 1);
  const { lt, hash } = transaction.transaction_id;
  const { seqno } = (await context.call('getMasterchainInfo', {})).body.result.last;
  // Not in the first second: a node cannot prove that block 1 is the first one.
  const { gen_utime: unixtime } = (await context.call('getBlockHeader', { ...MASTERCHAIN, seqno })).body
    .result;
  const toProbe = (await historyOf('probe', 20)).map(({ in_msg }: { in_msg: unknown }) => in_msg);
  const { source, destination, created_lt } = toProbe.find(
    (message: { source: string }) => message.source === of('judy'),
  );
  const located = [example('Message from a wallet', { source, destination, created_lt })];
  const code = probeCode().toBoc().toString('base64');

  return {
    getAddressInformation: [
      example('Wallet', { address: of('judy') }),
      example('Account that does not exist', { address: of('account that does not exist') }),
      extra('Account without a contract, at a block', {
        address: of('account without a contract'),
        seqno: 9,
      }),
      extra('Contract', { address: of('jetton minter') }),
    ],
    getExtendedAddressInformation: [
      example('Wallet', { address: of('carol') }),
      extra('Wallet of an unknown kind', { address: of('kate') }),
      extra('Account that does not exist', { address: of('account that does not exist') }),
    ],
    getShardAccountCell: [
      example('Account without a contract', { address: of('account without a contract') }),
      extra('Account that does not exist', { address: of('account that does not exist') }),
    ],
    getWalletInformation: [
      example('Wallet', { address: of('alice') }),
      ...Object.keys(demo.wallets).map((name) => extra(name, { address: of(name) })),
      example('Contract that is not a wallet', { address: of('jetton minter') }),
    ],
    getAddressBalance: [example('Wallet', { address: of('alice') })],
    getAddressState: [
      example('Wallet', { address: of('alice') }),
      extra('Account without a contract', { address: of('account without a contract') }),
    ],
    getTokenData: [
      example('NFT of a collection', { address: of('NFT that was given away') }),
      example('Domain', { address: of('domain alice.ton') }),
      extra('NFT collection', { address: of('NFT collection') }),
      extra('Jetton', { address: of('jetton minter') }),
      extra('Jetton wallet', { address: of('jetton wallet of alice') }),
      extra('Jetton wallet whose code is a library', { address: of('library jetton wallet of carol') }),
    ],
    dnsResolve: [
      example('Domain name', { address: of('DNS root'), name: 'alice.ton', ttl: 4 }),
      extra('One category', { address: of('DNS root'), name: 'alice.ton', ttl: 4, category: 'wallet' }),
      extra('One resolver', { address: of('DNS root'), name: 'alice.ton' }),
    ],
    getMasterchainInfo: [example('Newest block', {})],
    getMasterchainBlockSignatures: [example('Masterchain block', { seqno: 2 })],
    getShardBlockProof: [
      example('Masterchain block from itself', { ...MASTERCHAIN, seqno: 2, from_seqno: 2 }),
      extra('Basechain block', { workchain: 0, shard: WHOLE_SHARD, seqno: 2 }),
    ],
    getConsensusBlock: [example('Newest block', {})],
    lookupBlock: [
      example('By seqno', { ...MASTERCHAIN, seqno: 1 }),
      extra('By logical time', { workchain: 0, shard: WHOLE_SHARD, lt }),
      extra('By time', { ...MASTERCHAIN, unixtime }),
    ],
    getShards: [example('Masterchain block', { seqno: 2 })],
    getBlockHeader: [
      example('Masterchain block', { ...MASTERCHAIN, seqno: 2 }),
      extra('Basechain block', { workchain: 0, shard: WHOLE_SHARD, seqno: 2 }),
    ],
    getOutMsgQueueSize: [example('All shards', {})],
    getBlockTransactions: [
      example('Two transactions of a block', {
        workchain: 0,
        shard: WHOLE_SHARD,
        seqno: BUSY_SEQNO,
        count: 2,
      }),
      extra('All transactions of a masterchain block', { ...MASTERCHAIN, seqno: 2 }),
    ],
    getBlockTransactionsExt: [
      example('One transaction of a block', { ...MASTERCHAIN, seqno: 2, count: 1 }),
      extra('All transactions of a block', { workchain: 0, shard: WHOLE_SHARD, seqno: BUSY_SEQNO }),
    ],
    getTransactions: [
      example('Last transaction of an account', { address: of('account without a contract'), limit: 1 }),
      extra('From a given transaction', { address: of('account without a contract'), lt, hash, limit: 5 }),
      extra('Transactions of the probe contract', { address: of('probe'), limit: 20 }),
      extra('Transactions of a wallet', { address: of('alice'), to_lt: '0', archival: false }),
    ],
    getTransactionsStd: [
      example('Last transaction of an account', { address: of('account without a contract'), limit: 1 }),
      extra('Transactions of the probe contract', { address: of('probe'), limit: 20 }),
    ],
    tryLocateTx: located,
    tryLocateSourceTx: located,
    getConfigParam: [
      example('Storage prices', { param: 18 }),
      example('By config_id', { config_id: 15 }),
      extra('Param that does not exist', { param: 77, seqno: 2 }),
    ],
    getConfigAll: [example('Newest config', {})],
    getLibraries: [
      example('Published library', { libraries: [libraryHash('base64'), 'ab'.repeat(32)] }),
      extra('Hash in hex', { libraries: [libraryHash('hex')] }),
    ],
    runGetMethod: [
      example('Seqno of a wallet', { address: of('carol'), method: 'seqno', stack: [] }),
      extra('Wallet address of a jetton', {
        address: of('jetton minter'),
        method: 'get_wallet_address',
        stack: [['tvm.Slice', addressSlice(of('alice'))]],
      }),
      extra('Data of an NFT', { address: of('NFT that was kept'), method: 'get_nft_data', stack: [] }),
      extra('Account that does not exist', {
        address: of('account that does not exist'),
        method: 'seqno',
        stack: [],
      }),
    ],
    runGetMethodStd: [
      example('Seqno of a wallet', { address: of('carol'), method: 'seqno', stack: [] }),
      extra('Wallet address of a jetton', {
        address: of('jetton minter'),
        method: 'get_wallet_address',
        stack: [typedSlice(addressSlice(of('alice')))],
      }),
      extra('Data of an NFT', { address: of('NFT that was kept'), method: 'get_nft_data', stack: [] }),
    ],
    ...sends(of('carol')),
    estimateFee: [
      example('Transfer from a wallet', { address: of('carol'), body: base64(transferOfCarol(0)) }),
      extra('Contract that is not deployed yet', {
        address: of('account without a contract'),
        body: base64(beginCell().endCell()),
        init_code: code,
        init_data: base64(beginCell().endCell()),
        ignore_chksig: false,
      }),
    ],
    estimateFeeSimple: [
      example('Transfer from a wallet', { address: of('carol'), body: cellObject(transferOfCarol(0)) }),
    ],
  };
}

function sends(carol: string): Record<string, DemoRequest[]> {
  const once = (params: DemoRequest['params']): DemoRequest[] => [
    { title: 'Transfer from a wallet', params, isExample: true },
  ];
  const boc = (turn: number) => ({ boc: base64(messageOfCarol(turn)) });
  return {
    sendBoc: once(boc),
    sendBocReturnHash: once(boc),
    sendBocReturnHashNoError: once(boc),
    sendBocUnsafe: once(boc),
    sendCellSimple: once((turn) => ({ cell: cellObject(messageOfCarol(turn)) })),
    sendQuery: once((turn) => ({ address: carol, body: base64(transferOfCarol(turn)) })),
    sendQuerySimple: once((turn) => ({ address: carol, body: cellObject(transferOfCarol(turn)) })),
  };
}

function cellObject(cell: Cell): unknown {
  const bytes = cell.bits.length === 0 ? Buffer.alloc(0) : dataOf(cell);
  return {
    data: { b64: bytes.toString('base64'), len: cell.bits.length },
    refs: cell.refs.map(cellObject),
    special: cell.isExotic,
  };
}

/** The bits of a cell as bytes, padded with zeros. */
function dataOf({ bits }: Cell): Buffer {
  const padded = beginCell()
    .storeBits(bits)
    .storeUint(0, (8 - (bits.length % 8)) % 8);
  return padded.endCell().bits.subbuffer(0, Math.ceil(bits.length / 8) * 8)!;
}

function addressSlice(address: string): string {
  return base64(beginCell().storeAddress(Address.parse(address)).endCell());
}

function typedSlice(bytes: string): unknown {
  return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } };
}

function base64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

/** The hash of the library that the demo publishes. */
function libraryHash(encoding: 'base64' | 'hex'): string {
  return jettonWalletCode().hash().toString(encoding);
}

function example(title: string, params: Readonly<Record<string, unknown>>): DemoRequest {
  return { title, params: () => params, isExample: true };
}

function extra(title: string, params: Readonly<Record<string, unknown>>): DemoRequest {
  return { ...example(title, params), isExample: false };
}
