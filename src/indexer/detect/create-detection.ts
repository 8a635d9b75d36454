import { createCalmLog } from '../trouble-log.ts';
import type { JudgeParts } from './batch-ground.ts';
import { CodeBook } from './code-book.ts';
import { createKnownConfigs } from './config-book.ts';
import type { Detection } from './detection.ts';
import type { CountedFigures, DetectionFigures } from './detection-figures.ts';
import type { Detector } from './detector.ts';
import { createPlans } from './detector-plan.ts';
import { createJudge } from './judge.ts';
import { LibraryBook } from './library-book.ts';
import { createMethodMemory } from './method-memory.ts';

/** What detection is made of. */
export interface DetectionOptions extends Pick<JudgeParts, 'vm' | 'db' | 'pool' | 'check' | 'log' | 'known'> {
  readonly detectors: readonly Detector[];
}

/** Detection that counts what it does. */
export interface CountedDetection extends Detection {
  /** Since it was created. */
  figures(): DetectionFigures;
}

/** Creates detection: what its judges learn of codes, libraries and results of get-methods they share. */
export function createDetection({ detectors, log, ...options }: DetectionOptions): CountedDetection {
  const figures: CountedFigures = { runs: 0, hits: 0, judged: 0, asked: 0, busyMs: 0 };
  const parts: JudgeParts = {
    ...options,
    log: createCalmLog(log, () => performance.now()),
    plan: createPlans(detectors),
    codes: new CodeBook(options.db),
    libraries: new LibraryBook(),
    configs: createKnownConfigs(),
    methods: createMethodMemory(),
    figures,
  };
  return {
    open: ({ follows }) => createJudge(parts, follows),
    figures: () => ({ ...figures }),
  };
}
