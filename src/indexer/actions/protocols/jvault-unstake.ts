import type { ActionColumns } from '../action.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { blockOf, call } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import { readAmount } from '../read-body.ts';
import type { Rule } from '../rule.ts';
import { jettonTransferOf } from './jetton-transfer.ts';
import { REQUEST_UPDATE, readStake, referrers, type Stake, updateRewards } from './jvault-parts.ts';

const UNSTAKE = 0x499a9262;
const UNSTAKE_REQUEST = 0x0168d4b7;

/** The columns that both have. Where the wallet refused, its exit code stands in place of an opcode. */
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

/** A staker takes his jettons back. */
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

/** A staker asks for his jettons, to take them after a while. */
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
