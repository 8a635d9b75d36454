import type { IndexProgress } from '../indexer/progress.ts';
import type { Log } from '../lib/log.ts';
import { progressLine } from './progress-line.ts';

interface ProgressPorts {
  readonly progress: () => IndexProgress;
  readonly out: { readonly isTTY?: boolean; readonly write: (text: string) => unknown };
  readonly log: Log;
}

const TERMINAL_EVERY_MS = 500;
const LOG_EVERY_MS = 10_000;
/** Goes to the beginning of the line and clears it. */
const ANEW = '\r\u001b[K';

/** Shows how far the index is, on one line of a terminal or now and then in the log; gives what ends it. */
export function showProgress({ progress, out, log }: ProgressPorts): () => void {
  const isTerminal = out.isTTY === true;
  const line = () => progressLine(figuresOf(progress()));
  const show = isTerminal ? () => out.write(`${ANEW}${line()}`) : () => log.info({}, line());
  const timer = setInterval(show, isTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS);
  return () => {
    clearInterval(timer);
    show();
    if (isTerminal) out.write('\n');
  };
}

function figuresOf({ head, followed, from, etaSeconds, lastError, ...rest }: IndexProgress) {
  const wantedSeqnos = head === undefined || from === undefined ? 0 : Math.max(0, head - from + 1);
  return {
    ...{ headSeqno: head, followedSeqno: followed, wantedSeqnos, trouble: lastError },
    ...{ indexedSeqnos: rest.indexedSeqnos, seqnosPerSecond: rest.seqnosPerSecond },
    transactionsPerSecond: rest.transactionsPerSecond,
    etaSeconds: etaSeconds === 0 ? undefined : etaSeconds,
  };
}
