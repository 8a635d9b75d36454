import { formatRaw, fromAccountBytes } from '../../../chain/address.ts';
import { readBoc } from '../../../chain/boc/bag.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { dictionaryEntries } from '../../../chain/tlb/dictionary.ts';
import type { ActionColumns } from '../../rules/action.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { anyOf, blockOf, call, type Pattern, repeated } from '../../rules/pattern.ts';
import { readAccount, readAmount, readSomeAccount, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { jettonTransferOf } from '../jettons/rules.ts';

/** The wallet of a staker notifies the pool of a changed stake. */
const REQUEST_UPDATE = 0xf5c5baa3;
const REQUEST_UPDATE_REFERRER = 0x55c35b40;
const UPDATE_REFERRER = 0x076ee4e0;
const UPDATE_REWARDS = 0xae9307ce;

/** The referrers of the staker, each notified by the one before. */
const referrers: Pattern = repeated(
  repeated(call(REQUEST_UPDATE_REFERRER), call(UPDATE_REFERRER), { optional: true }),
  undefined,
  { optional: true },
);

/** The response of the pool to the wallet of the staker. */
const updateRewards: Pattern = call(UPDATE_REWARDS);

/** The data of a staker wallet. */
interface Stake {
  readonly pool: string;
  /** The staked jetton; null if the wallet of the pool is unknown. */
  readonly asset: string | null;
  /** The jetton that represents the stake. */
  readonly stakeAsset: string | null;
}

/** The stake of a wallet; undefined if its data is unknown or has another layout. */
function readStake(wallet: string | null, interfaces: Interfaces): Stake | undefined {
  return tryRead(() => {
    const data = openData(interfaces.dataOf(wallet ?? ''));
    return data && readData(data, interfaces);
  });
}

function readData(data: Slice, interfaces: Interfaces): Stake {
  const pool = readSomeAccount(data);
  const stakeAsset = readAccount(data);
  const poolData = openData(interfaces.dataOf(pool));
  if (!poolData) return { pool, asset: null, stakeAsset };
  poolData.skip(1 + 32);
  readAccount(poolData);
  readAccount(poolData);
  const locked = interfaces.jettonWallet(readSomeAccount(poolData));
  if (!locked) throw new RuleMismatch("the pool's own wallet is not known");
  return { pool, asset: locked.jetton, stakeAsset };
}

function openData(boc: Buffer | undefined): Slice | undefined {
  if (!boc) return undefined;
  const bag = readBoc(boc);
  return new Slice(bag, bag.root);
}

const RECEIVE_JETTONS = 0xd68a4ac1;
const CANCEL = 0x9eada1d9;
const SET_DATA = 0x383411ea;
const CLAIM = 0x78d9f109;
const SEND_REWARDS = 0x44bc1fe3;
const ADDRESS_BITS = 267;

/** Stakes jettons for a period. */
export const jvaultStake: Rule = {
  name: 'JVault stake',
  test: (block) => block.type === 'jetton_transfer',
  around: {
    next: [
      call(RECEIVE_JETTONS, {
        as: 'received',
        each: anyOf([
          call(REQUEST_UPDATE, { as: 'update', next: [referrers, updateRewards] }),
          call(CANCEL, { as: 'cancelled', each: blockOf('jetton_transfer', { optional: true }) }),
        ]),
      }),
      call(SET_DATA, { optional: true }),
    ],
  },
  build(block, found) {
    const { sender, senderWallet, asset, request } = jettonTransferOf(block);
    const payload = request.payload();
    if (!payload) throw new RuleMismatch('no payload');
    payload.skip(32);
    const received = found.named('received')!;
    const columns = {
      source: sender,
      source_secondary: senderWallet,
      destination: received.message.source,
      asset,
      amount: request.amount,
      data: {
        jvault_stake_data: { period: payload.uint(32), stake_wallet: received.message.destination },
      },
    };
    const failed =
      found.named('cancelled') !== undefined || received.failed || found.named('update')?.failed === true;
    compose(plainContent('jvault_stake', columns, failed), [block, ...found.blocks]);
  },
};

/** Claims staking rewards. */
export const jvaultClaim: Rule = {
  name: 'JVault claim',
  test: (block) => block.calls(CLAIM),
  around: {
    each: call(SEND_REWARDS, {
      as: 'rewards',
      next: [blockOf('jetton_transfer', { as: 'paid' }), updateRewards],
    }),
  },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    body.skip(64);
    const columns = {
      source: block.message.source,
      source_secondary: block.message.destination,
      destination: found.named('rewards')!.message.destination,
      data: {
        jvault_claim_data: {
          claimed_jettons: readAddresses(body),
          claimed_amounts: [jettonTransferOf(found.named('paid')!).request.amount],
        },
      },
    };
    compose(plainContent('jvault_claim', columns), [block, ...found.blocks]);
  },
};

/** The keys of a dictionary of addresses. */
function readAddresses(body: Slice): string[] {
  const root = body.maybeRef();
  if (root < 0) return [];
  const addresses: string[] = [];
  for (const { key } of dictionaryEntries(new Slice(body.cells, root), ADDRESS_BITS)) {
    addresses.push(addressOfKey(key));
  }
  return addresses;
}

/** A key is a MsgAddress: two tag bits, the anycast bit, eight bits of workchain, the hash. */
function addressOfKey(key: Buffer): string {
  if (key[0]! >> 5 !== 0b100) throw new RuleMismatch('key is not an address');
  const bits = (BigInt(`0x${key.toString('hex')}`) >> 5n) & ((1n << 264n) - 1n);
  const bytes = Buffer.from(bits.toString(16).padStart(66, '0'), 'hex');
  return formatRaw(fromAccountBytes(bytes), 'upper');
}

const UNSTAKE = 0x499a9262;
const UNSTAKE_REQUEST = 0x0168d4b7;

/** The shared columns. If the wallet rejected, its exit code replaces the opcode. */
function columnsOf(block: Block, update: Block | undefined, stake: Stake | undefined): ActionColumns {
  return {
    source: block.message.source,
    source_secondary: block.message.destination,
    destination: update ? update.message.destination : (stake?.pool ?? null),
    asset: stake?.asset ?? null,
    asset2: stake?.stakeAsset ?? null,
    amount: readAmount(block),
    opcode: update ? null : block.node.transaction.exitCode,
  };
}

/** Unstakes jettons. */
export const jvaultUnstake: Rule = {
  name: 'JVault unstake',
  test: (block) => block.calls(UNSTAKE),
  around: {
    each: call(REQUEST_UPDATE, {
      as: 'update',
      optional: true,
      next: [
        referrers,
        blockOf('ton_transfer', { optional: true }),
        blockOf('jetton_transfer', { as: 'returned' }),
        updateRewards,
      ],
    }),
  },
  build(block, found, { interfaces }) {
    const stake = readStake(block.message.destination, interfaces);
    if (!stake?.asset) return;
    const returned = found.named('returned');
    if (returned && jettonTransferOf(returned).asset !== stake.asset) return;
    const columns = columnsOf(block, found.named('update'), stake);
    compose(plainContent('jvault_unstake', columns), [block, ...found.blocks]);
  },
};

/** Requests to unstake jettons after a waiting period. */
export const jvaultUnstakeRequest: Rule = {
  name: 'JVault unstake request',
  test: (block) => block.calls(UNSTAKE_REQUEST),
  around: {
    each: call(REQUEST_UPDATE, { as: 'update', optional: true, next: [referrers, updateRewards] }),
  },
  build(block, found, { interfaces }) {
    const update = found.named('update');
    const stake = readStake(block.message.destination, interfaces);
    if (!update && !stake?.asset) return;
    const failed = !update || block.failed || update.failed;
    const columns = columnsOf(block, update, stake);
    compose(plainContent('jvault_unstake_request', columns, failed), [block, ...found.blocks]);
  },
};
