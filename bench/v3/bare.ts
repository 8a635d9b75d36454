import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { Load, Pressure } from '../v2/load.ts';
import type { BareAnswer, BareOrder } from './bare-process.ts';
import type { Statement } from './record.ts';

/** The process that sends bare statements. */
export interface Bare {
  readonly load: (pressure: Pressure) => Promise<Load>;
  /** Says what is to be sent. */
  readonly use: (rounds: readonly (readonly Statement[])[]) => void;
  readonly stop: () => Promise<void>;
}

export async function startBare(folder: string, url: string, poolSize: number): Promise<Bare> {
  const file = join(folder, 'statements.bin');
  const child = fork(new URL('./bare-process.ts', import.meta.url), [url, String(poolSize)], {
    serialization: 'advanced',
  });
  return {
    use: (rounds) => writeFileSync(file, serialize(rounds)),
    async load(pressure) {
      const answer = once(child, 'message');
      child.send({ file, pressure } satisfies BareOrder);
      const [said] = (await answer) as [BareAnswer];
      if ('failed' in said) throw new Error(said.failed);
      return said.load;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
