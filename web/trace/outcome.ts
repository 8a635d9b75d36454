import { interfacesOf } from '../api/address-names.ts';
import type { Transaction } from '../api/v3.d.ts';
import { exitCodeText, resultCodeText, skipReasonText } from '../show/exit-codes.ts';
import { isDeposit, isFailed } from '../show/transaction-rows.tsx';

/** How a transaction of a trace went. */
export interface Outcome {
  readonly kind: 'good' | 'bad' | 'bounced' | 'pending';
  /** A few words; empty for a plain success. */
  readonly text: string;
}

/** How a transaction went, for pictures and lists. */
export function outcomeOf(transaction: Transaction | undefined): Outcome {
  if (transaction === undefined) return { kind: 'pending', text: 'not shown' };
  const { compute_ph: compute, action } = transaction.description;
  if (isDeposit(transaction.description)) return { kind: 'good', text: 'no contract' };
  if (isFailed(transaction)) {
    if (compute?.skipped === true) return { kind: 'bad', text: skipReasonText(compute.reason ?? '') };
    if (compute?.success === false) {
      const code = compute.exit_code ?? 0;
      return { kind: 'bad', text: `exit ${code}: ${exitCodeText(code, interfacesOf(transaction.account))}` };
    }
    const code = action?.result_code ?? 0;
    return { kind: 'bad', text: `action ${code}: ${resultCodeText(code)}` };
  }
  if (transaction.in_msg?.bounced === true) return { kind: 'bounced', text: 'bounced back' };
  return transaction.finality === 'finalized'
    ? { kind: 'good', text: '' }
    : { kind: 'pending', text: transaction.finality };
}
