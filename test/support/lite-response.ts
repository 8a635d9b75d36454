import type { LiteMethod, LiteResponseOf } from '../../src/lite/methods/codec.ts';

/** Any response. */
export type LiteResponse = LiteResponseOf<LiteMethod>;
