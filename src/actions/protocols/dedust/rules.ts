import { type Block, compose } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { anyOf, blockOf, call, type Match, type Pattern, repeated } from '../../rules/pattern.ts';
import { someAccount } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { type DepositData, type DepositSides, depositBlock } from '../dex/deposit-sides.ts';
import {
  type DepositSide,
  type DexTransfer,
  depositColumns,
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
import { jettonTransferOf } from '../jettons/rules.ts';
import { dedust, dedustLog, dedustMaster, dedustPayload } from './layouts.ts';

const log = call(dedustLog.swap, { optional: true });
const swapPayout = call(dedust.pay_out_from_pool, {
  each: anyOf([blockOf('jetton_transfer'), call(dedust.payout)]),
});
const hop = anyOf([call(dedust.swap_peer, { next: [log] }), call(dedust.swap_external, { next: [log] })]);

type Step = Pick<ReturnType<typeof dedust.swap.read>, 'pool_addr' | 'params'>;

function readGiven(before: Block): { readonly incoming: DexTransfer; readonly route: Step } {
  if (before.type === 'jetton_transfer') {
    const route = dedustPayload.swap.match(jettonTransferOf(before).request.payload());
    if (!route) throw new RuleMismatch('not a swap transfer');
    return { incoming: dexTransferOf(before), route };
  }
  const route = dedust.swap.read(before);
  return { incoming: tonSide(before, route.amount), route };
}

/** The end of a route through pools. */
function wantedAsset(given: string | null, route: Step, interfaces: Interfaces): string | null {
  let asset = given;
  for (let step: Step | undefined = route; step; step = step.params.next) {
    const pool = interfaces.dedustPool(someAccount(step.pool_addr));
    if (!pool) throw new RuleMismatch('unknown pool');
    const other = pool.assets.find(({ isTon, address }) => (isTon ? null : address) !== asset);
    if (other) asset = other.isTon ? null : other.address;
  }
  return asset;
}

function outgoingOf(match: Match, sender: string | null): DexTransfer {
  const [order, ...more] = match.blocks.filter((block) => block.calls(dedust.pay_out_from_pool));
  if (!order || more.length > 0) throw new RuleMismatch('exactly one payment expected');
  let outgoing: DexTransfer = {
    asset: null,
    amount: dedust.pay_out_from_pool.read(order).amount,
    source: null,
    sourceWallet: null,
    destination: sender,
    destinationWallet: null,
  };
  for (const paid of order.next.filter((block) => match.blocks.includes(block))) {
    if (paid.type === 'jetton_transfer') outgoing = dexTransferOf(paid);
    else if (paid.calls(dedust.payout)) {
      const { source, destination } = paid.message;
      outgoing = { ...outgoing, asset: null, source, destination };
    }
  }
  return outgoing;
}

function readLog(block: Block): PeerSwap {
  const { asset_in, asset_out, amount_in, amount_out } = dedustLog.swap.read(block);
  return { asset_in: dedustMaster(asset_in), amount_in, asset_out: dedustMaster(asset_out), amount_out };
}

/** Every requested pool has emitted its swap log. */
function isDone(blocks: readonly Block[]): boolean {
  const requested = blocks.filter((block) => block.calls(dedust.swap_external, dedust.swap_peer));
  const logs = new Set(blocks.filter((block) => block.calls(dedustLog.swap)));
  return requested.every(({ next }) => next.some((one) => logs.has(one)));
}

/** A DeDust swap through one or several pools. */
export const dedustSwap: Rule = {
  type: 'jetton_swap',
  calls: [dedust.swap_external],
  around: {
    next: [anyOf([swapPayout, repeated(hop, swapPayout)]), log],
    previous: anyOf([blockOf('jetton_transfer'), call(dedust.swap)]),
  },
  build(block, match, { interfaces }) {
    const { incoming, route } = readGiven(block.previous!);
    const outgoing = outgoingOf(match, incoming.source);
    const destinationAsset = wantedAsset(incoming.asset, route, interfaces);
    const logs = inOrderOfTime(match.blocks.filter((one) => one.calls(dedustLog.swap)));
    const peers = logs.map(readLog);
    const [first, last] = [peers[0], peers.at(-1)];
    const columns = swapColumns({
      dex: 'dedust',
      // The logs of the pools take precedence over the messages.
      incoming: first ? { ...incoming, asset: first.asset_in, amount: first.amount_in } : incoming,
      outgoing: last ? { ...outgoing, asset: last.asset_out, amount: last.amount_out } : outgoing,
      peerSwaps: peers.length > 1 ? peers : [],
      sourceAsset: incoming.asset,
      destinationAsset,
    });
    return { ...columns, success: isDone([block, ...match.blocks]) };
  },
};

/** A deposit as shown by the messages of one or both of its sides. */
interface DedustDepositData extends DepositData {
  readonly sides: readonly DepositSide[];
  /** Target amounts in pool order. */
  readonly targetAssets: readonly (string | null)[];
  readonly targetAmounts: readonly bigint[];
}

/** TON or jettons arrive at the vault: `brought`, with the `internal` transfer and its `request`. */
const dedustBrought: Pattern = anyOf([
  call(dedust.deposit_liquidity, { as: 'brought' }),
  call(jetton.notify, {
    previous: call(jetton.internal_transfer, {
      previous: call(jetton.transfer, { as: 'request' }),
      as: 'internal',
    }),
    as: 'brought',
  }),
]);

const jettonsBack = call(jetton.transfer, {
  each: call(jetton.internal_transfer, { each: call(jetton.notify, { optional: true }) }),
  optional: true,
  as: 'jettons back',
});
const vaultBack = call(dedust.pay_out_from_deposit, {
  next: [jettonsBack, call(dedust.payout, { optional: true, as: 'TON back' })],
  optional: true,
});
const back = [blockOf('ton_transfer', { optional: true }), vaultBack, vaultBack];

function readBrought(block: Block, interfaces: Interfaces): Omit<DepositSide, 'wallet'> {
  const { amount } = dedust.deposit_liquidity.read(block);
  if (block.calls(dedust.deposit_liquidity)) return { asset: null, amount };
  return { asset: vaultAsset(block, interfaces), amount };
}

/** The jetton of the wallet of a vault that notifies it. */
function vaultAsset(notification: Block, interfaces: Interfaces): string {
  const vaultWallet = interfaces.jettonWallet(notification.message.source ?? '');
  if (!vaultWallet) throw new RuleMismatch('unknown vault wallet');
  return vaultWallet.jetton;
}

/** Returns to the depositor, and the blocks of transfers to unknown wallets. */
function readExcesses(match: Match, owner: string | null, interfaces: Interfaces) {
  const excesses: Excess[] = [];
  for (const { message } of match.allNamed('TON back')) {
    if (message.destination === owner) excesses.push({ asset: null, amount: message.value ?? 0n });
  }
  const unknown = new Set<Block>();
  for (const transfer of match.allNamed('jettons back')) {
    const internal = transfer.next.find((one) => one.calls(jetton.internal_transfer));
    const wallet = interfaces.jettonWallet(internal?.message.destination ?? '');
    if (!internal || !wallet) for (const block of transfer.walk()) unknown.add(block);
    else if (wallet.owner === owner) {
      excesses.push({ asset: wallet.jetton, amount: jetton.internal_transfer.read(internal).amount });
    }
  }
  return { excesses, unknown };
}

/** The jetton wallet that sent an asset, if it belongs to the depositor. */
function walletOf(match: Match, owner: string | null, asset: string | null, interfaces: Interfaces) {
  const request = match.named('request')?.message;
  if (!request || request.source !== owner) return null;
  const { destination } = request;
  return interfaces.jettonWallet(destination ?? '')?.jetton === asset ? destination : null;
}

/** The side that completes a DeDust deposit: the pool mints LP jettons, or rejects it. */
export const dedustDeposit: Rule = {
  type: 'dedust_deposit_liquidity',
  calls: [dedust.deposit_liquidity_all],
  around: {
    next: [
      anyOf([
        call(jetton.internal_transfer, { each: call(jetton.notify, { optional: true }), as: 'minted' }),
        call(dedust.reject_deposit, { next: back }),
      ]),
      call(dedust.fulfill_deposit, { next: back, optional: true }),
    ],
    previous: call(dedust.deposit_asset, {
      previous: call(dedust.create_liquidity_deposit, {
        each: call(dedust.install, { optional: true }),
        previous: dedustBrought,
      }),
    }),
  },
  build(block, match, { interfaces }) {
    const deposit = dedust.deposit_liquidity_all.read(block);
    const { owner_addr: owner } = deposit;
    const side = readBrought(match.named('brought')!, interfaces);
    const minted = match.named('minted');
    const { excesses, unknown } = readExcesses(match, owner, interfaces);
    const data = {
      sender: owner,
      pool: block.message.destination,
      contract: block.message.source,
      sides: [{ ...side, wallet: walletOf(match, owner, side.asset, interfaces) }],
      targetAssets: [dedustMaster(deposit.asset0), dedustMaster(deposit.asset1)],
      targetAmounts: [deposit.asset0_amount, deposit.asset1_amount],
      minted: minted ? jetton.internal_transfer.read(minted).amount : null,
      excesses,
    };
    const members = match.blocks.filter((one) => !unknown.has(one));
    compose(depositBlock(dedustDepositSides, 'final', data, !minted), [block, ...members]);
  },
};

type Brought = Pick<DedustDepositData, 'sender' | 'sides' | 'targetAssets' | 'targetAmounts'>;

type PoolParams = ReturnType<typeof dedust.deposit_liquidity.read>['pool_params'];
type Targets = Pick<ReturnType<typeof dedust.deposit_liquidity.read>['deposit_params'], TargetName>;
type TargetName = 'asset0_target_balance' | 'asset1_target_balance';

function targetsOf({ asset0, asset1 }: PoolParams, amounts: Targets) {
  return {
    targetAssets: [dedustMaster(asset0), dedustMaster(asset1)],
    targetAmounts: [amounts.asset0_target_balance, amounts.asset1_target_balance],
  };
}

function readTon(block: Block): Brought {
  const { amount, pool_params, deposit_params } = dedust.deposit_liquidity.read(block);
  const sides = [{ asset: null, amount, wallet: null }];
  return { sender: block.message.source, sides, ...targetsOf(pool_params, deposit_params) };
}

function readJettons(block: Block, match: Match, interfaces: Interfaces): Brought {
  const notification = jetton.notify.read(block);
  const { amount, sender } = notification;
  // The flag of the payload is not compared.
  const payload = notification.sliceAt('forward_payload').refSlice();
  const deposit = dedustPayload.deposit.match(payload);
  if (!deposit) throw new RuleMismatch('not a deposit transfer');
  const targets = targetsOf(deposit.pool_params, deposit);
  const wallet = match.named('internal')!.message.source;
  return { sender, sides: [{ asset: vaultAsset(block, interfaces), amount, wallet }], ...targets };
}

/** The first side of a DeDust deposit, which waits for the other. */
export const dedustFirstDeposit: Rule = {
  type: 'dedust_deposit_liquidity_partial',
  calls: [dedust.deposit_asset],
  around: {
    previous: call(dedust.create_liquidity_deposit, { each: call(dedust.install), previous: dedustBrought }),
  },
  build(block, match, { interfaces }) {
    // A complete deposit that its own rule did not match.
    if (block.next.some((one) => one.calls(dedust.deposit_liquidity_all, dedust.reject_deposit))) return;
    const brought = match.named('brought')!;
    const data = {
      ...(brought.calls(dedust.deposit_liquidity)
        ? readTon(brought)
        : readJettons(brought, match, interfaces)),
      pool: null,
      contract: block.message.destination,
      minted: null,
      excesses: null,
    };
    compose(depositBlock(dedustDepositSides, 'first', data), [block, ...match.blocks]);
  },
};

export const dedustDepositSides: DepositSides<DedustDepositData> = {
  first: 'dedust_deposit_liquidity_partial',
  final: 'dedust_deposit_liquidity',
  describe({ sender, pool, contract, sides, minted, excesses, targetAssets, targetAmounts }) {
    return {
      source: sender,
      destination: pool,
      destination_secondary: contract,
      ...depositColumns(sides, excesses, {
        dex: 'dedust',
        target_asset_1: targetAssets[0] ?? null,
        target_amount_1: targetAmounts[0] ?? null,
        target_asset_2: targetAssets[1] ?? null,
        target_amount_2: targetAmounts[1] ?? null,
        lp_tokens_minted: minted,
      }),
    };
  },
  joinData(first, final) {
    const sides = [...first.sides, ...final.sides];
    const assets = sides.map(({ asset }) => asset);
    if (!isSame(assets, first.targetAssets) || !isSame(assets, final.targetAssets)) return undefined;
    // The amounts stay in pool order, as clients expect.
    return { ...final, sides, targetAssets: assets };
  },
};

/** Whether both are the same two different assets, in any order. */
function isSame(assets: readonly (string | null)[], others: readonly (string | null)[]): boolean {
  const both = new Set([...assets, ...others]);
  return both.size === 2 && new Set(assets).size === 2 && new Set(others).size === 2;
}

function withdrawalPayout(as: string): Pattern {
  const paid = anyOf([call(dedust.payout, { as }), blockOf('jetton_transfer', { as })]);
  return call(dedust.pay_out_from_pool, { each: paid });
}

function readPaidOut(block: Block | undefined): Payout {
  if (!block?.previous) throw new RuleMismatch('no payout');
  const amount = dedust.pay_out_from_pool.read(block.previous).amount;
  return block.type === 'jetton_transfer' ? { ...dexTransferOf(block), amount } : tonSide(block, amount);
}

/** Burns DeDust LP jettons for both assets of the pool. */
export const dedustWithdraw: Rule = {
  type: 'dex_withdraw_liquidity',
  calls: [jetton.burn],
  around: {
    each: call(jetton.burn_notification, {
      next: [withdrawalPayout('first'), withdrawalPayout('second')],
    }),
  },
  build(block, match, { interfaces }) {
    const { amount: burnt } = jetton.burn.read(block).through('response_destination');
    const { source, destination: wallet } = block.message;
    const share = interfaces.jettonWallet(wallet ?? '');
    if (!share) return undefined;
    const pool = match.call(jetton.burn_notification)!.message.destination;
    const paidOut = [readPaidOut(match.named('first')), readPaidOut(match.named('second'))];
    return {
      source,
      source_secondary: wallet,
      destination: pool,
      asset: share.jetton,
      ...withdrawalColumns(paidOut, { dex: 'dedust', lp_tokens_burnt: burnt, is_refund: false }),
    };
  },
};
