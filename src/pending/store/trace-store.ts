import { accountKey } from '../../chain/address/account-key.ts';
import type { PendingQuestion, PendingTrace } from '../pending-traces.ts';

/** A trace as it is kept. */
export interface KeptTrace extends PendingTrace {
  /** A real trace that began in an earlier masterchain block is another one. */
  readonly sinceSeqno: number;
}

/** Where pending traces are. Whatever happens to it, it throws nothing: it is asked by requests. */
export interface TraceStore {
  /** Keeps a trace, or its newer form. Gives the keys of those that had to make room for it, or its own if it is too large. */
  put(trace: KeptTrace): readonly string[];
  /** Says that traces of this process are still good; what nobody says that of for long is forgotten. */
  confirm(keys: readonly string[]): void;
  remove(key: string): void;
  find(question: PendingQuestion): Promise<readonly KeptTrace[]>;
  /** Forgets all traces of this process. */
  clear(): void;
  close(): Promise<void>;
}

/** What a trace is kept under: its normalized hash. */
export function traceKey(normalizedHash: Buffer): string {
  return normalizedHash.toString('hex');
}

/** All accounts by which a trace is found, as 33 bytes in hex: of its transactions and of its actions. */
export function accountsOf({ transactions, classification }: PendingTrace): Set<string> {
  const accounts = new Set<string>();
  for (const { account } of transactions)
    accounts.add(accountKey(account.workchain, account.hash).toString('hex'));
  for (const action of classification.actions)
    for (const account of action.accounts) accounts.add(account.toString('hex'));
  return accounts;
}
