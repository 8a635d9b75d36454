import type { TransactionOutcome } from '../../vm/transaction-run.ts';

const LOG_BYTES = 256;

/**
 * Why an account did not take a message from outside, in the node's words. The log has to be one of verbosity 1, in
 * which no step is left out.
 */
export function rejectionText(
  account: Buffer,
  outcome: Exclude<TransactionOutcome, { kind: 'done' }>,
): string {
  const name = account.toString('hex').toUpperCase();
  if (outcome.kind === 'refused')
    return `inbound external message rejected by account ${name} before smart-contract execution`;
  const { exitCode, log } = outcome;
  // Gas is only paid for after the message is accepted, and each step leaves a line.
  const steps = log.match(/^execute /gm)?.length ?? 0;
  const head = `inbound external message rejected by transaction ${name}:\n`;
  const tail = log === '' ? '' : `\nVM Log (truncated):\n...${log.slice(-LOG_BYTES)}`;
  return `${head}exitcode=${exitCode}, steps=${steps}, gas_used=0${tail}`;
}
