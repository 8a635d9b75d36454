import { CellFault } from '../../chain/boc/cell-fault.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { readWallet } from '../../chain/contracts/read-wallet.ts';
import { type OrderedMessage, unsignedTransfer } from '../../chain/contracts/unsigned-transfer.ts';
import { walletCodeOf } from '../../chain/contracts/wallet-codes.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { externalMessage } from '../../chain/tlb-write/external-message.ts';
import { Failure } from '../../lib/failure.ts';
import { refuse } from '../params/kind.ts';
import { accountRow } from '../unindexed/account-row.ts';

/** What a wallet is to send. */
interface Transfer {
  readonly from: AccountId;
  readonly messages: readonly OrderedMessage[];
  readonly validUntil: number;
}

/** The message from outside, without a signature, that makes a wallet send messages; its state is a ShardAccount. */
export function composeTransfer(shardAccount: Uint8Array, { from, messages, validUntil }: Transfer): Buffer {
  const { state, cells, code, data } = accountRow(shardAccount);
  if (state.known === undefined)
    throw new Failure('lite_server', 'Failed to fetch account state: Account not found in accounts_dict');
  if (code < 0 || data < 0) throw new Failure('lite_server', 'Account state no code or no data');
  const wallet = walletCodeOf(state.known.code_hash!);
  const held = wallet && readWallet(wallet.layout, cells, data);
  if (wallet?.type === undefined || held?.seqno === undefined)
    throw new Failure('lite_server', 'Account is not a known wallet');
  try {
    const { seqno, walletId } = held;
    const body = unsignedTransfer({ type: wallet.type, seqno, walletId, validUntil, messages });
    if (body === undefined)
      throw new Failure(
        'lite_server',
        `Unsupported wallet type: ${wallet.type} with ${messages.length} messages`,
      );
    const message = externalMessage({ to: from, body });
    return writeBoc({ cells: message, roots: [message.root] }, { order: 'core', crc: false });
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    throw refuse('messages', `messages cannot be put into cells: ${error.message}`);
  }
}
