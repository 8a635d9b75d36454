import type { WaitPrefix } from '../../chain/tl/wait-prefix.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { CANCELLED, LiteRefusal, NOT_READY, WAIT_TIMEOUT } from './lite-refusal.ts';

const MAX_WAIT_MS = 10_000;
/** Nobody may wait for a block further ahead. */
const MAX_BLOCKS_AHEAD = 100;

/** Waits until the chain has a masterchain block; refuses after the time, and at once what is too far ahead. */
export function waitForBlock(
  store: ChainStore,
  wait: WaitPrefix,
  signal: AbortSignal,
): Promise<void> | undefined {
  const seqno = wait.seqno >>> 0;
  if (seqno <= store.head.seqno) return undefined;
  if (wait.timeoutMs <= 0) throw new LiteRefusal(WAIT_TIMEOUT, 'timeout');
  if (seqno > store.head.seqno + MAX_BLOCKS_AHEAD)
    throw new LiteRefusal(NOT_READY, 'too big masterchain block seqno');
  return new Promise((resolve, reject) => {
    const finish = (end: () => void): void => {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener('abort', onAbort);
      end();
    };
    const onAbort = (): void => finish(() => reject(new LiteRefusal(CANCELLED, 'cancelled')));
    const timer = setTimeout(
      () => finish(() => reject(new LiteRefusal(WAIT_TIMEOUT, 'timeout'))),
      Math.min(wait.timeoutMs, MAX_WAIT_MS),
    );
    const stopListening = store.onHead((head) => {
      if (head.seqno >= seqno) finish(resolve);
    });
    signal.addEventListener('abort', onAbort);
  });
}
