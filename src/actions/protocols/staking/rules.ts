import { type TonTransferData, tonTransferOf } from '../../rules/basic-blocks.ts';
import { type Block, type BlockContent, compose, plainContent } from '../../rules/block.ts';
import { anyOf, call } from '../../rules/pattern.ts';
import { readAccount, readAmount } from '../../rules/read-body.ts';
import type { Rule } from '../../rules/rule.ts';
import {
  JETTON_BURN,
  JETTON_BURN_NOTIFICATION,
  JETTON_INTERNAL_TRANSFER,
  JETTON_NOTIFICATION,
} from '../jettons/rules.ts';

const ELECTOR = `-1:${'3'.repeat(64)}`;
const NEW_STAKE = 0x4e73744b;
const STAKE_ACCEPTED = 0xf374484c;
const RECOVER_STAKE = 0x47657424;
const STAKE_RETURNED = 0xf96f7324;

/** A validator stakes for the next round; only the response of the elector confirms it. */
export const electionDeposit: Rule = {
  name: 'election deposit',
  test: (block) => block.calls(NEW_STAKE) && block.message.destination === ELECTOR,
  around: { each: call(STAKE_ACCEPTED, { as: 'response', optional: true, excess: false }) },
  build(block, found) {
    const { source, value } = block.message;
    const refused = found.named('response') === undefined;
    const content = plainContent('election_deposit', { source, amount: value }, refused);
    compose(content, [block, ...found.blocks]);
  },
};

/** A validator recovers its stake from the elector. */
export const electionRecover: Rule = {
  name: 'election recover',
  test: (block) => block.calls(RECOVER_STAKE) && block.message.destination === ELECTOR,
  around: { each: call(STAKE_RETURNED, { as: 'response', optional: true, excess: false }) },
  build(block, found) {
    const response = found.named('response');
    const columns = { source: block.message.source, amount: response?.message.value ?? null };
    const content = plainContent('election_recover', columns, response === undefined);
    compose(content, [block, ...found.blocks]);
  },
};

const PAY_WITHDRAWALS = 0x00000002;

const STAKING = { staking_data: { provider: 'nominator' } } as const;

/** A nominator deposits a stake. */
export const nominatorDeposit: Rule = {
  name: 'nominator deposit',
  test: (block) => tonTransferOf(block)?.comment === 'd',
  includesRefunds: true,
  build(block, found, { interfaces }) {
    const { source, destination, value } = block.message;
    if (!interfaces.isNominatorPool(destination ?? '')) return;
    const columns = { type: 'stake_deposit', source, destination, amount: value, data: STAKING };
    compose(plainContent('nominator_pool_deposit', columns, block.failed), [block, ...found.blocks]);
  },
};

/** A paid withdrawal, or one that waits until the pool gets its stake back. */
function withdrawal(
  source: string | null,
  pool: string | null,
  amount: bigint | null,
  failed = false,
): BlockContent {
  const type = amount === null ? 'stake_withdrawal_request' : 'stake_withdrawal';
  const columns = { type, source, destination: pool, amount, data: STAKING };
  return plainContent('nominator_pool_withdraw_request', columns, failed);
}

type Transfer = readonly [block: Block, transfer: TonTransferData];

function transfersAfter(block: Block): Transfer[] {
  return block.next.flatMap((one): Transfer[] => {
    const transfer = tonTransferOf(one);
    return transfer ? [[one, transfer]] : [];
  });
}

/** The payout of a nominator; a single transfer of no more than the sent amount is only a refund. */
function payoutAmong(transfers: readonly Transfer[], sent: bigint | null): bigint | null {
  const [first] = transfers.toSorted(([a], [b]) => Number(a.node.lt - b.node.lt));
  const amount = first?.[1].value ?? null;
  if (transfers.length === 2) return amount;
  return transfers.length === 1 && (amount ?? 0n) > (sent ?? 0n) ? amount : null;
}

/** A nominator requests a withdrawal. */
export const nominatorWithdrawal: Rule = {
  name: 'nominator withdrawal',
  test: (block) => tonTransferOf(block)?.comment === 'w',
  includesRefunds: true,
  build(block, found, { interfaces }) {
    const { source, destination, value } = block.message;
    if (!interfaces.isNominatorPool(destination ?? '')) return;
    const transfers = transfersAfter(block);
    const payments = transfers.length <= 2 ? transfers.map(([one]) => one) : [];
    const content = withdrawal(source, destination, payoutAmong(transfers, value), block.failed);
    compose(content, [block, ...found.blocks, ...payments]);
  },
};

/** The pool owner processes pending withdrawals. */
export const nominatorPayouts: Rule = {
  name: 'nominator payouts',
  test: (block) => block.calls(PAY_WITHDRAWALS),
  includesRefunds: true,
  build(block, _found, { interfaces }) {
    const pool = block.message.destination;
    if (!interfaces.isNominatorPool(pool ?? '')) return;
    for (const [one, { destination, value }] of transfersAfter(block)) {
      compose(withdrawal(destination, pool, value), [one]);
    }
  },
};

const DEPOSIT = 0x47d54391;
/** Used for the jetton minter and for the collection of payout NFTs. */
const MINT = 0x1674b0a0;
const INIT_NFT = 0x132f9a45;
const WITHDRAW = 0x319b0cdc;
const PAY_AT_ONCE = 0x0a77535c;
const START_DISTRIBUTION = 0x1140a64f;
const BURN_NFT = 0xf127fe4e;
const NFT_BURNT = 0xed58b0b2;
const DISTRIBUTED = 0xdb3b8abd;
/** The fee of a pool for a deposit. */
const DEPOSIT_FEE = 1_000_000_000n;

const PROVIDER = { provider: 'liquid_staking' } as const;

/** Data of a withdrawal. */
interface WithdrawData {
  readonly pool: string | null;
}

/** Stakes in a pool for its jettons. */
export const liquidStakingDeposit: Rule = {
  name: 'liquid staking deposit',
  test: (block) => block.calls(DEPOSIT),
  around: {
    each: call(MINT, {
      optional: true,
      each: call(JETTON_INTERNAL_TRANSFER, {
        as: 'minted',
        each: call(JETTON_NOTIFICATION, { optional: true }),
      }),
    }),
  },
  build(block, found) {
    const minted = found.named('minted');
    if (!minted) return;
    const { source, destination, value } = block.message;
    const columns = {
      type: 'stake_deposit',
      source,
      destination,
      amount: (value ?? 0n) - DEPOSIT_FEE,
      asset: minted.message.source,
      data: { staking_data: { ...PROVIDER, tokens_minted: block.failed ? null : readAmount(minted) } },
    };
    compose(plainContent('tonstakers_deposit', columns, block.failed), [block, ...found.blocks]);
  },
};

/** Burns pool jettons for an immediate payout, or for an NFT that is paid later. */
export const liquidStakingWithdrawal: Rule = {
  name: 'liquid staking withdrawal',
  test: (block) => block.calls(JETTON_BURN),
  around: {
    each: call(JETTON_BURN_NOTIFICATION, {
      each: call(WITHDRAW, {
        as: 'request',
        each: anyOf([call(PAY_AT_ONCE, { as: 'paid' }), call(MINT, { as: 'delayed' })]),
      }),
    }),
  },
  build(block, found) {
    const request = found.named('request');
    const paid = found.named('paid');
    const delayed = found.named('delayed');
    if (!request || !(paid || delayed)) return;
    const burnt = readAmount(block);
    const { source, destination: wallet } = block.message;
    const { source: asset, destination: pool } = request.message;
    const members = [block, ...found.blocks];
    if (paid) {
      const columns = {
        type: 'stake_withdrawal',
        source,
        destination: pool,
        asset,
        // The TON of the request is returned with it.
        amount: (paid.message.value ?? 0n) - (paid.previous?.message.value ?? 0n),
        data: { staking_data: { ...PROVIDER, tokens_burnt: burnt } },
      };
      const data: WithdrawData = { pool };
      compose({ ...plainContent('tonstakers_withdraw', columns, block.failed), data }, members);
      return;
    }
    const nft = delayed && findMintedNft(delayed);
    const columns = {
      type: 'stake_withdrawal_request',
      source,
      source_secondary: wallet,
      destination: pool,
      asset,
      amount: burnt,
      data: { staking_data: { ...PROVIDER, ts_nft: nft?.message.destination ?? null } },
    };
    compose(plainContent('tonstakers_withdraw_request', columns, block.failed || !nft), members);
  },
};

function findMintedNft({ next }: Block): Block | undefined {
  return next.find(({ type }) => type === 'nft_mint') ?? next.find((one) => one.calls(INIT_NFT));
}

/** The pool for which payout NFTs are burnt one after another. */
function findPool(notice: Block): string | null {
  for (let block = notice.previous; block; block = block.previous) {
    if (block.calls(START_DISTRIBUTION)) return block.message.source;
    if (block.type === 'tonstakers_withdraw') return (block.data as WithdrawData).pool;
    if (!block.calls(NFT_BURNT, BURN_NFT, DISTRIBUTED)) return null;
  }
  return null;
}

/** A payout NFT is burnt and its owner paid. */
export const liquidStakingPayout: Rule = {
  name: 'liquid staking payout',
  test: (block) => block.calls(DISTRIBUTED),
  around: { previous: call(NFT_BURNT, { as: 'notice', previous: call(BURN_NFT) }) },
  build(block, found) {
    const notice = found.named('notice');
    if (!notice) return;
    const body = notice.bodyAfterOpcode();
    body.uint64();
    const burnt = body.coins();
    const owner = readAccount(body);
    const data: WithdrawData = { pool: findPool(notice) };
    const columns = {
      type: 'stake_withdrawal',
      source: owner,
      destination: data.pool,
      amount: block.message.value,
      data: { staking_data: { ...PROVIDER, ts_nft: notice.message.source, tokens_burnt: burnt } },
    };
    compose({ ...plainContent('tonstakers_withdraw', columns), data }, [block, ...found.blocks]);
  },
};
