import type { KeptTrace } from '../store/trace-store.ts';
import type { ChainEye } from './chain-eye.ts';
import type { Entry } from './entry.ts';
import { findRoot, followReal } from './follow-real.ts';
import { type PredictParts, predict, predictRest } from './predict.ts';
import { RealPart } from './real-part.ts';

/** What looks are made with. */
export interface LookParts extends PredictParts {
  readonly chain: ChainEye;
}

/** What a look showed: another form of the trace, nothing new, or that the message can no longer apply. */
export type Look = KeptTrace | 'same' | 'gone';

/**
 * Lite servers are not all at the same block: that an account would not take a message must show more than once, since
 * one of them may have the block with it already, and another not.
 */
const MOST_REFUSALS = 3;
const LEAST_WAIT_SECONDS = 10;

/** Looks at a message once more. Throws where the chain is not to be seen now. */
export async function lookAt(parts: LookParts, entry: Entry): Promise<Look> {
  const { chain } = parts;
  if (entry.real === undefined) {
    const newest = await chain.newest(entry.account);
    const hasChanged = entry.baseLt === undefined || newest.lt > entry.baseLt;
    const { account, message, baseLt } = entry;
    const root = hasChanged
      ? await findRoot(chain, account, message.normalizedHash, { newest, afterLt: baseLt })
      : undefined;
    if (root === undefined) return hasChanged || isDue(parts, entry) ? predictAgain(parts, entry) : 'same';
    entry.real = new RealPart();
    entry.real.add(root, chain.headSeqno());
    await followReal(chain, entry.real);
  } else if (!(await followReal(chain, entry.real))) return 'same';
  return predictRest(parts, entry);
}

async function predictAgain(parts: LookParts, entry: Entry): Promise<Look> {
  const prediction = await predict(parts, entry);
  if (prediction === 'spent') return 'same';
  entry.refusals = prediction === 'refused' ? entry.refusals + 1 : 0;
  if (prediction !== 'refused') return prediction;
  return entry.refusals >= MOST_REFUSALS ? 'gone' : 'same';
}

/** Time alone can make a message impossible; it is looked for less and less often. */
function isDue({ clock }: LookParts, { refusals, predictedAt, acceptedAt }: Entry): boolean {
  const now = clock();
  return refusals > 0 || now - predictedAt >= Math.max(LEAST_WAIT_SECONDS, (now - acceptedAt) / 2);
}
