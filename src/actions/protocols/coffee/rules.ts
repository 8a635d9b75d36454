import type { Block, Callable } from '../../rules/block.ts';
import { anyOf, blockOf, blockThat, call, type Pattern, repeated } from '../../rules/pattern.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import {
  type DexTransfer,
  depositColumns,
  depositSide,
  dexTransferOf,
  type Excess,
  inOrderOfTime,
  type Payout,
  type PeerSwap,
  swapColumns,
  tonSide,
  withdrawalColumns,
} from '../dex/transfers.ts';
import { jetton } from '../jettons/layouts.ts';
import { jettonBurnOf, jettonTransferOf } from '../jettons/rules.ts';
import { nftMintOf } from '../nfts/rules.ts';
import { coffee, coffeeMaster, coffeeOther } from './layouts.ts';

/** A vault payout, in one of three forms. */
const paid: Pattern = anyOf([blockOf('jetton_transfer'), call(coffee.payout), call(coffee.notification)]);

/** A vault payout, named `out`. */
const coffeeOut: Pattern = blockThat(paid.test, { as: 'out' });

function readCoffeeOut(out: Block): Excess {
  if (out.type !== 'jetton_transfer') return { asset: null, amount: out.message.value ?? 0n };
  const { asset, amount } = jettonTransferOf(out);
  return { asset, amount };
}

type PoolParams = ReturnType<typeof coffee.create_pool.read>['params'];

function assetsOf(params: PoolParams): readonly [string | null, string | null] {
  const { first, second } = params.through('amm_settings');
  return [coffeeMaster(first), coffeeMaster(second)];
}

/** Jettons, or a message with TON or other currencies, named `in`. */
function broughtBy(...messages: readonly Callable[]): Pattern {
  const others = messages.map((message) => call(message, { as: 'in' }));
  return anyOf([blockOf('jetton_transfer', { as: 'in' }), ...others]);
}

const swapPayout = call(coffee.payout_internal, { each: coffeeOut, as: 'payout' });

function readIncoming(first: Block): DexTransfer {
  if (first.type === 'jetton_transfer') return dexTransferOf(first);
  return tonSide(first, coffee.swap.read(first).amount);
}

function readOutgoing(out: Block, order: Block): DexTransfer {
  if (out.type === 'jetton_transfer') return dexTransferOf(out);
  if (out.calls(coffee.payout)) {
    const { recipient, amount } = coffee.payout_internal.read(order);
    return { ...tonSide(order, amount), destination: recipient };
  }
  return tonSide(out, out.message.value ?? 0n);
}

/** The log of a pool about its step of a swap: everything but the asset out. */
function readLog(swap: Block): Omit<PeerSwap, 'asset_out'> {
  const log = swap.next.find((block) => block.calls(coffee.swap_succeeded));
  if (!log) throw new RuleMismatch('no swap log');
  const { input, input_amount, output_amount } = coffee.swap_succeeded.read(log);
  return { asset_in: coffeeMaster(input), amount_in: input_amount, amount_out: output_amount };
}

/** A call, or a jetton transfer with the message in its payload. */
function carries(block: Block, message: Callable): boolean {
  if (block.type === 'jetton_transfer')
    return jettonTransferOf(block).request.payloadOpcode === message.opcode;
  return block.calls(message);
}

function readHeld(block: Block) {
  if (block.type === 'jetton_transfer') {
    const { sender, senderWallet, receiver, asset, amount } = jettonTransferOf(block);
    return { source: sender, source_secondary: senderWallet, destination: receiver, asset, amount };
  }
  const { source, destination, value } = block.message;
  return { source, destination, amount: value };
}

function readPaidOut(order: Block, amount: bigint): Payout {
  const paid = order.next.find((block) => block.type === 'jetton_transfer' || block.calls(coffee.payout));
  if (paid?.type === 'jetton_transfer')
    return { ...dexTransferOf(paid), amount, source: order.message.source };
  return { ...tonSide(order, amount), destinationWallet: paid?.message.destination ?? null };
}

interface PoolCreatorData extends Omit<FirstSide, 'request'> {
  /** The contract that collects both sides of the first deposit. */
  readonly creator: string | null;
  readonly pool: readonly [string | null, string | null];
}

interface FirstSide {
  readonly sender: string | null;
  readonly wallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
  readonly request: ReturnType<typeof coffee.create_pool_forward_payload.open>;
}

function readFirstSide(first: Block): FirstSide {
  if (first.type === 'jetton_transfer') {
    const { sender, senderWallet, asset, amount, request } = jettonTransferOf(first);
    const payload = request.payload();
    if (!payload) throw new RuleMismatch('transfer without a payload');
    const side = { sender, wallet: senderWallet, asset, amount };
    return { ...side, request: coffee.create_pool_forward_payload.open(payload) };
  }
  if (first.calls(coffee.create_pool_extra)) throw new RuleMismatch('neither TON nor a jetton');
  const request = coffee.create_pool.read(first);
  return { sender: first.message.source, wallet: null, asset: null, amount: request.amount, request };
}

export const coffeeRules: readonly Rule[] = [
  // One side of a swap.coffee deposit; the side that completes it gets the LP jettons.
  {
    type: 'coffee_deposit_liquidity',
    calls: [coffee.create_liquidity_depository_request],
    around: {
      each: call(coffee.deploy, {
        each: call(coffee.deposit_liquidity_internal, {
          next: [
            call(jetton.internal_transfer),
            call(coffee.deposit_liquidity_succeeded, { as: 'log' }),
            call(coffee.payout_internal, { each: coffeeOut, optional: true }),
          ],
          optional: true,
        }),
        as: 'depository',
      }),
      previous: broughtBy(coffee.deposit_liquidity),
    },
    build(block, match) {
      const first = match.named('in')!;
      const { amount, params, sender } = coffee.create_liquidity_depository_request.read(block);
      const side = depositSide(first, amount);
      const pool = assetsOf(params.pool_params);
      if (!pool.includes(side.asset)) return undefined;
      // The asset of this side comes first in the request, but keeps pool order in the result.
      const isFirst = side.asset === pool[0];
      const targets = isFirst ? pool : pool.toReversed();
      const log = match.named('log');
      const out = match.named('out');
      return {
        source: sender,
        destination: log?.message.source ?? null,
        destination_secondary: match.named('depository')!.message.destination,
        ...depositColumns(isFirst ? [side] : [undefined, side], out ? [readCoffeeOut(out)] : [], {
          dex: 'coffee',
          target_asset_1: targets[0]!,
          target_asset_2: targets[1]!,
          lp_tokens_minted: log ? coffee.deposit_liquidity_succeeded.read(log).lp_amount : null,
        }),
      };
    },
  },
  // A swap.coffee swap through one or several pools.
  {
    type: 'jetton_swap',
    calls: [coffee.swap_internal],
    around: {
      next: [
        call(coffee.swap_succeeded),
        anyOf([
          repeated(call(coffee.swap_internal, { each: call(coffee.swap_succeeded) }), swapPayout),
          swapPayout,
        ]),
      ],
      previous: broughtBy(coffee.swap),
    },
    build(block, match) {
      const out = match.named('out');
      const order = match.named('payout');
      if (!out || !order) return undefined;
      const incoming = readIncoming(match.named('in')!);
      const outgoing = readOutgoing(out, order);
      const swaps = new Set([block, ...match.blocks.filter((one) => one.calls(coffee.swap_internal))]);
      const logs = inOrderOfTime([...swaps]).map(readLog);
      const peers = logs.map((log, at) => {
        const next = logs[at + 1];
        return { ...log, asset_out: next ? next.asset_in : outgoing.asset };
      });
      return swapColumns({ dex: 'coffee', incoming, outgoing, peerSwaps: peers.length > 1 ? peers : [] });
    },
  },
  // Burns swap.coffee LP jettons for both assets of the pool.
  {
    type: 'dex_withdraw_liquidity',
    test: (block) => block.type === 'jetton_burn',
    around: {
      next: [
        call(coffee.payout_internal, { each: paid, as: 'first' }),
        call(coffee.payout_internal, { each: paid, as: 'second' }),
        call(coffee.withdraw_liquidity_succeeded, { as: 'log' }),
      ],
    },
    build(block, match) {
      const { owner, wallet, asset, amount } = jettonBurnOf(block);
      const log = match.named('log')!;
      const { amount1, amount2 } = coffee.withdraw_liquidity_succeeded.read(log);
      const paidOut = [
        readPaidOut(match.named('first')!, amount1),
        readPaidOut(match.named('second')!, amount2),
      ];
      return {
        source: owner,
        source_secondary: wallet,
        destination: log.message.source,
        asset,
        ...withdrawalColumns(paidOut, { dex: 'coffee', lp_tokens_burnt: amount, is_refund: false }),
      };
    },
  },
  // Deploys a vault for an asset.
  {
    type: 'coffee_create_vault',
    calls: [coffee.create_vault],
    around: {
      each: call(coffee.deploy, {
        each: call(coffeeOther.provide_wallet_address, {
          each: call(coffeeOther.take_wallet_address, { optional: true }),
          optional: true,
        }),
        as: 'vault',
      }),
    },
    build(block, match) {
      const asset = coffeeMaster(coffee.create_vault.read(block).asset);
      const { source, value } = block.message;
      return { source, destination: match.named('vault')!.message.destination, asset, value };
    },
  },
  // One side of the first deposit of a pool that does not exist yet.
  {
    type: 'coffee_create_pool_creator',
    calls: [coffee.create_pool_creator_request],
    around: {
      each: call(coffee.deploy, { as: 'creator' }),
      previous: broughtBy(coffee.create_pool, coffee.create_pool_extra),
    },
    build(_block, match) {
      const { request, ...side } = readFirstSide(match.named('in')!);
      const pool = assetsOf(request.params);
      const creator = match.named('creator')!.message.destination;
      const blockData: PoolCreatorData = { ...side, pool, creator };
      return {
        source: side.sender,
        source_secondary: side.wallet,
        destination: request.creation_params.public.recipient,
        destination_secondary: creator,
        asset: side.asset,
        asset2: pool[0],
        asset2_secondary: pool[1],
        amount: side.amount,
        blockData,
      };
    },
  },
  // The side that completes the first deposit deploys the pool.
  {
    type: 'coffee_create_pool',
    test: (block) => block.type === 'coffee_create_pool_creator',
    around: {
      each: call(coffee.create_pool_request, {
        each: call(coffee.deploy, {
          next: [
            call(jetton.internal_transfer),
            call(coffee.deposit_liquidity_succeeded, { as: 'log' }),
            call(coffee.notification, {
              each: call(coffeeOther.after_notification, { optional: true }),
              optional: true,
            }),
          ],
          as: 'pool',
        }),
        as: 'request',
      }),
    },
    build(block, match) {
      const { sender, wallet, asset, amount, creator, pool } = block.data as PoolCreatorData;
      const request = coffee.create_pool_request.read(match.named('request')!);
      const amounts = [request.amount1, request.amount2];
      const initiators = [sender, request.tx_initiator];
      const isSecond = asset !== pool[0] && asset === pool[1];
      const [own, other] = isSecond ? pool.toReversed() : pool;
      const [amount1, amount2] = isSecond ? amounts.toReversed() : amounts;
      const [initiator1, initiator2] = isSecond ? initiators.toReversed() : initiators;
      return {
        source: sender,
        source_secondary: wallet,
        destination: match.named('pool')!.message.destination,
        destination_secondary: creator,
        asset: own ?? null,
        asset2: other ?? null,
        amount,
        data: {
          coffee_create_pool_data: {
            amount_1: amount1!,
            amount_2: amount2!,
            initiator_1: initiator1!,
            initiator_2: initiator2!,
            provided_asset: asset,
            lp_tokens_minted: coffee.deposit_liquidity_succeeded.read(match.named('log')!).lp_amount,
            pool_creator_contract: null,
          },
        },
      };
    },
  },
  // MEV protection holds the funds before a swap; the fee that is sent beside belongs to it.
  {
    type: 'coffee_mev_protect_hold_funds',
    test: (block) => carries(block, coffee.mev_protect_hold_funds),
    around: { previous: blockThat(() => true, { each: call(coffeeOther.service_fee), optional: true }) },
    build: readHeld,
  },
  // MEV protection returns the funds. The action has no further columns.
  {
    type: 'coffee_mev_protect_failed_swap',
    test: (block) => carries(block, coffee.mev_protect_failed_swap),
    build(block) {
      const body =
        block.type === 'jetton_transfer' ? jettonTransferOf(block).request.payload() : block.node.body();
      if (!body) throw new RuleMismatch('transfer without a payload');
      coffee.mev_protect_failed_swap.open(body).through('recipient');
      return {};
    },
  },
  // Locks jettons for a position NFT.
  {
    type: 'coffee_staking_deposit',
    test: (block) => block.type === 'jetton_transfer',
    around: {
      each: call(coffee.staking_deposit, {
        // The pool also emits a log.
        next: [
          call(coffee.staking_deposit, { optional: true, as: 'log' }),
          blockOf('nft_mint', { as: 'position' }),
        ],
        as: 'pool',
      }),
    },
    build(block, match) {
      const { sender, senderWallet, receiverWallet, asset, amount } = jettonTransferOf(block);
      const pool = match.named('pool')!;
      const position = match.named('position')!;
      const { item, index } = nftMintOf(position);
      return {
        source: sender,
        source_secondary: senderWallet,
        destination: pool.message.destination,
        destination_secondary: receiverWallet,
        asset,
        amount,
        data: { coffee_staking_deposit_data: { minted_item_address: item, minted_item_index: index } },
        members: [block, pool, position, match.named('log')],
      };
    },
  },
  // Returns locked jettons. The same opcode is used all the way from the owner to the vault.
  {
    type: 'coffee_staking_withdraw',
    calls: [coffeeOther.staking_withdraw],
    around: {
      each: call(coffeeOther.staking_withdraw, {
        next: [
          call(coffeeOther.staking_withdraw, {
            next: [blockOf('jetton_transfer', { as: 'transfer' })],
            as: 'vault',
          }),
          call(coffeeOther.staking_withdraw, { optional: true, as: 'log' }),
        ],
        as: 'pool',
      }),
    },
    build(block, match) {
      const pool = match.named('pool')!;
      const vault = match.named('vault')!;
      const transfer = match.named('transfer')!;
      const { nft_index, owner, points } = coffeeOther.staking_withdraw_position.read(pool);
      const { wallet, amount } = coffeeOther.staking_withdraw_payment.read(vault).through('receiver');
      const { asset, receiverWallet } = jettonTransferOf(transfer);
      const nft_address = block.message.destination;
      return {
        source: owner,
        source_secondary: receiverWallet,
        destination: pool.message.source,
        destination_secondary: wallet,
        asset,
        amount,
        data: { coffee_staking_withdraw_data: { nft_address, nft_index, points } },
        members: [block, pool, vault, transfer, match.named('log')],
      };
    },
  },
  // Pays out staking rewards.
  {
    type: 'coffee_staking_claim_rewards',
    calls: [coffee.staking_claim_rewards],
    around: {
      next: [
        blockOf('jetton_transfer', { as: 'transfer' }),
        call(coffee.staking_claim_rewards, { optional: true, as: 'log' }),
      ],
    },
    build(block, match) {
      const { jetton_wallet, jetton_amount, receiver } = coffee.staking_claim_rewards.read(block);
      const transfer = match.named('transfer')!;
      const { asset, receiverWallet } = jettonTransferOf(transfer);
      return {
        source: block.message.destination,
        source_secondary: jetton_wallet,
        destination: receiver,
        destination_secondary: receiverWallet,
        asset,
        amount: jetton_amount,
        members: [block, transfer, match.named('log')],
      };
    },
  },
];
