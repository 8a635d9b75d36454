import { CopyBuffer } from '../../db/copy/copy-buffer.ts';
import { CodeSet } from './code-set.ts';
import { ContentSet } from './content-set.ts';
import type { AccountChange } from './decoded-seqno.ts';
import type { EventFacts } from './event-facts.ts';
import { TraceCollector } from './trace-facts.ts';

/** What the blocks of one masterchain seqno bring, while it is collected. */
export interface SeqnoParts {
  readonly mcSeqno: number;
  readonly globalVersion: number;
  readonly blocks: CopyBuffer;
  readonly shardStates: CopyBuffer;
  readonly transactions: CopyBuffer;
  readonly messages: CopyBuffer;
  readonly contents: ContentSet;
  readonly codes: CodeSet;
  readonly traces: TraceCollector;
  readonly accounts: AccountChange[];
  readonly events: EventFacts[];
}

/** Nothing yet. */
export function createSeqnoParts(mcSeqno: number, globalVersion: number): SeqnoParts {
  return {
    mcSeqno,
    globalVersion,
    blocks: new CopyBuffer(),
    shardStates: new CopyBuffer(),
    transactions: new CopyBuffer(),
    messages: new CopyBuffer(),
    contents: new ContentSet(),
    codes: new CodeSet(),
    traces: new TraceCollector(),
    accounts: [],
    events: [],
  };
}
