import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { Message } from '../../chain/tlb/message.ts';
import { type MessagePart, sliceOf } from '../../chain/tlb/message-part.ts';
import type { MessageContent } from './decoded-seqno.ts';

/** The bodies and initial states of messages, each once. */
export class ContentSet {
  readonly found: MessageContent[] = [];
  readonly #known = new Set<string>();

  /** Adds what a message brings. */
  add(message: Message): void {
    this.#add(message, message.bodyHash, message.body);
    if (message.init !== undefined) this.#add(message, message.init.hash, message.init.part);
  }

  #add({ cells }: Message, hash: Buffer, part: MessagePart): void {
    const key = hash.toString('latin1');
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const source = part.whole ? { cells, roots: [part.cell] } : sliceOf(cells, part);
    this.found.push({ hash, boc: writeBoc(source, { order: 'tonlib' }) });
  }
}
