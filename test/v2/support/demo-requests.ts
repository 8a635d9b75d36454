import { readFileSync } from 'node:fs';
import { Address, beginCell, type Cell } from '@ton/core';
import { writeCellObject } from '../../../src/chain/stack/arguments.ts';
import { jettonWalletCode } from '../../../src/localnet/contracts/jetton.ts';
import { probeCode } from '../../../src/localnet/contracts/probe.ts';
import { messageOfCarol, transferOfCarol } from './transfer-of-carol.ts';
import type { V2TestApp } from './v2-app.ts';

/** A request that succeeds on a chain with the demo. */
export interface DemoRequest {
  readonly title: string;
  /** The parameters; `turn` is a new number each time, for messages that can be sent only once. */
  readonly params: (turn: number) => Readonly<Record<string, unknown>>;
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
  const located = [request('Message from a wallet', { source, destination, created_lt })];
  const code = probeCode().toBoc().toString('base64');

  return {
    getAddressInformation: [
      request('Wallet', { address: of('judy') }),
      request('Account that does not exist', { address: of('account that does not exist') }),
      request('Account without a contract, at a block', {
        address: of('account without a contract'),
        seqno: 9,
      }),
      request('Contract', { address: of('jetton minter') }),
    ],
    getExtendedAddressInformation: [
      request('Wallet', { address: of('carol') }),
      request('Wallet of an unknown kind', { address: of('kate') }),
      request('Account that does not exist', { address: of('account that does not exist') }),
    ],
    getShardAccountCell: [
      request('Account without a contract', { address: of('account without a contract') }),
      request('Account that does not exist', { address: of('account that does not exist') }),
    ],
    getWalletInformation: [
      request('Wallet', { address: of('alice') }),
      ...Object.keys(demo.wallets).map((name) => request(name, { address: of(name) })),
      request('Contract that is not a wallet', { address: of('jetton minter') }),
    ],
    getAddressBalance: [request('Wallet', { address: of('alice') })],
    getAddressState: [
      request('Wallet', { address: of('alice') }),
      request('Account without a contract', { address: of('account without a contract') }),
    ],
    getTokenData: [
      request('NFT of a collection', { address: of('NFT that was given away') }),
      request('Domain', { address: of('domain alice.ton') }),
      request('NFT collection', { address: of('NFT collection') }),
      request('Jetton', { address: of('jetton minter') }),
      request('Jetton wallet', { address: of('jetton wallet of alice') }),
      request('Jetton wallet whose code is a library', { address: of('library jetton wallet of carol') }),
    ],
    dnsResolve: [
      request('Domain name', { address: of('DNS root'), name: 'alice.ton', ttl: 4 }),
      request('One category', { address: of('DNS root'), name: 'alice.ton', ttl: 4, category: 'wallet' }),
      request('One resolver', { address: of('DNS root'), name: 'alice.ton' }),
    ],
    getMasterchainInfo: [request('Newest block', {})],
    getMasterchainBlockSignatures: [request('Masterchain block', { seqno: 2 })],
    getShardBlockProof: [
      request('Masterchain block from itself', { ...MASTERCHAIN, seqno: 2, from_seqno: 2 }),
      request('Basechain block', { workchain: 0, shard: WHOLE_SHARD, seqno: 2 }),
    ],
    getConsensusBlock: [request('Newest block', {})],
    lookupBlock: [
      request('By seqno', { ...MASTERCHAIN, seqno: 1 }),
      request('By logical time', { workchain: 0, shard: WHOLE_SHARD, lt }),
      request('By time', { ...MASTERCHAIN, unixtime }),
    ],
    getShards: [request('Masterchain block', { seqno: 2 })],
    getBlockHeader: [
      request('Masterchain block', { ...MASTERCHAIN, seqno: 2 }),
      request('Basechain block', { workchain: 0, shard: WHOLE_SHARD, seqno: 2 }),
    ],
    getOutMsgQueueSize: [request('All shards', {})],
    getBlockTransactions: [
      request('Two transactions of a block', {
        workchain: 0,
        shard: WHOLE_SHARD,
        seqno: BUSY_SEQNO,
        count: 2,
      }),
      request('All transactions of a masterchain block', { ...MASTERCHAIN, seqno: 2 }),
    ],
    getBlockTransactionsExt: [
      request('One transaction of a block', { ...MASTERCHAIN, seqno: 2, count: 1 }),
      request('All transactions of a block', { workchain: 0, shard: WHOLE_SHARD, seqno: BUSY_SEQNO }),
    ],
    getTransactions: [
      request('Last transaction of an account', { address: of('account without a contract'), limit: 1 }),
      request('From a given transaction', { address: of('account without a contract'), lt, hash, limit: 5 }),
      request('Transactions of the probe contract', { address: of('probe'), limit: 20 }),
      request('Transactions of a wallet', { address: of('alice'), to_lt: '0', archival: false }),
    ],
    getTransactionsStd: [
      request('Last transaction of an account', { address: of('account without a contract'), limit: 1 }),
      request('Transactions of the probe contract', { address: of('probe'), limit: 20 }),
    ],
    tryLocateTx: located,
    tryLocateSourceTx: located,
    getConfigParam: [
      request('Storage prices', { param: 18 }),
      request('By config_id', { config_id: 15 }),
      request('Param that does not exist', { param: 77, seqno: 2 }),
    ],
    getConfigAll: [request('Newest config', {})],
    getLibraries: [
      request('Published library', { libraries: [libraryHash('base64'), 'ab'.repeat(32)] }),
      request('Hash in hex', { libraries: [libraryHash('hex')] }),
    ],
    runGetMethod: [
      request('Seqno of a wallet', { address: of('carol'), method: 'seqno', stack: [] }),
      request('Wallet address of a jetton', {
        address: of('jetton minter'),
        method: 'get_wallet_address',
        stack: [['tvm.Slice', addressSlice(of('alice'))]],
      }),
      request('Data of an NFT', { address: of('NFT that was kept'), method: 'get_nft_data', stack: [] }),
      request('Account that does not exist', {
        address: of('account that does not exist'),
        method: 'seqno',
        stack: [],
      }),
    ],
    runGetMethodStd: [
      request('Seqno of a wallet', { address: of('carol'), method: 'seqno', stack: [] }),
      request('Wallet address of a jetton', {
        address: of('jetton minter'),
        method: 'get_wallet_address',
        stack: [typedSlice(addressSlice(of('alice')))],
      }),
      request('Data of an NFT', { address: of('NFT that was kept'), method: 'get_nft_data', stack: [] }),
    ],
    ...sends(of('carol')),
    estimateFee: [
      request('Transfer from a wallet', { address: of('carol'), body: base64(transferOfCarol(0)) }),
      request('Contract that is not deployed yet', {
        address: of('account without a contract'),
        body: base64(beginCell().endCell()),
        init_code: code,
        init_data: base64(beginCell().endCell()),
        ignore_chksig: false,
      }),
    ],
    estimateFeeSimple: [
      request('Transfer from a wallet', { address: of('carol'), body: writeCellObject(transferOfCarol(0)) }),
    ],
  };
}

function sends(carol: string): Record<string, DemoRequest[]> {
  const once = (params: DemoRequest['params']): DemoRequest[] => [
    { title: 'Transfer from a wallet', params },
  ];
  const boc = (turn: number) => ({ boc: base64(messageOfCarol(turn)) });
  return {
    sendBoc: once(boc),
    sendBocReturnHash: once(boc),
    sendBocReturnHashNoError: once(boc),
    sendBocUnsafe: once(boc),
    sendCellSimple: once((turn) => ({ cell: writeCellObject(messageOfCarol(turn)) })),
    sendQuery: once((turn) => ({ address: carol, body: base64(transferOfCarol(turn)) })),
    sendQuerySimple: once((turn) => ({ address: carol, body: writeCellObject(transferOfCarol(turn)) })),
  };
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

function request(title: string, params: Readonly<Record<string, unknown>>): DemoRequest {
  return { title, params: () => params };
}
