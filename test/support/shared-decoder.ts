import { createDecoder, type Decoder } from '../../src/ingest/decode/decoder.ts';
import { perProcess } from './per-process.ts';
import { createQuietLog } from './quiet-log.ts';

/** The decoder thread of all test files of a process. `close` does nothing. */
export function sharedDecoder(): Decoder {
  return perProcess('decoder', () => ({
    ...createDecoder({ threads: 1, log: createQuietLog() }),
    close: async () => {},
  }));
}
