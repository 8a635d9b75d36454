import { beginCell } from '@ton/core';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';
import { ACTION_ROLES } from '../../../src/v3/action-roles.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { FIRST_START, PERIOD } from '../../ingest/validators/made-history.ts';
import { sampled, sampleOf } from '../../support/long-run.ts';
import { adnlOf, keyOf } from '../../support/made-elector.ts';
import { readStoredActions } from '../../support/stored-actions.ts';
import { readStoredEvents, type StoredEvent, type StoredEvents } from '../../support/stored-events.ts';
import { readStoredTraces, type StoredTrace } from '../../support/stored-traces.ts';
import {
  deliveriesOf,
  readStoredTransactions,
  type StoredDelivery,
  type StoredTransaction,
} from '../../support/stored-transactions.ts';
import { messageOfCarol, transferOfCarol } from '../../v2/support/transfer-of-carol.ts';
import { atParts, common } from './list-queries.ts';
import { PENDING_ACCOUNTS, PENDING_MESSAGES } from './made-pending.ts';
import { accountOf } from './made-validators.ts';
import type { WalkParams } from './walk-app.ts';

/** How an operation is tested by the walk. */
export interface WalkCase {
  /** Sets of required parameters; the first is used if one is enough. */
  readonly bases: readonly WalkParams[];
  /** Values to try of each parameter. */
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  /** The response field with the rows; empty if the response itself is the list. */
  readonly rows?: string;
  /** Whether parameters that are valid by themselves are refused together. */
  readonly isRefused?: (params: WalkParams) => boolean;
  /** An empty result is a 404. */
  readonly mayBeMissing?: true;
}

/** Cases of all operations, with values from the index of the demo. */
export async function demoCases(db: Kysely<Tables>): Promise<Readonly<Record<string, WalkCase>>> {
  const picks = createPicks(db);
  const transactions = await readStoredTransactions(db);
  const events = await readStoredEvents(db);
  const chain = {
    transactions,
    deliveries: deliveriesOf(transactions),
    traces: await readStoredTraces(db),
  };
  return {
    ...(await blockCases(picks)),
    ...transactionCases(chain),
    ...(await accountCases(picks)),
    ...liveCases(),
    ...traceCases(chain),
    ...(await actionCases(picks, db, chain)),
    ...pendingCases(),
    ...(await nftCases(picks, events)),
    ...(await jettonCases(picks, events)),
    ...(await contractCases(picks, db)),
    ...(await validatorCases(picks)),
    ...(await poolCases(picks)),
    decode: {
      bases: [{ opcodes: ['0x0', 'f8a7ea5'] }],
      values: {
        opcodes: ['0x0', ['-1', '4294967295', '0x00000000'], '260734629'],
        bodies: ['te6cckEBAQEAAgAAAEysuc0=', ['', 'no body', 'b5ee9c7201010101000200', 'te6'], 'é'],
      },
    },
    __testMethod: {
      bases: [{}],
      values: {
        my_hash: ['ab'.repeat(32)],
        my_addr: [`0:${'cd'.repeat(32)}`],
        my_shard: ['8000000000000000'],
      },
    },
  };
}

async function blockCases(picks: DemoPicks): Promise<Record<string, WalkCase>> {
  const { common, middle } = picks;
  const seqnos = await middle('shard_states', 'mc_seqno');
  const bases = seqnos.map((seqno) => ({ seqno }));
  const shards = (await common('blocks', 'shard')).map(
    (shard) => `0x${BigInt.asUintN(64, BigInt(shard)).toString(16)}`,
  );
  return {
    masterchainInfo: { bases: [{}], values: {} },
    masterchainBlockShardState: { bases, values: { seqno: seqnos } },
    masterchainBlockShards: { bases, values: { seqno: seqnos, ...SORTED }, rows: 'blocks' },
    blocks: {
      bases: [{}],
      values: {
        workchain: ['0', '-1'],
        shard: [...shards, '-9223372036854775808'],
        seqno: seqnos,
        root_hash: await common('blocks', 'root_hash'),
        file_hash: await common('blocks', 'file_hash'),
        mc_seqno: seqnos,
        ...(await span(picks, 'blocks', 'gen_utime', 'start_lt')),
        ...SORTED,
      },
      rows: 'blocks',
    },
    transactionsByMasterchainBlock: { bases, values: { seqno: seqnos, ...SORTED }, rows: 'transactions' },
  };
}

function transactionCases({ transactions, deliveries }: DemoChain): Record<string, WalkCase> {
  const messages = deliveries.map(({ message }) => message);
  const hashes = commonTexts(transactions.map(({ hash }) => hash));
  const accounts = commonTexts(transactions.map(({ account }) => account));
  const messageHashes = commonTexts(messages.map(({ hash }) => hash));
  const bodies = commonTexts(messages.map(({ bodyHash }) => bodyHash));
  const opcodes = commonTexts(messages.flatMap(({ opcode }) => opcode ?? [])).map(
    (code) => `0x${Number(code).toString(16)}`,
  );
  const between = transactions.filter(
    (one) =>
      deliveries.some(({ sentBy, receivedBy }) => receivedBy === one && sentBy !== undefined) &&
      deliveries.some(({ sentBy, receivedBy }) => sentBy === one && receivedBy !== undefined),
  );
  const ends = { source: accounts, destination: accounts };
  const externals = { exclude_externals: FLAG, only_externals: FLAG };
  const ofContent = { body_hash: bodies, opcode: opcodes, direction: ['in', 'out'], ...ends };
  const said = { ...ofContent, ...externals };
  const ofMessages = [messageHashes[0], messageHashes, messageHashes.join()];
  const ofTransactions = {
    workchain: ['0', '-1'],
    shard: ['8000000000000000'],
    seqno: middleTexts(transactions.map(({ blockSeqno }) => blockSeqno)),
    mc_seqno: middleTexts(transactions.map(({ mcSeqno }) => mcSeqno)),
    account: [accounts[0], accounts, accounts.join()],
    exclude_account: [accounts[0], accounts],
    hash: [hashes[0], hashes, hashes.join()],
    lt: commonTexts(transactions.map(({ lt }) => lt)),
    root_hash: hashes,
    file_hash: hashes,
    ...spanOf(
      transactions.map(({ now }) => now),
      transactions.map(({ lt }) => lt),
    ),
  };
  return {
    transactions: {
      bases: [{}, { opcode: opcodes[0] }],
      values: { ...ofTransactions, msg_hash: ofMessages, ...ofContent, ...SORTED },
      isRefused: ({ direction, opcode, msg_hash }) =>
        direction !== undefined && opcode === undefined && msg_hash === undefined,
      rows: 'transactions',
    },
    transactionsByMessage: {
      bases: [{ opcode: opcodes[0] }, { msg_hash: messageHashes }, { body_hash: bodies[0] }],
      values: { msg_hash: ofMessages, ...said, ...ofTransactions, ...SORTED },
      rows: 'transactions',
    },
    adjacentTransactions: {
      bases: between.slice(0, 3).map(({ hash }) => ({ hash: hash.toString('hex') })),
      values: { hash: hashes, direction: ['in', 'out'] },
      mayBeMissing: true,
    },
    messages: {
      bases: [{}],
      values: {
        msg_hash: ofMessages,
        hash: [messageHashes[0], messageHashes],
        ...said,
        source: [...accounts, 'null'],
        destination: [...accounts, 'null'],
        ...spanOf(
          messages.flatMap(({ createdAt }) => createdAt ?? []),
          messages.map(({ lt }) => lt),
        ),
        ...SORTED,
      },
      isRefused: ({ hash, msg_hash }) => hash !== undefined && msg_hash !== undefined,
      rows: 'messages',
    },
  };
}

async function accountCases({ common }: DemoPicks): Promise<Record<string, WalkCase>> {
  const accounts = await common('latest_account_states', 'account');
  const wallets = Object.values(openDemoWallets()).map(({ address }) => address.toString());
  const jettons = await common('jetton_wallets', 'account');
  const code_hash = await common('latest_account_states', 'code_hash');
  const addressesOf = { bases: [{ address: wallets }, { address: wallets.join() }], code_hash };
  return {
    addressBook: { bases: [{ address: wallets }], values: { address: [accounts, jettons, 'no address'] } },
    metadata: { bases: [{ address: jettons }], values: { address: [accounts, jettons, 'no address'] } },
    accountStates: {
      bases: addressesOf.bases,
      values: { address: [accounts, jettons], code_hash: [code_hash[0], code_hash], include_boc: FLAG },
    },
    walletStates: {
      bases: addressesOf.bases,
      values: { address: [accounts, jettons], code_hash: [code_hash[0], code_hash] },
    },
    topAccountsByBalance: { bases: [{}], values: PAGE, rows: '' },
  };
}

function liveCases(): Record<string, WalkCase> {
  const { alice, bob, carol } = openDemoWallets();
  const wallets = [alice, bob, carol].map(({ address }) => address.toRawString());
  const bases = [{ address: wallets[0] }];
  const [body, empty] = [transferOfCarol(1), beginCell().endCell()].map((cell) =>
    cell.toBoc().toString('base64'),
  );
  return {
    addressInformation: { bases, values: { address: wallets, use_v2: FLAG } },
    walletInformation: { bases, values: { address: wallets, use_v2: FLAG } },
    runGetMethod: {
      bases: [{ address: wallets[1], method: 'seqno' }],
      values: { address: wallets, method: ['seqno', '85143'], stack: [[], [{ type: 'num', value: '0x1' }]] },
    },
    'accounts/reindex': { bases, values: { address: [wallets[0], wallets] } },
    estimateFee: {
      bases: [{ address: wallets[2], body, ignore_chksig: true }],
      values: {
        address: wallets,
        body: [body, empty],
        ignore_chksig: [true, false],
        init_code: [empty],
        init_data: [empty],
      },
      isRefused: ({ init_code, init_data }) => init_code !== undefined && init_data === undefined,
    },
    message: {
      bases: [{ boc: messageOfCarol(2).toBoc().toString('base64') }],
      values: { boc: [3, 4].map((turn) => messageOfCarol(turn).toBoc().toString('base64')) },
    },
  };
}

function traceCases({ transactions, deliveries, traces }: DemoChain): Record<string, WalkCase> {
  const chosen = {
    account: commonTexts(traces.flatMap(({ accounts }) => accounts)),
    trace_id: commonTexts(transactions.map(({ traceId }) => traceId)),
    tx_hash: commonTexts(transactions.map(({ hash }) => hash)),
    msg_hash: commonTexts(deliveries.map(({ message }) => message.hash)),
  };
  const values = {
    ...chosen,
    tx_hash: [chosen.tx_hash, chosen.tx_hash.join()],
    mc_seqno: middleTexts(traces.map(({ mcSeqnoEnd }) => mcSeqnoEnd)),
    ...spanOf(
      traces.map(({ endUtime }) => endUtime),
      traces.map(({ endLt }) => endLt),
    ),
    include_actions: FLAG,
    supported_action_types: ['latest', ['v1', 'staking']],
    ...SORTED,
  };
  const isRefused = (params: WalkParams) => Object.keys(chosen).filter((name) => name in params).length > 1;
  return {
    traces: { bases: [{}], values, rows: 'traces', isRefused },
    events: { bases: [{}], values, rows: 'events', isRefused },
  };
}

const directions = ['in', 'out', 'both'];

async function nftCases(
  { common }: DemoPicks,
  { nft_transfers: transfers }: StoredEvents,
): Promise<Record<string, WalkCase>> {
  const [items, owners] = [await common('nft_items', 'account'), await common('nft_items', 'owner')];
  const collections = await common('nft_items', 'collection');
  const transferrers = commonTexts(transfers.map(({ source }) => source));
  const sold = [...(await common('nft_sales', 'account')), ...(await common('nft_auctions', 'account'))];
  return {
    'nft/collections': {
      bases: [{}],
      values: {
        collection_address: [collections, collections.join()],
        owner_address: [await common('nft_collections', 'owner')],
        ...PAGE,
      },
      rows: 'nft_collections',
    },
    'nft/items': {
      bases: [{}],
      values: {
        address: [items, items.join()],
        owner_address: [owners[0], owners],
        index: ['0', ['1', '2']],
        collection_address: [collections[0], collections],
        include_on_sale: FLAG,
        sort_by_last_transaction_lt: FLAG,
        ...PAGE,
      },
      rows: 'nft_items',
      isRefused: ({ index, collection_address: collection, owner_address: owner }) => {
        const collectionCount = collection === undefined ? 0 : [collection].flat().length;
        const ownerCount = owner === undefined ? 0 : [owner].flat().length;
        return (collectionCount > 1 && ownerCount !== 1) || (index !== undefined && collectionCount !== 1);
      },
    },
    'nft/transfers': {
      bases: [{}],
      values: {
        owner_address: [transferrers[0], transferrers],
        address: [transferrers[0]],
        direction: directions,
        item_address: [commonTexts(transfers.map(({ account }) => account))],
        collection_address: commonTexts(transfers.flatMap(({ token }) => token ?? [])),
        ...eventSpan(transfers),
        ...SORTED,
      },
      rows: 'nft_transfers',
    },
    'nft/sales': { bases: [{ address: sold }], values: { address: [sold[0], sold.join(), items] } },
  };
}

async function jettonCases(
  { common }: DemoPicks,
  { jetton_transfers: transfers, jetton_burns: burns }: StoredEvents,
): Promise<Record<string, WalkCase>> {
  const jettons = await common('jetton_wallets', 'jetton');
  const wallets = commonTexts(transfers.map(({ account }) => account));
  const senders = commonTexts(transfers.map(({ source }) => source));
  const burners = commonTexts(burns.map(({ source }) => source));
  const owners = await common('jetton_wallets', 'owner');
  const event = { jetton_master: jettons, ...SORTED };
  return {
    'jetton/masters': {
      bases: [{}],
      values: {
        address: [jettons, jettons.join()],
        admin_address: [await common('jetton_masters', 'admin')],
        ...PAGE,
      },
      rows: 'jetton_masters',
    },
    'jetton/wallets': {
      bases: [{}],
      values: {
        address: [wallets, wallets.join()],
        owner_address: [owners[0], owners],
        jetton_address: [jettons[0], jettons],
        exclude_zero_balance: FLAG,
        ...SORTED,
      },
      rows: 'jetton_wallets',
      isRefused: ({ jetton_address: jetton, owner_address: owner }) =>
        jetton !== undefined &&
        [jetton].flat().length > 1 &&
        (owner === undefined || [owner].flat().length !== 1),
    },
    'jetton/transfers': {
      bases: [{}],
      values: {
        owner_address: [senders[0], senders],
        address: [senders[0]],
        direction: directions,
        jetton_wallet: [wallets],
        ...eventSpan(transfers),
        ...event,
      },
      rows: 'jetton_transfers',
    },
    'jetton/burns': {
      bases: [{}],
      values: {
        owner_address: [burners],
        address: [burners],
        jetton_wallet: [commonTexts(burns.map(({ account }) => account))],
        ...eventSpan(burns),
        ...event,
      },
      rows: 'jetton_burns',
    },
  };
}

async function contractCases({ common }: DemoPicks, db: Kysely<Tables>): Promise<Record<string, WalkCase>> {
  const [domain, wallet] = [await common('dns_entries', 'domain'), await common('dns_entries', 'wallet')];
  const [vestings, owners] = [await common('vestings', 'account'), await common('vestings', 'owner')];
  const [multisigs, orders] = [
    await common('multisigs', 'account'),
    await common('multisig_orders', 'account'),
  ];
  const { rows } = await sql<{ signers: Buffer[] }>`select signers from multisigs limit 1`.execute(db);
  const signers = rows.flatMap(({ signers }) =>
    signers.map((one) => `${one.readInt8(0)}:${one.toString('hex', 1)}`),
  );
  const both = (one: string, other: string) => (params: WalkParams) => one in params && other in params;
  return {
    'dns/records': {
      bases: [{ wallet: wallet[0] }, { domain: domain[0] }],
      values: { wallet, domain, ...PAGE },
      rows: 'records',
      isRefused: both('wallet', 'domain'),
    },
    vesting: {
      bases: [{ wallet_address: owners }, { contract_address: vestings }],
      values: { contract_address: [vestings], wallet_address: [owners], check_whitelist: FLAG, ...PAGE },
      rows: 'vesting_contracts',
      isRefused: both('contract_address', 'wallet_address'),
    },
    'multisig/wallets': {
      bases: [{ address: multisigs }, { wallet_address: signers }],
      values: {
        address: [multisigs],
        wallet_address: [signers, signers.join()],
        include_orders: FLAG,
        ...SORTED,
      },
      rows: 'multisigs',
    },
    'multisig/orders': {
      bases: [{ multisig_address: multisigs }, { address: orders }],
      values: { address: [orders], multisig_address: [multisigs], parse_actions: FLAG, ...SORTED },
      rows: 'orders',
    },
  };
}

/** Cases of lists about validators. */
async function validatorCases({ common, middle }: DemoPicks): Promise<Record<string, WalkCase>> {
  const values = async (table: keyof Tables, time: string) => {
    const [early, late] = await middle(table, time);
    return { start_utime: [early, '0'], end_utime: [late, `${2 ** 32 - 1}`], ...SORTED };
  };
  const stakes = {
    stake_holder_address: await common('validator_election_participants', 'holder'),
    adnl_address: await common('validator_cycle_members', 'adnl'),
    validator_pubkey: await common('validator_cycle_members', 'pubkey'),
  };
  const election_id = await common('validator_elections', 'election_id');
  const cycle_start = await common('validator_cycles', 'cycle_start');
  const isRefused = ({ stake_holder_address, adnl_address, start_utime, end_utime }: WalkParams) =>
    (stake_holder_address !== undefined && adnl_address !== undefined) ||
    Number(start_utime ?? 0) > Number(end_utime ?? Number.POSITIVE_INFINITY);
  const shared = { bases: [{}], isRefused };
  return {
    'validators/events': {
      ...shared,
      values: {
        ...stakes,
        type: ['stake_accepted', 'recover_failed'],
        ...(await values('validator_events', 'utime')),
      },
      rows: 'events',
    },
    'validators/elections': {
      ...shared,
      values: {
        ...stakes,
        election_id,
        finished: FLAG,
        return_participants: FLAG,
        ...(await values('validator_elections', 'election_id')),
      },
      rows: 'elections',
    },
    'validators/cycles': {
      ...shared,
      values: {
        ...stakes,
        cycle_start,
        election_id,
        return_validators: FLAG,
        ...(await values('validator_cycles', 'cycle_start')),
      },
      rows: 'cycles',
    },
    'validators/complaints': {
      ...shared,
      values: {
        // Of the accused.
        stake_holder_address: [1, 2].map((number) => formatAccount(accountOf(number))),
        adnl_address: [1, 2].map((number) => adnlOf(number).toString('base64')),
        validator_pubkey: [1, 2].map((number) => keyOf(number).toString('hex')),
        cycle_start: [FIRST_START, FIRST_START + PERIOD].map(String),
        election_id: [FIRST_START, FIRST_START + PERIOD].map(String),
        ...(await values('validator_complaints', 'created_at')),
      },
      rows: 'complaints',
    },
  };
}

/** Cases of auctions and nominator pools. */
async function poolCases({ common, middle }: DemoPicks): Promise<Record<string, WalkCase>> {
  const bidders = await common('dns_entries', 'max_bid_address');
  const pools = await common('nominator_pool_events', 'pool');
  const nominators = await common('nominator_pool_events', 'nominator');
  const validators = await common('pool_validator_events', 'validator');
  const [early, late] = await middle('nominator_pool_events', 'utime');
  const times = { start_utime: [early, '0'], end_utime: [late, '4e9'] };
  const [pool, nominator, validator] = [pools[0], nominators[0], validators[0]];
  const name = (operation: string) => `staking/nominatorPools/${operation}`;
  return {
    'dns/activeAuctions': {
      bases: bidders.map((bidder) => ({ bidder })),
      values: {
        bidder: bidders,
        state: ['all', 'won', 'bidding'],
        include_nft_items: FLAG,
        after: [],
        ...SORTED,
      },
      rows: 'auctions',
    },
    [name('pool')]: { bases: [{ pool }], values: { pool: pools } },
    [name('nominator')]: { bases: [{ nominator }], values: { nominator: nominators } },
    [name('nominatorEvents')]: {
      bases: [{ pool }],
      values: { pool: pools, nominator: nominators, type: ['reward', 'deposit'], ...times, ...PAGE },
      rows: 'events',
    },
    [name('nominatorRewards')]: {
      bases: [{ pool, nominator }],
      values: { pool: pools, nominator: nominators, ...times, ...PAGE },
      rows: 'rewards',
    },
    [name('validatorEvents')]: {
      bases: [{ pool }, { validator }],
      values: { pool: pools, validator: validators, type: ['reward', 'deposit'], ...times, ...PAGE },
      rows: 'events',
    },
    [name('validatorRewards')]: {
      bases: [{ pool, validator }],
      values: { pool: pools, validator: validators, ...times, ...PAGE },
      rows: 'rewards',
    },
  };
}

/** Cases of actions and balance changes. */
async function actionCases(
  picks: DemoPicks,
  db: Kysely<Tables>,
  { transactions, deliveries }: DemoChain,
): Promise<Record<string, WalkCase>> {
  const { middle } = picks;
  const rows = await readStoredActions(db);
  const actions = commonTexts(rows.map(({ action_id }) => action_id));
  const traces = commonTexts(rows.map(({ trace_id }) => trace_id));
  const hashes = commonTexts(transactions.map(({ hash }) => hash));
  const types = commonTexts(rows.map(({ type }) => type));
  const accounts = commonTexts(rows.flatMap((row) => row.accounts));
  const ends = spanOf(
    rows.map((row) => Number(row.trace_end_utime)),
    rows.map((row) => BigInt(row.trace_end_lt)),
  );
  return {
    actions: {
      bases: [{}],
      values: {
        account: accounts,
        trace_id: [traces, traces.join()],
        action_id: [actions[0], actions],
        tx_hash: [hashes, hashes.join()],
        msg_hash: commonTexts(deliveries.map(({ message }) => message.hash)),
        mc_seqno: await middle('trace_actions', 'mc_seqno_end'),
        ...ends,
        action_type: [types, types.join()],
        exclude_action_type: [types[0], 'tick_tock'],
        supported_action_types: ['v1', ['latest', 'tgbtc']],
        include_accounts: FLAG,
        include_transactions: FLAG,
        ...SORTED,
      },
      rows: 'actions',
    },
    'actions/byAccount': {
      bases: accounts.map((account) => ({ account })),
      values: {
        account: accounts,
        role: ACTION_ROLES,
        ...ends,
        supported_action_types: ['v1', ['latest', 'tgbtc']],
        include_accounts: FLAG,
        include_transactions: FLAG,
        ...SORTED,
      },
      rows: 'actions',
    },
    balanceChanges: {
      bases: traces.map((trace_id) => ({ trace_id })),
      values: { trace_id: traces, action_id: actions },
      mayBeMissing: true,
    },
  };
}

/** Cases of the pending operations. */
function pendingCases(): Record<string, WalkCase> {
  const [account, messages] = [PENDING_ACCOUNTS, PENDING_MESSAGES];
  const traces = {
    account,
    ext_msg_hash: [messages[0], messages, messages.join()],
    supported_action_types: ['latest', ['v1', 'staking']],
  };
  const bases = [{ account: account[0] }, { ext_msg_hash: messages }];
  return {
    pendingTransactions: {
      bases: [{ account: account[0] }],
      values: { account: [account, account.join()], trace_id: [messages[0], messages] },
      rows: 'transactions',
      mayBeMissing: true,
    },
    pendingTraces: { bases, values: traces, rows: 'traces' },
    pendingActions: {
      bases,
      values: { ...traces, role: ACTION_ROLES, include_transactions: ['true', '0'] },
      rows: 'actions',
      isRefused: ({ account, role }) => account === undefined && role !== undefined,
    },
  };
}

/** Values to try of parameters that many operations have. */
const FLAG = ['true', '0'];
const PAGE = { limit: ['5', '20'], offset: ['0', '2'], cursor: [] };
const SORTED = { ...PAGE, sort: ['asc', 'D'] };

/** Bounds of time and of logical time in the middle of the rows of a table. */
const span = async ({ middle }: DemoPicks, table: keyof Tables, utime: string, lt: string) =>
  boundsOf(await middle(table, utime), await middle(table, lt));

/** The same of some times and logical times. */
const spanOf = (times: readonly number[], lts: readonly bigint[]) =>
  boundsOf(middleTexts(times), middleTexts(lts));

const eventSpan = (events: readonly StoredEvent[]) =>
  spanOf(
    events.map(({ now }) => now),
    events.map(({ lt }) => lt),
  );

const boundsOf = ([early, late]: readonly string[], [first, last]: readonly string[]) => ({
  start_utime: [early, `${early}.5`],
  end_utime: [late, `${Number(late) / 1e9}e9`],
  start_lt: [first, '0'],
  end_lt: [last, `${2n ** 64n - 1n}`],
});

/** Everything that happened on the demo chain. */
interface DemoChain {
  readonly transactions: readonly StoredTransaction[];
  readonly deliveries: readonly StoredDelivery[];
  readonly traces: readonly StoredTrace[];
}

/** Values of rows in the forms that clients use. */
interface DemoPicks {
  /** The most frequent ones. */
  readonly common: (table: keyof Tables, column: string) => Promise<string[]>;
  /** Those in the middle, for bounds. */
  readonly middle: (table: keyof Tables, column: string) => Promise<string[]>;
}

const PICKS = 2;

/** Reads values from a database. */
function createPicks(db: Kysely<Tables>): DemoPicks {
  return {
    async common(table, column) {
      const { rows } = await sql<{ value: unknown }>`
        select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} is not null
        group by 1 order by count(*) desc, 1 limit ${PICKS}`.execute(db);
      return rows.map(({ value }) => textOf(value));
    },
    async middle(table, column) {
      const { rows } = await sql<{ value: unknown[] }>`
        select percentile_disc(array[0.3, 0.7]) within group (order by ${sql.ref(column)}) as value
        from ${sql.table(table)}`.execute(db);
      return (rows[0]?.value ?? []).map(textOf);
    },
  };
}

/** The most frequent values. */
function commonTexts(values: readonly unknown[]): string[] {
  return common(values.map(textOf)).slice(0, PICKS);
}

/** Values in the middle, for bounds. */
function middleTexts(values: readonly (number | bigint)[]): string[] {
  return atParts(
    values.toSorted((a, b) => Number(a) - Number(b)),
    [0.3, 0.7],
  ).map(String);
}

const ACCOUNT_BYTES = 33;

function textOf(value: unknown): string {
  if (!Buffer.isBuffer(value)) return String(value);
  return value.length === ACCOUNT_BYTES ? formatAccount(value) : value.toString('base64');
}

/** How many combinations of more than two parameters are tried. */
const MANY = sampled(1, 15);
/** How many pairs of parameters a sample has. */
const SOME_PAIRS = 1;

/**
 * The requests of a walk: required parameters alone, every value of every parameter, every pair of parameters, and some
 * larger combinations. A sample has half of the values of each parameter, with one of the bases, and some of the pairs.
 */
export function walkRequests({ bases, values }: WalkCase): WalkParams[] {
  const [first] = bases;
  const parameters = Object.entries(values).filter(([, choices]) => choices.length > 0);
  const choice = ([name, choices]: (typeof parameters)[number], turn: number): WalkParams => ({
    [name]: choices[turn % choices.length],
  });
  const alone = parameters.flatMap(([name, choices]) =>
    // A sample has half of the values.
    sampleOf(choices, Math.ceil(choices.length / 2), name.length).flatMap((value, turn) =>
      sampled([bases[turn % bases.length]!], bases).map((base) => ({ ...base, [name]: value })),
    ),
  );
  const pairs = parameters.flatMap((one, at) =>
    parameters.slice(at + 1).map((other, turn) => ({ ...first, ...choice(one, turn), ...choice(other, at) })),
  );
  const many = Array.from({ length: parameters.length > 2 ? MANY : 0 }, (_, turn) => {
    const chance = hashOf(`combination ${turn}`);
    const some = parameters.filter((_, at) => chance[at]! < 100);
    return Object.assign({ ...bases[turn % bases.length] }, ...some.map((one) => choice(one, turn)));
  });
  return [...bases, ...alone, ...sampleOf(pairs, SOME_PAIRS), ...many];
}
