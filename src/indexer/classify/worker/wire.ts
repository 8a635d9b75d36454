import type { Log } from '../../../lib/log.ts';
import type { BatchFigures } from '../classify-batch.ts';
import type { ClassifyTiming } from '../classify-loop.ts';
import type { QueueFigures } from '../queue-figures.ts';

/** What the thread is started with. Any message to it means that it shall end. */
export interface ClassifyThreadData {
  readonly url: string;
  readonly timing: Partial<ClassifyTiming> | undefined;
}

/** What the thread says. */
export type ClassifyReport =
  | { readonly kind: 'batch'; readonly figures: BatchFigures }
  | { readonly kind: 'queue'; readonly figures: QueueFigures }
  | {
      readonly kind: 'log';
      readonly level: keyof Log;
      readonly text: string;
      readonly details: object;
      readonly error: { readonly message: string; readonly stack: string | undefined } | undefined;
    };
