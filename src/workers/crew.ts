import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import { backOffDelay } from '../lib/back-off.ts';
import { type Channel, openChannel } from '../lib/channel.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { withTimeout } from '../lib/wait.ts';
import { CHANNEL_FD, type Greeting, type Post, type Started } from './post.ts';

/** A process of this server, as its parent sees it. */
export interface Member {
  readonly post: Post;
  /** Whether it is up; only then it hears what it is told. */
  isReady: boolean;
  readonly child: ChildProcess;
  readonly channel: Channel;
}

/** The processes of this server, which share what their parent keeps for them. */
export type Crew = ReturnType<typeof createCrew>;

interface CrewOptions {
  /** The file of the processes and its arguments. */
  readonly program: readonly [file: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
  readonly greeting: Omit<Greeting, 'post'>;
  /** Takes whole lines that a process has logged; left out, processes write to the terminal themselves. */
  readonly onOutput?: ((lines: string) => void) | undefined;
  /** Whether this process is ending. */
  readonly isStopping: () => boolean;
  readonly log: Log;
}

/**
 * V8 would keep 100 MB for young objects, and not look for garbage until the others take 250 MB: 430 MB in all, with these 250.
 */
const SMALL_HEAP = ['--max-semi-space-size=8', '--initial-old-space-size=48', '--heap-growing-percent=80'];
const LEAVE_AFTER_MS = 200;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;
/** Longer than a readiness check takes that times out. */
const ANSWER_MS = 2500;

/** Starts processes, and replaces those that end. */
export function createCrew(options: CrewOptions) {
  const { env, greeting, onOutput, log } = options;
  const [file, ...args] = options.program;
  const members = new Set<Member>();
  const joiners: ((member: Member) => void)[] = [];
  const leavers: ((member: Member) => void)[] = [];
  const pauses = new Set<NodeJS.Timeout>();
  let isStopping = false;

  function begin(post: Post): { member: Member; ready: Promise<Started>; gone: Promise<void> } {
    const output = onOutput === undefined ? 'inherit' : 'pipe';
    const child = fork(file, args, {
      execArgv: [...(post.kind === 'worker' ? SMALL_HEAP : []), ...process.execArgv],
      env,
      stdio: ['ignore', output, 'inherit', 'ipc', 'pipe'],
    });
    if (onOutput !== undefined) passLines(child.stdout!, onOutput);
    const channel = openChannel(child.stdio[CHANNEL_FD] as unknown as Duplex);
    const member: Member = { post, isReady: false, child, channel };
    const ready = Promise.withResolvers<Started>();
    // After the start nobody waits for it.
    ready.promise.catch(() => {});
    channel.on('hello', () => ({ ...greeting, post }) satisfies Greeting);
    channel.on('ping', () => true);
    channel.on('ready', (started: Started) => {
      member.isReady = true;
      ready.resolve(started);
    });
    channel.on('failed', (text: string, isExpected: boolean) =>
      ready.reject(isExpected ? new StartError(text) : new Error(text)),
    );
    channel.on('askAll', askAll);
    channel.on('leave', () => {
      // A manager may have sent SIGTERM to all processes: the end of the server comes from here.
      const timer = setTimeout(() => !options.isStopping() && channel.notify('leave'), LEAVE_AFTER_MS);
      timer.unref();
    });
    for (const join of joiners) join(member);
    members.add(member);
    const ended = Promise.withResolvers<void>();
    const end = (error: Error): void => {
      ready.reject(error);
      ended.resolve();
    };
    child.once('exit', (code, signal) =>
      end(new StartError(`Process ${child.pid} of this server ended with ${signal ?? code}`)),
    );
    // Without a process there is no exit.
    child.on('error', (error) => {
      if (child.pid === undefined) end(error);
    });
    // What it has sent before its end is read first.
    const gone = Promise.all([ended.promise, channel.closed]).then(() => {
      members.delete(member);
      for (const leave of leavers) leave(member);
    });
    return { member, ready: ready.promise, gone };
  }

  /** Starts a process, and another one whenever it has ended. The first start must succeed. */
  async function keep(post: Post): Promise<Started> {
    const first = begin(post);
    void watch(post, first);
    return first.ready;
  }

  async function watch(post: Post, first: ReturnType<typeof begin>): Promise<void> {
    let failures = 0;
    for (let current = first; ; current = begin(post)) {
      const { pid } = current.member.child;
      let wasReady = false;
      current.ready.then(
        () => {
          wasReady = true;
          if (current !== first) log.info({ process: pid, ...post }, 'Process of this server replaced');
        },
        () => {},
      );
      await current.gone;
      if (isStopping || (!wasReady && current === first)) return;
      const { exitCode, signalCode } = current.member.child;
      // One that did its work is replaced at once.
      failures = wasReady ? 0 : failures + 1;
      const pauseMs = failures === 0 ? 0 : backOffDelay(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS);
      log.warn(
        { process: pid, ...post, end: signalCode ?? exitCode, pauseMs },
        'Process of this server ended, starting another',
      );
      if (pauseMs > 0) await pause(pauseMs);
      if (isStopping) return;
    }
  }

  /** What all that are up answer in time. */
  async function askAll<T>(name: string, ...args: readonly unknown[]): Promise<T[]> {
    const asked = [...members].filter(({ isReady }) => isReady);
    const answers = await Promise.allSettled(
      asked.map(({ channel }) =>
        withTimeout(ANSWER_MS, channel.call<T>(name, ...args), () => new Error('late')),
      ),
    );
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    pauses.add(timer);
    return promise.finally(() => pauses.delete(timer));
  }

  const killAll = (): void => {
    for (const { child } of members) child.kill('SIGKILL');
  };
  // Nothing is left behind, however this process ends, except by SIGKILL: then the processes notice it themselves.
  process.on('exit', killAll);

  return {
    keep,
    has: (member: Member) => members.has(member),
    /** Those of a kind that are up. */
    ready: (kind: Post['kind']): Member[] =>
      [...members].filter(({ isReady, post }) => isReady && post.kind === kind),
    askAll,
    /** Called with each new process, before it has begun. */
    onJoin: (join: (member: Member) => void) => void joiners.push(join),
    /** Called when a process has ended and all that it sent is read. */
    onLeave: (leave: (member: Member) => void) => void leavers.push(leave),
    tellAll(name: string, ...args: readonly unknown[]): void {
      for (const { channel } of members) channel.notify(name, ...args);
    },
    /** Tells the other workers. */
    tellOthers(sender: Member, name: string, ...args: readonly unknown[]): void {
      for (const { post, channel } of members)
        if (post.kind === 'worker' && channel !== sender.channel) channel.notify(name, ...args);
    },
    /** Ends processes in good order; none is replaced from now on. */
    async stop(kind: Post['kind']): Promise<void> {
      isStopping = true;
      for (const timer of pauses) clearTimeout(timer);
      const ending = [...members].filter(({ post }) => post.kind === kind);
      await Promise.all(
        ending.map(async ({ child, channel }) => {
          const exited = child.exitCode !== null || child.signalCode !== null || once(child, 'exit');
          channel.notify('stop');
          await exited;
        }),
      );
    },
  };
}

/** Passes on whole lines: those of several processes end up in the same place. */
function passLines(stream: Readable, write: (lines: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) write(rest + chunk.slice(0, end));
    rest = end > 0 ? chunk.slice(end) : rest + chunk;
  });
  stream.on('end', () => rest !== '' && write(`${rest}\n`));
  stream.on('error', () => {});
}
