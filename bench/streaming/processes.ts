import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** A tongate process under measurement. */
export interface MeasuredProcess {
  readonly url: string;
  readonly pid: number;
}

const TICKS_PER_SECOND = 100;

/** Starts processes, all of which are ended together. */
export class Processes {
  readonly #env: NodeJS.ProcessEnv;
  readonly #children: ChildProcess[] = [];

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  async start(command: 'start' | 'serve'): Promise<MeasuredProcess> {
    const child = spawn(process.execPath, ['src/main.ts', command], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.push(child);
    let output = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        output = (output + chunk).slice(-100_000);
        const found = /"url":"(http:[^"]+)","msg":"tongate is ready"/.exec(output);
        if (found !== null) resolve(found[1]!);
      });
      child.once('exit', () => reject(new Error(`${command} exited:\n${output}`)));
    });
    return { url, pid: child.pid! };
  }

  /** Ends all of them, the last one first. */
  async stop(): Promise<void> {
    for (const child of this.#children.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }
}

/** Megabytes of a process: now, or at its peak. */
export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1000);
}

/** CPU seconds that a process has used; unlike latencies, they do not depend on what else the machine does. */
export function cpuOf(pid: number): number {
  const [user, system] = timesOf(pid);
  return (user! + system!) / TICKS_PER_SECOND;
}

/** The same with all processes below it, also those that have ended. */
export function cpuWithChildren(pid: number): number {
  const own = timesOf(pid).reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const ofChild = (child: string): number => {
    try {
      return cpuWithChildren(Number(child));
    } catch {
      // It has ended meanwhile.
      return 0;
    }
  };
  return children.reduce((sum, child) => sum + ofChild(child), own);
}

/** User and system time of a process, and of its children that have ended. */
function timesOf(pid: number): number[] {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return fields.slice(11, 15).map(Number);
}
