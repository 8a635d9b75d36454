import { readTransaction, type Transaction } from '../../chain/tlb/transaction.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import { proving } from '../../lite/proofs/proof-scope.ts';
import { validateRefusal } from '../params/refusal.ts';

interface WrittenMessage {
  readonly msg_data: Readonly<Record<string, string>>;
}

interface WrittenTransaction {
  readonly data: string;
  readonly in_msg?: WrittenMessage;
  readonly out_msgs: readonly WrittenMessage[];
}

/** How transactions are written, and whose they are. */
interface WriterOptions<T> {
  readonly workchain: number;
  readonly write: (transaction: Transaction) => T;
  /** The parameter to lower where an answer would be too long. */
  readonly limit: string;
}

// Cells that the messages of a transaction share are written once a message, so that a few transactions can become
// gigabytes. What a list may have in all is far above what real ones have.
const MAX_CHARS = 64 * 2 ** 20;
/** Of a transaction or a message beside its cells. */
const FRAME_CHARS = 700;

/** Writes transactions one after the other, each as soon as it is there, so that no long list is written in one go. */
export class TransactionWriter<T extends WrittenTransaction> {
  readonly written: T[] = [];
  readonly #options: WriterOptions<T>;
  #chars = 0;

  constructor(options: WriterOptions<T>) {
    this.#options = options;
  }

  /** Writes one more; refuses it when the list gets too long for one answer. A single one is never too long. */
  add({ cells, cell }: FoundCell): void {
    const { workchain, write, limit } = this.#options;
    const written = proving('VALIDATE_TRANSACTION', () => write(readTransaction(cells, cell, workchain)));
    this.#chars += charsOf(written);
    if (this.#chars > MAX_CHARS && this.written.length > 0)
      throw validateRefusal(`${limit} is too large: these transactions are too long for one answer`);
    this.written.push(written);
  }
}

function charsOf({ data, in_msg, out_msgs }: WrittenTransaction): number {
  let chars = FRAME_CHARS + data.length;
  for (const { msg_data } of in_msg === undefined ? out_msgs : [in_msg, ...out_msgs])
    for (const text of Object.values(msg_data)) chars += text.length;
  return chars + FRAME_CHARS * (1 + out_msgs.length);
}
