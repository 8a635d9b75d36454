import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import { type Block, type BlockContent, compose } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { anyOf, blockOf, call, type Found, type Pattern, repeated } from '../../rules/pattern.ts';
import { readAccount, readAmount, readMaybeRef, readSomeAccount } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { joinDepositSides } from '../dex/deposit-sides.ts';
import {
  type DexTransfer,
  depositColumns,
  dexTransferOf,
  type Excess,
  excessColumns,
  inOrderOfTime,
  type Payout,
  type PeerSwap,
  readDedustAsset,
  swapBlock,
  withdrawalColumns,
} from '../dex/transfers.ts';
import {
  JETTON_BURN,
  JETTON_BURN_NOTIFICATION,
  JETTON_INTERNAL_TRANSFER,
  JETTON_NOTIFICATION,
  JETTON_TRANSFER,
  jettonTransferOf,
} from '../jettons/rules.ts';

const NATIVE_SWAP = 0xea06185d;
const SWAP_PAYLOAD = 0xe3a0d482;
const SWAP_EXTERNAL = 0x61ee542d;
const SWAP_PEER = 0x72aca8aa;
const SWAP_LOG = 0x9c610de3;
/** Payout request of a pool to a vault. */
const DEDUST_PAY_OUT = 0xad4eb6f5;
/** Payout of the TON vault. */
const DEDUST_TON_PAYOUT = 0x474f86cf;

const log = call(SWAP_LOG, { optional: true });
const swapPayout = call(DEDUST_PAY_OUT, {
  each: anyOf([blockOf('jetton_transfer'), call(DEDUST_TON_PAYOUT)]),
});
const hop = anyOf([call(SWAP_PEER, { next: [log] }), call(SWAP_EXTERNAL, { next: [log] })]);

interface Given {
  readonly incoming: DexTransfer;
  /** The slice of the first pool of the route. */
  readonly steps: Slice;
}

function readGiven(before: Block): Given {
  if (before.type === 'jetton_transfer') {
    const { request } = jettonTransferOf(before);
    const steps = request.payloadOpcode === SWAP_PAYLOAD ? request.payload() : undefined;
    if (!steps) throw new RuleMismatch('not a swap transfer');
    steps.skip(32);
    return { incoming: dexTransferOf(before), steps };
  }
  const steps = before.bodyAfterOpcode();
  steps.uint64();
  const amount = steps.coins();
  const { source, destination } = before.message;
  const wallets = { sourceWallet: null, destinationWallet: null };
  return { incoming: { asset: null, amount, source, destination, ...wallets }, steps };
}

/** The end of a route through pools. */
function wantedAsset(given: string | null, steps: Slice, interfaces: Interfaces): string | null {
  let asset = given;
  for (let step: Slice | undefined = steps; step; step = readNextStep(step)) {
    const pool = interfaces.dedustPool(readSomeAccount(step));
    if (!pool) throw new RuleMismatch('unknown pool');
    const other = pool.assets.find(({ isTon, address }) => (isTon ? null : address) !== asset);
    if (other) asset = other.isTon ? null : other.address;
  }
  return asset;
}

function readNextStep(step: Slice): Slice | undefined {
  step.boolean();
  step.coins();
  return readMaybeRef(step);
}

function outgoingOf(found: Found, sender: string | null): DexTransfer {
  const [order, ...more] = found.blocks.filter((block) => block.calls(DEDUST_PAY_OUT));
  if (!order || more.length > 0) throw new RuleMismatch('exactly one payment expected');
  const amount = readDedustPayOut(order);
  let outgoing: DexTransfer = {
    asset: null,
    amount,
    source: null,
    sourceWallet: null,
    destination: sender,
    destinationWallet: null,
  };
  for (const paid of order.next.filter((block) => found.blocks.includes(block))) {
    if (paid.type === 'jetton_transfer') outgoing = dexTransferOf(paid);
    else if (paid.calls(DEDUST_TON_PAYOUT)) {
      const { source, destination } = paid.message;
      outgoing = { ...outgoing, asset: null, source, destination };
    }
  }
  return outgoing;
}

/** The amount of the payout request of a pool. */
function readDedustPayOut(order: Block): bigint {
  const body = order.bodyAfterOpcode();
  body.uint64();
  body.refSlice();
  return body.coins();
}

function readLog(block: Block): PeerSwap {
  const body = block.bodyAfterOpcode();
  const assetIn = readDedustAsset(body);
  const assetOut = readDedustAsset(body);
  return { assetIn, assetOut, amountIn: body.coins(), amountOut: body.coins() };
}

/** Every requested pool has emitted its swap log. */
function isDone(blocks: readonly Block[]): boolean {
  const requested = blocks.filter((block) => block.calls(SWAP_EXTERNAL, SWAP_PEER));
  const logs = new Set(blocks.filter((block) => block.calls(SWAP_LOG)));
  return requested.every(({ next }) => next.some((one) => logs.has(one)));
}

/** A DeDust swap through one or several pools. */
export const dedustSwap: Rule = {
  name: 'DeDust swap',
  test: (block) => block.calls(SWAP_EXTERNAL),
  around: {
    next: [anyOf([swapPayout, repeated(hop, swapPayout)]), log],
    previous: anyOf([blockOf('jetton_transfer'), call(NATIVE_SWAP)]),
  },
  build(block, found, { interfaces }) {
    const { incoming, steps } = readGiven(block.previous!);
    const outgoing = outgoingOf(found, incoming.source);
    const destinationAsset = wantedAsset(incoming.asset, steps, interfaces);
    const logs = inOrderOfTime(found.blocks.filter((one) => one.calls(SWAP_LOG)));
    const peers = logs.map(readLog);
    const [first, last] = [peers[0], peers.at(-1)];
    const data = {
      dex: 'dedust' as const,
      sender: incoming.source,
      // The logs of the pools take precedence over the messages.
      incoming: first ? { ...incoming, asset: first.assetIn, amount: first.amountIn } : incoming,
      outgoing: last ? { ...outgoing, asset: last.assetOut, amount: last.amountOut } : outgoing,
      peerSwaps: peers.length > 1 ? peers : [],
      sourceAsset: incoming.asset,
      destinationAsset,
    };
    const blocks = [block, ...found.blocks];
    compose(swapBlock(data, !isDone(blocks)), blocks);
  },
};

/** TON deposit to the TON vault. */
const DEDUST_DEPOSIT_TON = 0xd55e4686;
/** A vault notifies the factory of a deposit. */
const DEDUST_ASK_FACTORY = 0xf04ec526;
/** The factory deploys the contract that collects both sides of a deposit. */
const DEDUST_DEPLOY = 0x9b3aa3fa;
/** The factory notifies that contract of a deposit. */
const DEDUST_TOP_UP = 0x54240fe5;
/** That contract has both sides. */
const DEDUST_DEPOSIT_TO_POOL = 0xb56b9598;
/** The pool rejects them. */
const DEDUST_REJECT = 0xe1a36cd4;

/** One side of a deposit. TON is a null asset. */
interface DedustDepositSide {
  readonly asset: string | null;
  readonly amount: bigint;
  readonly wallet: string | null;
}

/** A deposit as shown by the messages of one or both of its sides. */
interface DedustDepositData {
  readonly sender: string | null;
  readonly pool: string | null;
  /** The contract that collects both sides. */
  readonly contract: string | null;
  readonly sides: readonly DedustDepositSide[];
  /** Target amounts in pool order. */
  readonly targetAssets: readonly (string | null)[];
  readonly targetAmounts: readonly bigint[];
  readonly minted: bigint | null;
  /** Null while the deposit is incomplete. */
  readonly excesses: readonly Excess[] | null;
}

/** TON or jettons arrive at the vault: `brought`, with the `internal` transfer and its `request`. */
const dedustBrought: Pattern = anyOf([
  call(DEDUST_DEPOSIT_TON, { as: 'brought' }),
  call(JETTON_NOTIFICATION, {
    previous: call(JETTON_INTERNAL_TRANSFER, {
      previous: call(JETTON_TRANSFER, { as: 'request' }),
      as: 'internal',
    }),
    as: 'brought',
  }),
]);

/** The block of a deposit; its type shows whether it is the first side only. */
function dedustDepositBlock(
  type: 'dedust_deposit_liquidity' | 'dedust_deposit_liquidity_partial',
  data: DedustDepositData,
  failed: boolean,
): BlockContent<DedustDepositData> {
  return { type, data, failed, describe: (block) => describeDeposit(block.data as DedustDepositData) };
}

function describeDeposit({ sender, pool, contract, sides, minted, excesses, ...targets }: DedustDepositData) {
  const [first, second] = sides;
  const [asset1, asset2] = targets.targetAssets;
  const [amount1, amount2] = targets.targetAmounts;
  return {
    source: sender,
    destination: pool,
    destination_secondary: contract,
    ...depositColumns({
      dex: 'dedust',
      asset1: first?.asset ?? null,
      amount1: first?.amount ?? null,
      asset2: second?.asset ?? null,
      amount2: second?.amount ?? null,
      user_jetton_wallet_1: first?.wallet ?? null,
      user_jetton_wallet_2: second?.wallet ?? null,
      target_asset_1: asset1 ?? null,
      target_amount_1: amount1 ?? null,
      target_asset_2: asset2 ?? null,
      target_amount_2: amount2 ?? null,
      lp_tokens_minted: minted,
      vault_excesses: excesses && excessColumns(excesses),
    }),
  };
}

const DESTROY = 0xaae79256;
const RETURN_EXCESS = 0x6b0b787f;

const jettonsBack = call(JETTON_TRANSFER, {
  each: call(JETTON_INTERNAL_TRANSFER, { each: call(JETTON_NOTIFICATION, { optional: true }) }),
  optional: true,
  as: 'jettons back',
});
const vaultBack = call(RETURN_EXCESS, {
  next: [jettonsBack, call(DEDUST_TON_PAYOUT, { optional: true, as: 'TON back' })],
  optional: true,
});
const back = [blockOf('ton_transfer', { optional: true }), vaultBack, vaultBack];

function readDepositToPool(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  body.refSlice();
  const owner = readAccount(body);
  body.coins();
  const targets = body.refSlice();
  const read = () => ({ asset: readDedustAsset(targets), amount: targets.coins() });
  const [first, second] = [read(), read()];
  return {
    owner,
    targetAssets: [first.asset, second.asset],
    targetAmounts: [first.amount, second.amount],
  };
}

function readBrought(block: Block, interfaces: Interfaces): Omit<DedustDepositSide, 'wallet'> {
  const amount = readAmount(block);
  if (block.calls(DEDUST_DEPOSIT_TON)) return { asset: null, amount };
  const vaultWallet = interfaces.jettonWallet(block.message.source ?? '');
  if (!vaultWallet) throw new RuleMismatch('unknown vault wallet');
  return { asset: vaultWallet.jetton, amount };
}

/** What was returned to the depositor, and the blocks of transfers to unknown wallets. */
function readExcesses(found: Found, owner: string | null, interfaces: Interfaces) {
  const excesses: Excess[] = [];
  for (const { message } of found.allNamed('TON back')) {
    if (message.destination === owner) excesses.push({ asset: null, amount: message.value ?? 0n });
  }
  const unknown = new Set<Block>();
  for (const transfer of found.allNamed('jettons back')) {
    const internal = transfer.next.find((one) => one.calls(JETTON_INTERNAL_TRANSFER));
    const wallet = interfaces.jettonWallet(internal?.message.destination ?? '');
    if (!internal || !wallet) for (const block of transfer.walk()) unknown.add(block);
    else if (wallet.owner === owner) {
      excesses.push({ asset: wallet.jetton, amount: readAmount(internal) });
    }
  }
  return { excesses, unknown };
}

/** The jetton wallet that sent an asset, if it belongs to the depositor. */
function walletOf(found: Found, owner: string | null, asset: string | null, interfaces: Interfaces) {
  const request = found.named('request')?.message;
  if (!request || request.source !== owner) return null;
  const { destination } = request;
  return interfaces.jettonWallet(destination ?? '')?.jetton === asset ? destination : null;
}

/** The side that completes a DeDust deposit: the pool mints LP jettons, or rejects it. */
export const dedustDeposit: Rule = {
  name: 'DeDust deposit',
  test: (block) => block.calls(DEDUST_DEPOSIT_TO_POOL),
  around: {
    next: [
      anyOf([
        call(JETTON_INTERNAL_TRANSFER, { each: call(JETTON_NOTIFICATION, { optional: true }), as: 'minted' }),
        call(DEDUST_REJECT, { next: back }),
      ]),
      call(DESTROY, { next: back, optional: true }),
    ],
    previous: call(DEDUST_TOP_UP, {
      previous: call(DEDUST_ASK_FACTORY, {
        each: call(DEDUST_DEPLOY, { optional: true }),
        previous: dedustBrought,
      }),
    }),
  },
  build(block, found, { interfaces }) {
    const { owner, targetAssets, targetAmounts } = readDepositToPool(block);
    const side = readBrought(found.named('brought')!, interfaces);
    const minted = found.named('minted');
    const { excesses, unknown } = readExcesses(found, owner, interfaces);
    const data = {
      sender: owner,
      pool: block.message.destination,
      contract: block.message.source,
      sides: [{ ...side, wallet: walletOf(found, owner, side.asset, interfaces) }],
      targetAssets,
      targetAmounts,
      minted: minted ? readAmount(minted) : null,
      excesses,
    };
    const members = found.blocks.filter((one) => !unknown.has(one));
    compose(dedustDepositBlock('dedust_deposit_liquidity', data, !minted), [block, ...members]);
  },
};

const DEPOSIT_PAYLOAD = 0x40e108d6;

type Brought = Pick<DedustDepositData, 'sender' | 'sides' | 'targetAssets' | 'targetAmounts'>;

/** The assets of the pool, after the bit of its kind. */
function readPoolAssets(slice: Slice) {
  slice.boolean();
  return [readDedustAsset(slice), readDedustAsset(slice)];
}

/** The target amount of each asset, after the minimum LP amount. */
function readTargetAmounts(slice: Slice) {
  slice.coins();
  return [slice.coins(), slice.coins()];
}

function readTon(block: Block): Brought {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  const targetAssets = readPoolAssets(body);
  const targetAmounts = readTargetAmounts(body.refSlice());
  const sides = [{ asset: null, amount, wallet: null }];
  return { sender: block.message.source, sides, targetAssets, targetAmounts };
}

function readJettons(block: Block, found: Found, interfaces: Interfaces): Brought {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  const sender = readAccount(body);
  const payload = body.refSlice();
  if (payload.uint(32) !== DEPOSIT_PAYLOAD) throw new RuleMismatch('not a deposit transfer');
  const targetAssets = readPoolAssets(payload);
  const targetAmounts = readTargetAmounts(payload);
  const vaultWallet = interfaces.jettonWallet(block.message.source ?? '');
  if (!vaultWallet) throw new RuleMismatch('unknown vault wallet');
  const wallet = found.named('internal')!.message.source;
  return { sender, sides: [{ asset: vaultWallet.jetton, amount, wallet }], targetAssets, targetAmounts };
}

/** The first side of a DeDust deposit, which waits for the other. */
export const dedustFirstDeposit: Rule = {
  name: 'DeDust deposit, first side',
  test: (block) => block.calls(DEDUST_TOP_UP),
  around: {
    previous: call(DEDUST_ASK_FACTORY, { each: call(DEDUST_DEPLOY), previous: dedustBrought }),
  },
  build(block, found, { interfaces }) {
    // A complete deposit that its own rule did not match.
    if (block.next.some((one) => one.calls(DEDUST_DEPOSIT_TO_POOL, DEDUST_REJECT))) return;
    const brought = found.named('brought')!;
    const data = {
      ...(brought.calls(DEDUST_DEPOSIT_TON) ? readTon(brought) : readJettons(brought, found, interfaces)),
      pool: null,
      contract: block.message.destination,
      minted: null,
      excesses: null,
    };
    compose(dedustDepositBlock('dedust_deposit_liquidity_partial', data, false), [block, ...found.blocks]);
  },
};

/** Joins the two sides of liquidity deposits that use the same deposit contract. */
export function joinDedustDeposits(blocks: readonly Block[]): Block[] {
  return joinDepositSides<DedustDepositData>(blocks, {
    first: 'dedust_deposit_liquidity_partial',
    final: 'dedust_deposit_liquidity',
    contractOf: ({ contract }) => contract,
    joinData,
  });
}

function joinData(first: DedustDepositData, final: DedustDepositData): DedustDepositData | undefined {
  const sides = [...first.sides, ...final.sides];
  const assets = sides.map(({ asset }) => asset);
  if (!isSame(assets, first.targetAssets) || !isSame(assets, final.targetAssets)) return undefined;
  // The amounts stay in pool order, as clients expect.
  return { ...final, sides, targetAssets: assets };
}

/** Whether both are the same two different assets, in any order. */
function isSame(assets: readonly (string | null)[], others: readonly (string | null)[]): boolean {
  const both = new Set([...assets, ...others]);
  return both.size === 2 && new Set(assets).size === 2 && new Set(others).size === 2;
}

function withdrawalPayout(as: string): Pattern {
  const paid = anyOf([call(DEDUST_TON_PAYOUT, { as }), blockOf('jetton_transfer', { as })]);
  return call(DEDUST_PAY_OUT, { each: paid });
}

function readPaidOut(block: Block | undefined): Payout {
  if (!block?.previous) throw new RuleMismatch('no payout');
  const amount = readDedustPayOut(block.previous);
  if (block.type !== 'jetton_transfer') {
    const dexWallet = block.message.source;
    return { asset: null, amount, dexWallet, dexJettonWallet: null, userJettonWallet: null };
  }
  const { asset, sender, senderWallet, receiverWallet } = jettonTransferOf(block);
  return {
    asset,
    amount,
    dexWallet: sender,
    dexJettonWallet: senderWallet,
    userJettonWallet: receiverWallet,
  };
}

/** Burns DeDust LP jettons for both assets of the pool. */
export const dedustWithdraw: Rule = {
  name: 'DeDust withdrawal',
  test: (block) => block.calls(JETTON_BURN),
  around: {
    each: call(JETTON_BURN_NOTIFICATION, {
      next: [withdrawalPayout('first'), withdrawalPayout('second')],
    }),
  },
  build(block, found, { interfaces }) {
    const body = block.bodyAfterOpcode();
    body.uint64();
    const burnt = body.coins();
    skipMsgAddress(body);
    const { source, destination: wallet } = block.message;
    const share = interfaces.jettonWallet(wallet ?? '');
    if (!share) return;
    const pool = found.call(JETTON_BURN_NOTIFICATION)!.message.destination;
    const paidOut = [readPaidOut(found.named('first')), readPaidOut(found.named('second'))];
    const describe = () => ({
      source,
      source_secondary: wallet,
      destination: pool,
      asset: share.jetton,
      ...withdrawalColumns(paidOut, { dex: 'dedust', lp_tokens_burnt: burnt, is_refund: false }),
    });
    compose({ type: 'dex_withdraw_liquidity', data: undefined, describe }, [block, ...found.blocks]);
  },
};
