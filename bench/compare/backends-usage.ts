import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

const TICKS_PER_SECOND = 100;

/** Tells the CPU microseconds that the processes of a PostgreSQL on this machine have used so far, those that ended included. */
export async function backendsUsage(url: string): Promise<() => number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const server = readStat(rows[0].pid)!.parent;
  await client.end();
  return () => {
    const own = readStat(server);
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readStat(Number(name)))
      .filter((stat) => stat?.parent === server);
    return (own?.endedMicros ?? 0) + children.reduce((sum, stat) => sum + stat!.micros, 0);
  };
}

/** What the kernel tells of a process; undefined if it has ended. */
function readStat(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in brackets and may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const micros = (from: number): number =>
      ((Number(fields[from]) + Number(fields[from + 1])) * 1e6) / TICKS_PER_SECOND;
    return { parent: Number(fields[1]), micros: micros(11), endedMicros: micros(13) };
  } catch {
    return undefined;
  }
}
