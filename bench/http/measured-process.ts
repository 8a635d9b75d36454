import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Usage } from './probe.ts';

/** A server in a process of its own, and what it has used so far. */
export interface MeasuredProcess {
  readonly url: string;
  readonly usage: () => Promise<Usage>;
  readonly stop: () => Promise<void>;
}

interface StartOptions {
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Gets everything the server prints, as a log file would in production. */
  readonly outputFile: string;
  readonly timeoutMs: number;
}

/** What a process loads to tell what it uses. */
export const probe = fileURLToPath(new URL('./probe.ts', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a server with the probe inside and waits until it prints `listening on <url>`, or logs that it is ready. */
export async function startMeasured(options: StartOptions): Promise<MeasuredProcess> {
  const output = openSync(options.outputFile, 'w');
  const child = spawn(process.execPath, ['--import', probe, ...options.args], {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  try {
    const url = await waitForUrl(child, options);
    return { url, usage: () => askChild<Usage>(child, 'usage'), stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

async function waitForUrl(child: ChildProcess, options: StartOptions): Promise<string> {
  const deadline = Date.now() + options.timeoutMs;
  while (Date.now() < deadline) {
    const printed = readFileSync(options.outputFile, 'utf8');
    const url = /(?:listening on |"url":")(http:\/\/[^\s"]+)/.exec(printed)?.[1];
    if (url) return url.replace(/\/$/, '');
    if (child.exitCode !== null) throw new Error(`${options.args.join(' ')} ended:\n${printed}`);
    await sleep(50);
  }
  throw new Error(`${options.args.join(' ')} did not listen within ${options.timeoutMs} ms`);
}

/** Says something to a process and waits for what it says. */
export async function askChild<T>(child: ChildProcess, question: string): Promise<T> {
  const answer = once(child, 'message');
  child.send(question);
  const [said] = (await answer) as [T];
  return said;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(late);
}
