import { Address, type Cell } from '@ton/core';
import { writeCellObject } from '../chain/stack/arguments.ts';
import { type ExampleValues, FIXED_VALUES } from '../http/example-values.ts';
import { jettonWalletCode } from '../localnet/contracts/jetton.ts';
import { type DemoSummary, readDemoSummary } from '../localnet/demo/run-demo.ts';
import { openSampleMessages } from '../localnet/demo/wallets.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Json = any;

interface DemoExamplesOptions {
  readonly path: string;
  /** Root hash of the chain's zero state in hex: the file may be of an earlier chain. */
  readonly zeroState: () => string;
  /** Asks this server; undefined unless the response is a success. */
  readonly ask: (path: string) => Promise<Json | undefined>;
  /** Unix seconds of this machine. */
  readonly clock: () => number;
}

type Values = Readonly<Record<string, unknown>>;

const LITTLE_EARLIER_SECONDS = 60;
const VALID_SECONDS = 600;

/**
 * The values of examples on a chain with the demo: its accounts, one of its transactions, the newest block, and messages
 * that are valid now. What does not change is found once. Without the demo, or before the index has it, the fixed values
 * take their places.
 */
export function createDemoExamples(options: DemoExamplesOptions): () => Promise<ExampleValues> {
  const { path, zeroState, ask, clock } = options;
  const samples = openSampleMessages();
  let steady: { readonly chain: string; readonly values: Values } | undefined;

  async function findSteady(): Promise<Values | undefined> {
    const chain = zeroState();
    if (steady?.chain === chain) return steady.values;
    const demo = readDemoSummary(path, chain);
    if (demo === undefined) return undefined;
    const accounts = accountsOf(demo);
    const transaction = await findTransaction(ask, accounts);
    const values = { ...accounts, ...transaction };
    if ('action id' in values) steady = { chain, values };
    return values;
  }

  return async () => {
    const steadyValues = await findSteady();
    if (steadyValues === undefined) return FIXED_VALUES;
    const block = await findBlock(ask);
    const values: Values = { ...steadyValues, ...block };
    // A chain without messages makes no blocks, and after `advance` its clock is ahead of this machine.
    const now = Math.max(Number(block['block time'] ?? 0), Math.floor(clock()) - LITTLE_EARLIER_SECONDS);
    const computed: Readonly<Record<string, () => unknown>> = {
      soon: () => now + VALID_SECONDS,
      message: () => toBase64(samples.external(now)),
      'message as cell': () => writeCellObject(samples.external(now)),
      'message body': () => toBase64(samples.body(now)),
      'message body as cell': () => writeCellObject(samples.body(now)),
    };
    return (name) => values[name] ?? computed[name]?.() ?? FIXED_VALUES(name);
  };
}

function toBase64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

function accountsOf({ wallets, contracts }: DemoSummary): Values {
  return {
    ...Object.fromEntries(Object.entries(wallets).map(([name, { address }]) => [name, address])),
    ...contracts,
    domain: 'alice.ton',
    'library hash': jettonWalletCode().hash().toString('base64'),
  };
}

async function findBlock(ask: DemoExamplesOptions['ask']): Promise<Values> {
  const last = (await ask('/api/v2/getMasterchainInfo'))?.result.last;
  if (last === undefined) return {};
  const { workchain, shard, seqno, root_hash, file_hash } = last;
  const key = new URLSearchParams({ workchain, shard, seqno });
  const header = (await ask(`/api/v2/getBlockHeader?${key}`))?.result;
  return {
    'block seqno': seqno,
    'block root hash': root_hash,
    'block file hash': file_hash,
    'block time': header?.gen_utime,
  };
}

/** A message from judy to the probe with the transaction that received it, and what the index knows about it. */
async function findTransaction(ask: DemoExamplesOptions['ask'], { judy, probe }: Values): Promise<Values> {
  const sender = Address.parse(`${judy}`);
  const history: Json[] = (await ask(`/api/v2/getTransactions?limit=100&address=${probe}`))?.result ?? [];
  const received = history.find(
    ({ in_msg: { source } }) => source !== '' && sender.equals(Address.parse(source)),
  );
  if (received === undefined) return {};
  const { transaction_id: id, utime, in_msg: message } = received;
  // Any shard id with the account in it names the shard that had it then.
  const shard = `${Address.parse(`${probe}`).hash.readBigInt64BE() | 1n}`;
  const wanted = new URLSearchParams({ workchain: '0', shard, lt: id.lt });
  const block = (await ask(`/api/v2/lookupBlock?${wanted}`))?.result;
  return {
    'transaction hash': id.hash,
    'transaction lt': Number(id.lt),
    'transaction time': utime,
    'message hash': message.hash,
    'message body hash': message.body_hash,
    'message created_lt': Number(message.created_lt),
    ...(block && blockValues(block)),
    ...(await findInIndex(ask, id.hash)),
  };
}

function blockValues({ shard, seqno, root_hash, file_hash }: Json): Values {
  return {
    'transaction block seqno': seqno,
    'transaction block shard': BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase(),
    'transaction block shard as decimal': shard,
    'transaction block root hash': root_hash,
    'transaction block file hash': file_hash,
  };
}

async function findInIndex(ask: DemoExamplesOptions['ask'], hash: string): Promise<Values> {
  const byHash = new URLSearchParams({ hash });
  const transaction = (await ask(`/api/v3/transactions?${byHash}`))?.transactions[0];
  if (transaction === undefined) return {};
  const { mc_block_seqno, trace_id, in_msg } = transaction;
  const action = (await ask(`/api/v3/actions?${new URLSearchParams({ tx_hash: hash })}`))?.actions[0];
  return {
    'transaction mc_seqno': mc_block_seqno,
    'message opcode': in_msg.opcode,
    'trace id': trace_id,
    ...(action && { 'action id': action.action_id }),
  };
}
