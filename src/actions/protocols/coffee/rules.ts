import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import { type Block, compose } from '../../rules/block.ts';
import { anyOf, blockOf, blockThat, call, type Pattern, repeated } from '../../rules/pattern.ts';
import { readAccount, readMaybeRef } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import {
  type DexTransfer,
  depositColumns,
  dexTransferOf,
  type Excess,
  excessColumns,
  inOrderOfTime,
  type Payout,
  type PeerSwap,
  readCoffeeAsset,
  swapBlock,
  withdrawalColumns,
} from '../dex/transfers.ts';
import { JETTON_INTERNAL_TRANSFER, jettonBurnOf, jettonTransferOf } from '../jettons/rules.ts';

/** Payout request of a pool to a vault. */
const COFFEE_PAY_OUT = 0xc0ffee21;
/** Deployment of a swap.coffee contract. */
const COFFEE_DEPLOY = 0xc0ffee22;
/** Payout of the TON vault. */
const COFFEE_TON_PAYOUT = 0xc0ffee32;
/** Log of a pool about added liquidity. */
const COFFEE_DEPOSIT_LOG = 0xc0ffee33;
/** TON with a payload of the requester. */
const COFFEE_NOTIFICATION = 0xc0ffee36;

/** A vault payout, in one of three forms. */
const paid: Pattern = anyOf([blockOf('jetton_transfer'), call(COFFEE_TON_PAYOUT), call(COFFEE_NOTIFICATION)]);

/** A vault payout, named `out`. */
const coffeeOut: Pattern = blockThat(paid.test, { as: 'out' });

/** The payout of a block that `coffeeOut` matched. */
function readCoffeeOut(out: Block): Excess {
  if (out.type !== 'jetton_transfer') return { asset: null, amount: out.message.value ?? 0n };
  const { asset, amount } = jettonTransferOf(out);
  return { asset, amount };
}

/** The two assets of a pool. */
function readCoffeePool(slice: Slice): readonly [string | null, string | null] {
  const first = readCoffeeAsset(slice);
  const second = readCoffeeAsset(slice);
  slice.skip(3);
  readMaybeRef(slice);
  return [first, second];
}

/** The LP amount that a pool minted, from its log. */
function readCoffeeMinted(log: Block): bigint {
  const body = log.bodyAfterOpcode();
  body.uint64();
  body.coins();
  body.coins();
  return body.coins();
}

/** Receiver and amount of a payout request. */
function readCoffeePayOut(order: Block): {
  readonly recipient: string | null;
  readonly amount: bigint;
} {
  const body = order.bodyAfterOpcode();
  body.uint64();
  return { recipient: readAccount(body), amount: body.coins() };
}

const NATIVE_SWAP = 0xc0ffee00;
const SWAP = 0xc0ffee20;
const SWAP_LOG = 0xc0ffee30;

const swapPayout = call(COFFEE_PAY_OUT, { each: coffeeOut, as: 'payout' });

const NO_WALLETS = { sourceWallet: null, destinationWallet: null };

function readIncoming(first: Block): DexTransfer {
  if (first.type === 'jetton_transfer') return dexTransferOf(first);
  const body = first.bodyAfterOpcode();
  body.uint64();
  const { source, destination } = first.message;
  return { asset: null, amount: body.coins(), source, destination, ...NO_WALLETS };
}

function readOutgoing(out: Block, order: Block): DexTransfer {
  if (out.type === 'jetton_transfer') return dexTransferOf(out);
  if (out.calls(COFFEE_TON_PAYOUT)) {
    const { recipient, amount } = readCoffeePayOut(order);
    return { asset: null, amount, source: order.message.source, destination: recipient, ...NO_WALLETS };
  }
  const { source, destination } = out.message;
  return { ...readCoffeeOut(out), source, destination, ...NO_WALLETS };
}

/** The log of a pool about its step of a swap: everything but the asset out. */
function readLog(swap: Block): Omit<PeerSwap, 'assetOut'> {
  const log = swap.next.find((block) => block.calls(SWAP_LOG));
  if (!log) throw new RuleMismatch('no swap log');
  const body = log.bodyAfterOpcode();
  body.uint64();
  return { assetIn: readCoffeeAsset(body), amountIn: body.coins(), amountOut: body.coins() };
}

/** A swap.coffee swap through one or several pools. */
export const coffeeSwap: Rule = {
  name: 'swap.coffee swap',
  test: (block) => block.calls(SWAP),
  around: {
    next: [call(SWAP_LOG), anyOf([repeated(call(SWAP, { each: call(SWAP_LOG) }), swapPayout), swapPayout])],
    previous: blockThat((block) => block.type === 'jetton_transfer' || block.calls(NATIVE_SWAP), {
      as: 'in',
    }),
  },
  build(block, found) {
    const out = found.named('out');
    const order = found.named('payout');
    if (!out || !order) return;
    const incoming = readIncoming(found.named('in')!);
    const outgoing = readOutgoing(out, order);
    const swaps = new Set([block, ...found.blocks.filter((one) => one.calls(SWAP))]);
    const logs = inOrderOfTime([...swaps]).map(readLog);
    const peers = logs.map((log, at) => {
      const next = logs[at + 1];
      return { ...log, assetOut: next ? next.assetIn : outgoing.asset };
    });
    const data = {
      dex: 'coffee' as const,
      sender: incoming.source,
      incoming,
      outgoing,
      peerSwaps: peers.length > 1 ? peers : [],
    };
    compose(swapBlock(data, false), [block, ...found.blocks]);
  },
};

const HOLD_FUNDS = 0x6bc79e7e;
const FAILED_SWAP = 0xee51ce51;
const SERVICE_FEE = 0xc0ffeea0;

/** A call, or a jetton transfer with its opcode in the payload. */
function hasOpcode(block: Block, opcode: number): boolean {
  if (block.type === 'jetton_transfer') return jettonTransferOf(block).request.payloadOpcode === opcode;
  return block.calls(opcode);
}

function readHeld(block: Block) {
  if (block.type === 'jetton_transfer') {
    const { sender, senderWallet, receiver, asset, amount } = jettonTransferOf(block);
    return { source: sender, source_secondary: senderWallet, destination: receiver, asset, amount };
  }
  const { source, destination, value } = block.message;
  return { source, destination, amount: value };
}

/** MEV protection holds the funds before a swap; the fee that is sent beside belongs to it. */
export const coffeeMevHoldFunds: Rule = {
  name: 'swap.coffee MEV protection',
  test: (block) => hasOpcode(block, HOLD_FUNDS),
  around: { previous: blockThat(() => true, { each: call(SERVICE_FEE), optional: true }) },
  build(block, found) {
    const held = readHeld(block);
    const describe = () => held;
    compose({ type: 'coffee_mev_protect_hold_funds', data: undefined, describe }, [block, ...found.blocks]);
  },
};

/** MEV protection returns the funds. The action has no further columns. */
export const coffeeMevFailedSwap: Rule = {
  name: 'swap.coffee MEV protection, failed swap',
  test: (block) => hasOpcode(block, FAILED_SWAP),
  build(block) {
    const body =
      block.type === 'jetton_transfer' ? jettonTransferOf(block).request.payload() : block.node.body();
    if (!body) throw new RuleMismatch('transfer without a payload');
    body.skip(32 + 64);
    skipMsgAddress(body);
    const describe = () => ({});
    compose({ type: 'coffee_mev_protect_failed_swap', data: undefined, describe }, [block]);
  },
};

const NATIVE_DEPOSIT = 0xc0ffee04;
/** A vault requests the contract that collects both sides of a deposit. */
const DEPOSITORY_REQUEST = 0xc0ffee27;
/** That contract has both sides. */
const DEPOSIT_TO_POOL = 0xc0ffee29;

function readRequest(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  body.refSlice();
  const pool = readCoffeePool(body.refSlice());
  return { amount, pool, sender: readAccount(body) };
}

/** One side of a swap.coffee deposit; the side that completes it gets the LP jettons. */
export const coffeeDeposit: Rule = {
  name: 'swap.coffee deposit',
  test: (block) => block.calls(DEPOSITORY_REQUEST),
  around: {
    each: call(COFFEE_DEPLOY, {
      each: call(DEPOSIT_TO_POOL, {
        next: [
          call(JETTON_INTERNAL_TRANSFER),
          call(COFFEE_DEPOSIT_LOG, { as: 'log' }),
          call(COFFEE_PAY_OUT, { each: coffeeOut, optional: true }),
        ],
        optional: true,
      }),
      as: 'depository',
    }),
    previous: blockThat((block) => block.type === 'jetton_transfer' || block.calls(NATIVE_DEPOSIT), {
      as: 'in',
    }),
  },
  build(block, found) {
    const first = found.named('in')!;
    const { asset, senderWallet: wallet } =
      first.type === 'jetton_transfer' ? jettonTransferOf(first) : { asset: null, senderWallet: null };
    const { amount, pool, sender } = readRequest(block);
    if (!pool.includes(asset)) return;
    // The asset of this side comes first in the request, but keeps pool order in the result.
    const isFirst = asset === pool[0];
    const targets = isFirst ? pool : pool.toReversed();
    const log = found.named('log');
    const minted = log ? readCoffeeMinted(log) : null;
    const out = found.named('out');
    const contract = found.named('depository')!.message.destination;
    const describe = () => ({
      source: sender,
      destination: log?.message.source ?? null,
      destination_secondary: contract,
      ...depositColumns({
        dex: 'coffee',
        ...(isFirst
          ? { asset1: asset, amount1: amount, user_jetton_wallet_1: wallet }
          : { asset2: asset, amount2: amount, user_jetton_wallet_2: wallet }),
        target_asset_1: targets[0]!,
        target_asset_2: targets[1]!,
        lp_tokens_minted: minted,
        vault_excesses: excessColumns(out ? [readCoffeeOut(out)] : []),
      }),
    });
    compose({ type: 'coffee_deposit_liquidity', data: undefined, describe }, [block, ...found.blocks]);
  },
};

const WITHDRAWAL_LOG = 0xc0ffee35;

function withdrawalPayout(as: string): Pattern {
  const paid = anyOf([blockOf('jetton_transfer'), call(COFFEE_TON_PAYOUT), call(COFFEE_NOTIFICATION)]);
  return call(COFFEE_PAY_OUT, { each: paid, as });
}

function readAmounts(log: Block): readonly bigint[] {
  const body = log.bodyAfterOpcode();
  body.uint64();
  return [body.coins(), body.coins()];
}

function readPaidOut(order: Block, amount: bigint): Payout {
  const dexWallet = order.message.source;
  const paid = order.next.find((block) => block.type === 'jetton_transfer' || block.calls(COFFEE_TON_PAYOUT));
  if (paid?.type !== 'jetton_transfer') {
    const userJettonWallet = paid?.message.destination ?? null;
    return { asset: null, amount, dexWallet, dexJettonWallet: null, userJettonWallet };
  }
  const { asset, senderWallet, receiverWallet } = jettonTransferOf(paid);
  return { asset, amount, dexWallet, dexJettonWallet: senderWallet, userJettonWallet: receiverWallet };
}

/** Burns swap.coffee LP jettons for both assets of the pool. */
export const coffeeWithdraw: Rule = {
  name: 'swap.coffee withdrawal',
  test: (block) => block.type === 'jetton_burn',
  around: {
    next: [withdrawalPayout('first'), withdrawalPayout('second'), call(WITHDRAWAL_LOG, { as: 'log' })],
  },
  build(block, found) {
    const { owner, wallet, asset, amount } = jettonBurnOf(block);
    const log = found.named('log')!;
    const amounts = readAmounts(log);
    const orders = [found.named('first')!, found.named('second')!];
    const paidOut = orders.map((order, at) => readPaidOut(order, amounts[at]!));
    const describe = () => ({
      source: owner,
      source_secondary: wallet,
      destination: log.message.source,
      asset,
      ...withdrawalColumns(paidOut, { dex: 'coffee', lp_tokens_burnt: amount, is_refund: false }),
    });
    compose({ type: 'dex_withdraw_liquidity', data: undefined, describe }, [block, ...found.blocks]);
  },
};

const CREATE_VAULT = 0xc0ffee06;
/** The new vault requests its wallet address from the jetton master. */
const PROVIDE_WALLET = 0x2c76b973;
const TAKE_WALLET = 0xd1735400;
const CREATE_POOL_NATIVE = 0xc0ffee02;
const CREATE_POOL_EXTRA = 0xc0ffee03;
const POOL_CREATOR_REQUEST = 0xc0ffee23;
const CREATE_POOL = 0xc0ffee25;
const AFTER_NOTIFICATION = 0xb216d31f;

/** Deploys a vault for an asset. */
export const coffeeCreateVault: Rule = {
  name: 'swap.coffee vault',
  test: (block) => block.calls(CREATE_VAULT),
  around: {
    each: call(COFFEE_DEPLOY, {
      each: call(PROVIDE_WALLET, { each: call(TAKE_WALLET, { optional: true }), optional: true }),
      as: 'vault',
    }),
  },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    body.uint64();
    const asset = readCoffeeAsset(body);
    const vault = found.named('vault')!.message.destination;
    const { source, value } = block.message;
    const describe = () => ({ source, destination: vault, asset, value });
    compose({ type: 'coffee_create_vault', data: undefined, describe }, [block, ...found.blocks]);
  },
};

interface PoolCreatorData {
  readonly sender: string | null;
  readonly wallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
  readonly recipient: string | null;
  /** The contract that collects both sides of the first deposit. */
  readonly creator: string | null;
  readonly pool: readonly [string | null, string | null];
}

type FirstSide = Pick<PoolCreatorData, 'sender' | 'wallet' | 'asset' | 'amount'> & { readonly params: Slice };

function readFirstSide(first: Block): FirstSide {
  if (first.type === 'jetton_transfer') {
    const { sender, senderWallet, asset, amount, request } = jettonTransferOf(first);
    const params = request.payload();
    if (!params) throw new RuleMismatch('transfer without a payload');
    params.skip(32);
    return { sender, wallet: senderWallet, asset, amount, params };
  }
  if (first.calls(CREATE_POOL_EXTRA)) throw new RuleMismatch('neither TON nor a jetton');
  const params = first.bodyAfterOpcode();
  params.uint64();
  return { sender: first.message.source, wallet: null, asset: null, amount: params.coins(), params };
}

const givesFirstSide = (block: Block) =>
  block.type === 'jetton_transfer' || block.calls(CREATE_POOL_NATIVE, CREATE_POOL_EXTRA);

/** One side of the first deposit of a pool that does not exist yet. */
export const coffeeCreatePoolCreator: Rule = {
  name: 'swap.coffee pool creator',
  test: (block) => block.calls(POOL_CREATOR_REQUEST),
  around: {
    each: call(COFFEE_DEPLOY, { as: 'creator' }),
    previous: blockThat(givesFirstSide, { as: 'in' }),
  },
  build(block, found) {
    const { params, ...side } = readFirstSide(found.named('in')!);
    const pool = readCoffeePool(params);
    const recipient = readAccount(params);
    const creator = found.named('creator')!.message.destination;
    const data: PoolCreatorData = { ...side, pool, recipient, creator };
    const describe = () => ({
      source: data.sender,
      source_secondary: data.wallet,
      destination: data.recipient,
      destination_secondary: data.creator,
      asset: data.asset,
      asset2: pool[0],
      asset2_secondary: pool[1],
      amount: data.amount,
    });
    compose({ type: 'coffee_create_pool_creator', data, describe }, [block, ...found.blocks]);
  },
};

function readCreatePool(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  return { amounts: [body.coins(), body.coins()], initiator: readAccount(body) };
}

/** The side that completes the first deposit deploys the pool. */
export const coffeeCreatePool: Rule = {
  name: 'swap.coffee pool',
  test: (block) => block.type === 'coffee_create_pool_creator',
  around: {
    each: call(CREATE_POOL, {
      each: call(COFFEE_DEPLOY, {
        next: [
          call(JETTON_INTERNAL_TRANSFER),
          call(COFFEE_DEPOSIT_LOG, { as: 'log' }),
          call(COFFEE_NOTIFICATION, { each: call(AFTER_NOTIFICATION, { optional: true }), optional: true }),
        ],
        as: 'pool',
      }),
      as: 'request',
    }),
  },
  build(block, found) {
    const { sender, wallet, asset, amount, creator, pool } = block.data as PoolCreatorData;
    const { amounts, initiator } = readCreatePool(found.named('request')!);
    const minted = readCoffeeMinted(found.named('log')!);
    const isSecond = asset !== pool[0] && asset === pool[1];
    const [own, other] = isSecond ? pool.toReversed() : pool;
    const [amount1, amount2] = isSecond ? amounts.toReversed() : amounts;
    const [initiator1, initiator2] = isSecond ? [initiator, sender] : [sender, initiator];
    const describe = () => ({
      source: sender,
      source_secondary: wallet,
      destination: found.named('pool')!.message.destination,
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
          lp_tokens_minted: minted,
          pool_creator_contract: null,
        },
      },
    });
    compose({ type: 'coffee_create_pool', data: undefined, describe }, [block, ...found.blocks]);
  },
};
