/** Thread that converts one dump after another. */
import { CellError } from '../../chain/boc/cells.ts';
import { serveJobs } from '../../lib/worker-jobs.ts';
import { convertDump, type DumpJob } from './convert-dump.ts';

/** How many airdrops there are, or what is wrong with the dump. */
export type DumpReply = { readonly count: number } | { readonly fault: string };

serveJobs<DumpJob, DumpReply>((job, step) => {
  step();
  try {
    return { count: convertDump(job) };
  } catch (error) {
    if (error instanceof CellError) return { fault: error.message };
    const { code } = error as { code?: unknown };
    return { fault: typeof code === 'string' ? `not converted (${code})` : 'not converted' };
  } finally {
    step();
  }
});
