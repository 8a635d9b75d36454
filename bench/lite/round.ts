import type { Client } from './clients.ts';

/** What one client did in one round. */
export interface Round {
  readonly queriesPerSecond: number;
  readonly queriesPerCpuSecond: number;
  readonly cpuMsPerBlock: number;
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Asks for the head many times at once, then for some blocks one after another. */
export async function runRound(
  client: Client,
  queries: number,
  blocks: number,
  blockBytes: number,
): Promise<Round> {
  const small = await costOf(async () => {
    const heads = await Promise.all(Array.from({ length: queries }, client.head));
    if (!heads.every((seqno) => seqno === heads[0])) throw new Error('heads differ');
  });
  const large = await costOf(async () => {
    for (let count = 0; count < blocks; count += 1)
      if ((await client.block()) !== blockBytes) throw new Error('a block is not whole');
  });
  return {
    queriesPerSecond: (queries * 1000) / small.wallMs,
    queriesPerCpuSecond: (queries * 1000) / small.cpuMs,
    cpuMsPerBlock: large.cpuMs / blocks,
  };
}

/** The processor time is that of all threads of this process. */
async function costOf(work: () => Promise<void>): Promise<Cost> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - startedMs, cpuMs: (user + system) / 1000 };
}
