import { createDecoder, type Decoder } from '../../src/indexer/decode/decoder.ts';
import { createQuietLog } from './quiet-log.ts';

const shared = globalThis as { testDecoder?: Decoder };

/** The decoder thread of all test files of a process. `close` does nothing. */
export function sharedDecoder(): Decoder {
  shared.testDecoder ??= { ...createDecoder({ threads: 1, log: createQuietLog() }), close: async () => {} };
  return shared.testDecoder;
}
