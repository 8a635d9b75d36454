import { Failure } from '../lib/failure.ts';
import type { Indexing } from './indexing.ts';

/**
 * What `/readyz` says of the index. One that is behind is no reason to send requests elsewhere: those who read the
 * same database would all be as far behind. One that has stopped is.
 */
export function checkIndexing({ progress }: Pick<Indexing, 'progress'>): string {
  const { state, head, followed, percent } = progress();
  if (state === 'stopped' || state === 'diverged') throw new Failure('unavailable', `indexing has ${state}`);
  return `${state}, seqno ${followed ?? '-'} of ${head ?? '-'}, ${percent.toFixed(1)} %`;
}
