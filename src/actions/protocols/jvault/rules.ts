import { formatRaw, fromAccountBytes } from '../../../chain/address.ts';
import { readBoc } from '../../../chain/boc/bag.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { dictionaryEntries } from '../../../chain/tlb/dictionary.ts';
import type { ActionColumns } from '../../rules/action.ts';
import type { Block } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { anyOf, blockOf, call, type Pattern, repeated } from '../../rules/pattern.ts';
import { someAccount, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { jvault, jvaultOther, poolDataAt, stakerDataAt } from './layouts.ts';

/** The referrers of the staker, each notified by the one before. */
const referrers: Pattern = repeated(
  repeated(call(jvault.request_update_referrer), call(jvault.update_referrer), { optional: true }),
  undefined,
  { optional: true },
);

const updateRewards: Pattern = call(jvault.update_rewards);

interface Stake {
  readonly pool: string;
  /** The staked jetton; null if the wallet of the pool is unknown. */
  readonly asset: string | null;
  /** The jetton that represents the stake. */
  readonly stakeAsset: string | null;
}

/** The stake of a wallet; undefined if its data is unknown. */
function readStake(wallet: string | null, interfaces: Interfaces): Stake | undefined {
  const data = openData(interfaces.dataOf(wallet ?? ''));
  if (!data) return undefined;
  const { pool: address, stake_jetton: stakeAsset } = stakerDataAt(data);
  const pool = someAccount(address);
  const poolData = openData(interfaces.dataOf(pool));
  if (!poolData) return { pool, asset: null, stakeAsset };
  const locked = interfaces.jettonWallet(someAccount(poolDataAt(poolData).lock_wallet));
  if (!locked) throw new RuleMismatch("the pool's own wallet is not known");
  return { pool, asset: locked.jetton, stakeAsset };
}

function openData(boc: Buffer | undefined): Slice | undefined {
  if (!boc) return undefined;
  const bag = readBoc(boc);
  return new Slice(bag, bag.root);
}

const ADDRESS_BITS = 267;

function readAddresses(dictionary: Slice | undefined): string[] {
  if (!dictionary) return [];
  return Array.from(dictionaryEntries(dictionary, ADDRESS_BITS), ({ key }) => addressOfKey(key));
}

/** A key is a MsgAddress: two tag bits, the anycast bit, eight bits of workchain, the hash. */
function addressOfKey(key: Buffer): string {
  if (key[0]! >> 5 !== 0b100) throw new RuleMismatch('key is not an address');
  const bits = (BigInt(`0x${key.toString('hex')}`) >> 5n) & ((1n << 264n) - 1n);
  const bytes = Buffer.from(bits.toString(16).padStart(66, '0'), 'hex');
  return formatRaw(fromAccountBytes(bytes), 'upper');
}

/** The shared columns; both requests start with the amount. If the wallet rejected, its exit code replaces the opcode. */
function columnsOf(block: Block, update: Block | undefined, stake: Stake | undefined): ActionColumns {
  return {
    source: block.message.source,
    source_secondary: block.message.destination,
    destination: update ? update.message.destination : (stake?.pool ?? null),
    asset: stake?.asset ?? null,
    asset2: stake?.stakeAsset ?? null,
    amount: jvault.unstake_request.read(block).jettons_to_unstake,
    opcode: update ? null : block.node.transaction.exitCode,
  };
}

export const jvaultRules: readonly Rule[] = [
  // Stakes jettons for a period.
  {
    type: 'jvault_stake',
    test: (block) => block.type === 'jetton_transfer',
    around: {
      next: [
        call(jvault.receive_jettons, {
          as: 'received',
          each: anyOf([
            call(jvault.request_update_rewards, { as: 'update', next: [referrers, updateRewards] }),
            call(jvaultOther.cancel, {
              as: 'cancelled',
              each: blockOf('jetton_transfer', { optional: true }),
            }),
          ]),
        }),
        call(jvault.set_data, { optional: true }),
      ],
    },
    build(block, match) {
      const { sender, senderWallet, asset, request } = jettonTransferOf(block);
      const payload = request.payload();
      if (!payload) throw new RuleMismatch('no payload');
      const { period } = jvaultOther.stake.open(payload);
      const received = match.named('received')!;
      return {
        source: sender,
        source_secondary: senderWallet,
        destination: received.message.source,
        asset,
        amount: request.amount,
        data: { jvault_stake_data: { period, stake_wallet: received.message.destination } },
        success: !(match.named('cancelled') || received.failed || match.named('update')?.failed),
      };
    },
  },
  // Unstakes jettons.
  {
    type: 'jvault_unstake',
    calls: [jvault.unstake_jettons],
    around: {
      each: call(jvault.request_update_rewards, {
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
    build(block, match, { interfaces }) {
      const stake = tryRead(() => readStake(block.message.destination, interfaces));
      if (!stake?.asset) return undefined;
      const returned = match.named('returned');
      if (returned && jettonTransferOf(returned).asset !== stake.asset) return undefined;
      return columnsOf(block, match.named('update'), stake);
    },
  },
  // Claims staking rewards.
  {
    type: 'jvault_claim',
    calls: [jvault.claim_rewards_msg],
    around: {
      each: call(jvault.send_claimed_rewards, {
        as: 'rewards',
        next: [blockOf('jetton_transfer', { as: 'paid' }), updateRewards],
      }),
    },
    build(block, match) {
      const { jettons_to_claim } = jvault.claim_rewards_msg.read(block);
      return {
        source: block.message.source,
        source_secondary: block.message.destination,
        destination: match.named('rewards')!.message.destination,
        data: {
          jvault_claim_data: {
            claimed_jettons: readAddresses(jettons_to_claim),
            claimed_amounts: [jettonTransferOf(match.named('paid')!).request.amount],
          },
        },
      };
    },
  },
  // Requests to unstake jettons after a waiting period.
  {
    type: 'jvault_unstake_request',
    calls: [jvault.unstake_request],
    around: {
      each: call(jvault.request_update_rewards, {
        as: 'update',
        optional: true,
        next: [referrers, updateRewards],
      }),
    },
    build(block, match, { interfaces }) {
      const update = match.named('update');
      const stake = tryRead(() => readStake(block.message.destination, interfaces));
      if (!update && !stake?.asset) return undefined;
      const success = update !== undefined && !block.failed && !update.failed;
      return { ...columnsOf(block, update, stake), success };
    },
  },
];
