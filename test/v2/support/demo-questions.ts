import { readFileSync } from 'node:fs';
import { Address, beginCell, type Cell } from '@ton/core';
import { jettonWalletCode } from '../../../src/localnet/contracts/jetton.ts';
import { probeCode } from '../../../src/localnet/contracts/probe.ts';
import { messageOfCarol, transferOfCarol } from './transfer-of-carol.ts';
import type { V2TestApp } from './v2-app.ts';

/** A question that a chain with the demo can answer. */
export interface DemoQuestion {
  readonly title: string;
  /** What is asked; a turn is a number that was not used before, for what can be said only once. */
  readonly params: (turn: number) => Readonly<Record<string, unknown>>;
  /** Whether question and answer are an example in the definition of the operation. */
  readonly isExample: boolean;
}

const WHOLE_SHARD = '-9223372036854775808';
const MASTERCHAIN = { workchain: -1, shard: WHOLE_SHARD };
/** In it the demo begins: there is something in the block of the basechain too. */
const BUSY_SEQNO = 3;

/** Questions to every operation that looks at the chain, by its name. */
export async function demoQuestions(
  ground: Pick<V2TestApp, 'call'> & { readonly folder: string },
): Promise<Readonly<Record<string, readonly DemoQuestion[]>>> {
  const demo = JSON.parse(readFileSync(`${ground.folder}/demo.json`, 'utf8'));
  const of = (name: string): string =>
    Address.parse(demo.wallets[name]?.address ?? demo.contracts[name]).toString();
  const historyOf = async (name: string, limit: number) =>
    (await ground.call('getTransactions', { address: of(name), limit })).body.result;
  const [transaction] = await historyOf('account without a contract', 1);
  const { lt, hash } = transaction.transaction_id;
  const { seqno } = (await ground.call('getMasterchainInfo', {})).body.result.last;
  // Not a time of the first second: where that leads to the first block, a node cannot prove it.
  const { gen_utime: unixtime } = (await ground.call('getBlockHeader', { ...MASTERCHAIN, seqno })).body
    .result;
  const toProbe = (await historyOf('probe', 20)).map(({ in_msg }: { in_msg: unknown }) => in_msg);
  const { source, destination, created_lt } = toProbe.find(
    (message: { source: string }) => message.source === of('judy'),
  );
  const located = [example('the message of a wallet', { source, destination, created_lt })];
  const code = probeCode().toBoc().toString('base64');

  return {
    getAddressInformation: [
      example('a wallet', { address: of('judy') }),
      example('an account that does not exist', { address: of('account that does not exist') }),
      extra('an account without a contract, at a block', {
        address: of('account without a contract'),
        seqno: 9,
      }),
      extra('a contract', { address: of('jetton minter') }),
    ],
    getExtendedAddressInformation: [
      example('a wallet', { address: of('carol') }),
      extra('a wallet that is not known', { address: of('kate') }),
      extra('nothing', { address: of('account that does not exist') }),
    ],
    getShardAccountCell: [
      example('an account without a contract', { address: of('account without a contract') }),
      extra('nothing', { address: of('account that does not exist') }),
    ],
    getWalletInformation: [
      example('a wallet', { address: of('alice') }),
      ...Object.keys(demo.wallets).map((name) => extra(name, { address: of(name) })),
      example('not a wallet', { address: of('jetton minter') }),
    ],
    getAddressBalance: [example('a wallet', { address: of('alice') })],
    getAddressState: [
      example('a wallet', { address: of('alice') }),
      extra('an account without a contract', { address: of('account without a contract') }),
    ],
    getTokenData: [
      example('an item of a collection', { address: of('NFT that was given away') }),
      example('a domain', { address: of('domain alice.ton') }),
      extra('a collection', { address: of('NFT collection') }),
      extra('a jetton', { address: of('jetton minter') }),
      extra('a wallet of a jetton', { address: of('jetton wallet of alice') }),
      extra('a wallet whose code is a library', { address: of('library jetton wallet of carol') }),
    ],
    dnsResolve: [
      example('a name', { address: of('DNS root'), name: 'alice.ton', ttl: 4 }),
      extra('one category', { address: of('DNS root'), name: 'alice.ton', ttl: 4, category: 'wallet' }),
      extra('one step', { address: of('DNS root'), name: 'alice.ton' }),
    ],
    getMasterchainInfo: [example('the newest block', {})],
    getMasterchainBlockSignatures: [example('a block', { seqno: 2 })],
    getShardBlockProof: [
      example('a masterchain block from itself', { ...MASTERCHAIN, seqno: 2, from_seqno: 2 }),
      extra('a block of the basechain', { workchain: 0, shard: WHOLE_SHARD, seqno: 2 }),
    ],
    getConsensusBlock: [example('the newest block', {})],
    lookupBlock: [
      example('by its number', { ...MASTERCHAIN, seqno: 1 }),
      extra('by a logical time', { workchain: 0, shard: WHOLE_SHARD, lt }),
      extra('by a time', { ...MASTERCHAIN, unixtime }),
    ],
    getShards: [example('of a masterchain block', { seqno: 2 })],
    getBlockHeader: [
      example('a masterchain block', { ...MASTERCHAIN, seqno: 2 }),
      extra('a block of the basechain', { workchain: 0, shard: WHOLE_SHARD, seqno: 2 }),
    ],
    getOutMsgQueueSize: [example('of all shards', {})],
    getBlockTransactions: [
      example('two of a block', { workchain: 0, shard: WHOLE_SHARD, seqno: BUSY_SEQNO, count: 2 }),
      extra('all of a masterchain block', { ...MASTERCHAIN, seqno: 2 }),
    ],
    getBlockTransactionsExt: [
      example('one of a block', { ...MASTERCHAIN, seqno: 2, count: 1 }),
      extra('all of a block', { workchain: 0, shard: WHOLE_SHARD, seqno: BUSY_SEQNO }),
    ],
    getTransactions: [
      example('the last one of an account', { address: of('account without a contract'), limit: 1 }),
      extra('from a transaction on', { address: of('account without a contract'), lt, hash, limit: 5 }),
      extra('of the probe', { address: of('probe'), limit: 20 }),
      extra('of a wallet', { address: of('alice'), to_lt: '0', archival: false }),
    ],
    getTransactionsStd: [
      example('the last one of an account', { address: of('account without a contract'), limit: 1 }),
      extra('of the probe', { address: of('probe'), limit: 20 }),
    ],
    tryLocateTx: located,
    tryLocateSourceTx: located,
    getConfigParam: [
      example('prices of storage', { param: 18 }),
      example('by the old name', { config_id: 15 }),
      extra('a parameter that is not there', { param: 77, seqno: 2 }),
    ],
    getConfigAll: [example('the newest', {})],
    getLibraries: [
      example('one that is published', { libraries: [libraryHash('base64'), 'ab'.repeat(32)] }),
      extra('in hex', { libraries: [libraryHash('hex')] }),
    ],
    runGetMethod: [
      example('the number of a wallet', { address: of('carol'), method: 'seqno', stack: [] }),
      extra('of a jetton', {
        address: of('jetton minter'),
        method: 'get_wallet_address',
        stack: [['tvm.Slice', addressSlice(of('alice'))]],
      }),
      extra('all of an item', { address: of('NFT that was kept'), method: 'get_nft_data', stack: [] }),
      extra('of nothing', { address: of('account that does not exist'), method: 'seqno', stack: [] }),
    ],
    runGetMethodStd: [
      example('the number of a wallet', { address: of('carol'), method: 'seqno', stack: [] }),
      extra('of a jetton', {
        address: of('jetton minter'),
        method: 'get_wallet_address',
        stack: [typedSlice(addressSlice(of('alice')))],
      }),
      extra('all of an item', { address: of('NFT that was kept'), method: 'get_nft_data', stack: [] }),
    ],
    ...sends(of('carol')),
    estimateFee: [
      example('a transfer of a wallet', { address: of('carol'), body: base64(transferOfCarol(0)) }),
      extra('of a contract to be', {
        address: of('account without a contract'),
        body: base64(beginCell().endCell()),
        init_code: code,
        init_data: base64(beginCell().endCell()),
        ignore_chksig: false,
      }),
    ],
    estimateFeeSimple: [
      example('a transfer of a wallet', { address: of('carol'), body: cellObject(transferOfCarol(0)) }),
    ],
  };
}

function sends(carol: string): Record<string, DemoQuestion[]> {
  const once = (params: DemoQuestion['params']): DemoQuestion[] => [
    { title: 'a transfer of a wallet', params, isExample: true },
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

/** The bits of a cell in bytes, the last one filled with zeros. */
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

/** Of the code that the demo publishes. */
function libraryHash(encoding: 'base64' | 'hex'): string {
  return jettonWalletCode().hash().toString(encoding);
}

function example(title: string, params: Readonly<Record<string, unknown>>): DemoQuestion {
  return { title, params: () => params, isExample: true };
}

function extra(title: string, params: Readonly<Record<string, unknown>>): DemoQuestion {
  return { ...example(title, params), isExample: false };
}
