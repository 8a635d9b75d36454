import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { Load, Pressure } from '../support/load.ts';
import type { BareOrder, BareReply } from './bare-process.ts';
import type { Statement } from './bench-app.ts';

/** The child process that sends bare statements. */
export interface Bare {
  readonly load: (pressure: Pressure) => Promise<Load>;
  /** Sets the statements of each request. */
  readonly use: (requests: readonly (readonly Statement[])[]) => void;
  readonly stop: () => Promise<void>;
}

export async function startBare(folder: string, url: string, poolSize: number): Promise<Bare> {
  const file = join(folder, 'statements.bin');
  const child = fork(new URL('./bare-process.ts', import.meta.url), [url, String(poolSize)], {
    serialization: 'advanced',
  });
  return {
    use: (requests) => writeFileSync(file, serialize(requests)),
    async load(pressure) {
      const replied = once(child, 'message');
      child.send({ file, pressure } satisfies BareOrder);
      const [reply] = (await replied) as [BareReply];
      if ('failed' in reply) throw new Error(reply.failed);
      return reply.load;
    },
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
