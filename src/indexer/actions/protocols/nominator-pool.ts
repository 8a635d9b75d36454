import { type TonTransferData, tonTransferOf } from '../basic-blocks.ts';
import type { Block, BlockContent } from '../block.ts';
import { compose } from '../compose.ts';
import { plainContent } from '../plain-content.ts';
import type { Rule } from '../rule.ts';

const PAY_WITHDRAWALS = 0x00000002;

const STAKING = { staking_data: { provider: 'nominator' } } as const;

/** A nominator stakes. */
export const nominatorDeposit: Rule = {
  name: 'nominator deposit',
  test: (block) => tonTransferOf(block)?.comment === 'd',
  takesLeftovers: true,
  build(block, found, { interfaces }) {
    const { source, destination, value } = block.message;
    if (!interfaces.isNominatorPool(destination ?? '')) return;
    const columns = { type: 'stake_deposit', source, destination, amount: value, data: STAKING };
    compose(plainContent('nominator_pool_deposit', columns, block.failed), [block, ...found.blocks]);
  },
};

/** A withdrawal that is paid, or one that waits for the pool's money to come back. */
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

/** What a nominator was paid: a lone transfer of no more than he sent only returns his own. */
function payoutAmong(transfers: readonly Transfer[], sent: bigint | null): bigint | null {
  const [first] = transfers.toSorted(([a], [b]) => Number(a.node.lt - b.node.lt));
  const amount = first?.[1].value ?? null;
  if (transfers.length === 2) return amount;
  return transfers.length === 1 && (amount ?? 0n) > (sent ?? 0n) ? amount : null;
}

/** A nominator wants his stake back. */
export const nominatorWithdrawal: Rule = {
  name: 'nominator withdrawal',
  test: (block) => tonTransferOf(block)?.comment === 'w',
  takesLeftovers: true,
  build(block, found, { interfaces }) {
    const { source, destination, value } = block.message;
    if (!interfaces.isNominatorPool(destination ?? '')) return;
    const transfers = transfersAfter(block);
    const answers = transfers.length <= 2 ? transfers.map(([one]) => one) : [];
    const content = withdrawal(source, destination, payoutAmong(transfers, value), block.failed);
    compose(content, [block, ...found.blocks, ...answers]);
  },
};

/** The owner of a pool pays those who wait. */
export const nominatorPayouts: Rule = {
  name: 'nominator payouts',
  test: (block) => block.calls(PAY_WITHDRAWALS),
  takesLeftovers: true,
  build(block, _found, { interfaces }) {
    const pool = block.message.destination;
    if (!interfaces.isNominatorPool(pool ?? '')) return;
    for (const [one, { destination, value }] of transfersAfter(block)) {
      compose(withdrawal(destination, pool, value), [one]);
    }
  },
};
