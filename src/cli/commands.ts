import { availableParallelism } from 'node:os';
import { readSettings, type Settings, SettingsError } from '../config/settings.ts';
import { closestName } from '../lib/closest-name.ts';
import { StartError, UsageError } from '../lib/errors.ts';
import type { TextOutput } from '../lib/log.ts';
import { createLogger } from '../observe/logger.ts';
import { packageVersion } from './package-version.ts';

/** Where a command reads its settings and writes its output. Commands that run until a signal log to standard output. */
interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
}

type Command = (args: readonly string[], context: CommandContext) => Promise<number | undefined>;

const settingsOf = ({ env }: CommandContext) => readSettings(env);
const quietLog = ({ stderr }: CommandContext) => createLogger({ level: 'warn', destination: stderr });

interface CommandEntry {
  readonly summary: string;
  /** Whether only tongate itself runs it. */
  readonly isInternal?: boolean;
  /** The arguments it takes, a line for each way to call it; a command without any refuses them. */
  readonly usage?: string;
  /** What stands below the summary. */
  readonly details?: string;
  /** Whether it describes itself in more detail. */
  readonly hasOwnHelp?: boolean;
  readonly run: Command;
}

/** Commands load their code on demand: most need a small part of it. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  start: {
    summary: 'Run everything: database, local chain, indexer, HTTP API (on as many cores as WORKERS says)',
    run: (_args, context) => serve(context, true),
  },
  serve: {
    summary:
      'Run the HTTP API only (on as many cores as WORKERS says); any number of servers can share a database',
    run: (_args, context) => serve(context, false),
  },
  index: {
    summary: 'Run the indexer only; any number of processes share the work (--to-head exits when done)',
    usage: '[--to-head]',
    run: async (args, context) => {
      const { indexCommand } = await import('./index-command.ts');
      return void (await indexCommand({ args, settings: settingsOf(context) }));
    },
  },
  import: {
    summary:
      'Fill the index from files: blocks from packs of a node or bags of the public dump, or the complete state at a block',
    usage: [
      '--packs DIR... [RANGE]',
      '--dump [URL|FILE] --storage URL [--ahead N] [--packs DIR]... [RANGE] [BAGS]',
      '--states DIR... [--at SEQNO] [--no-detection]',
      '--states dump --storage URL [--dump URL|FILE] [--at SEQNO] [--no-detection] [BAGS]',
    ].join('\n'),
    details: [
      'RANGE: [--from genesis|SEQNO|DATE] [--to SEQNO|DATE] [--offline]',
      'BAGS:  [--downloads DIR] [--disk SIZE] [--bag-timeout SECONDS]',
    ].join('\n'),
    run: async (args, context) => {
      const has = (option: string) => args.some((arg) => arg === option || arg.startsWith(`${option}=`));
      const { importCommand } = await (has('--states')
        ? import('./import-states.ts')
        : has('--dump')
          ? import('./import-dump.ts')
          : import('./import-packs.ts'));
      return untilSignal((signal) =>
        importCommand({
          args,
          settings: settingsOf(context),
          log: quietLog(context),
          out: context.stdout,
          signal,
        }),
      );
    },
  },
  verify: {
    summary: 'Compare the index with the chain, or with pack files (--from, --to, --packs)',
    usage: '[--from SEQNO] [--to SEQNO] [--packs DIR]...',
    run: async (args, context) => {
      const { openForVerify } = await import('./verify.ts');
      return openForVerify(settingsOf(context), { args, log: quietLog(context), out: context.stdout });
    },
  },
  reclassify: {
    summary: 'Classify traces again while the service runs (--from, --to, --type, --trace)',
    usage: '[--from SEQNO] [--to SEQNO] [--type TYPE]... [--no-wait]\n--trace HASH...',
    run: async (args, context) => {
      const { reclassifyCommand } = await import('./reclassify.ts');
      const settings = settingsOf(context);
      return reclassifyCommand({ args, settings, log: quietLog(context), out: context.stdout });
    },
  },
  reindex: {
    summary: 'Index accounts again while the service runs: state, interfaces and token metadata',
    usage: 'ADDRESS...',
    run: async (args, context) => {
      const { openForCommand } = await import('./open-database.ts');
      const { reindexCommand } = await import('./reindex.ts');
      return openForCommand(settingsOf(context), quietLog(context), ({ database }) =>
        reindexCommand({ args, database, out: context.stdout }),
      );
    },
  },
  sizes: {
    summary: 'Show the disk usage of the index by table and partition',
    run: async (_args, context) => {
      const { openForCommand } = await import('./open-database.ts');
      const { sizesCommand } = await import('./sizes.ts');
      return openForCommand(settingsOf(context), quietLog(context), async ({ database }) =>
        sizesCommand(await database(), context.stdout),
      );
    },
  },
  migrate: {
    summary: 'Create the database if it is missing, and migrate its schema',
    run: async (_args, context) =>
      void (await (await import('./open-database.ts')).migrate(settingsOf(context))),
  },
  keys: {
    summary: 'Create, list and revoke API keys (keys --help)',
    usage: '<command>',
    hasOwnHelp: true,
    run: async (args, context) => {
      const { openForCommand } = await import('./open-database.ts');
      const { keysCommand } = await import('./keys.ts');
      return openForCommand(settingsOf(context), quietLog(context), (ports) =>
        keysCommand({ args, ...ports, out: context.stdout }),
      );
    },
  },
  webhooks: {
    summary: 'Create and manage webhooks (webhooks --help)',
    usage: '<command>',
    hasOwnHelp: true,
    run: async (args, context) => {
      const { openForCommand } = await import('./open-database.ts');
      const { openWebhooks } = await import('./open-webhooks.ts');
      const { webhooksCommand } = await import('./webhooks.ts');
      const settings = settingsOf(context);
      return openForCommand(settings, quietLog(context), ({ database }) =>
        webhooksCommand({
          args,
          webhooks: async () => openWebhooks(settings, await database()),
          out: context.stdout,
        }),
      );
    },
  },
  localnet: {
    summary: 'Run the local chain only, or control it (localnet --help)',
    usage: '[<command>]',
    hasOwnHelp: true,
    run: async (args, context) => {
      const { localnetCommand } = await import('./localnet.ts');
      return localnetCommand({
        args,
        settings: () => settingsOf(context),
        log: quietLog(context),
        out: context.stdout,
        run: async (...call) => (await import('./localnet-run.ts')).runLocalnet(...call),
        replay: async (...call) => (await import('./localnet-run.ts')).replayRecording(...call),
      });
    },
  },
  doctor: {
    summary: 'Check the database, the disk and every lite server, or say what pack files hold (--packs)',
    usage: '[--packs DIR]...',
    run: async (args, context) => {
      const { doctorCommand } = await import('./doctor.ts');
      return doctorCommand({
        args,
        settings: settingsOf(context),
        log: quietLog(context),
        out: context.stdout,
      });
    },
  },
  settings: {
    summary:
      'List all settings with their defaults (--write and --check: docs/operate/settings.md of a checkout)',
    usage: '[--write | --check]',
    run: async (args, context) => {
      if (args.length > 0) return generate('settings', args, context);
      context.stdout.write((await import('../config/settings-page.ts')).settingsText());
      return 0;
    },
  },
  openapi: {
    summary: 'Write openapi/*.json of a checkout, or check that they are up to date (--check)',
    usage: '[--write | --check]',
    run: (args, context) => generate('openapi', args, context),
  },
  member: {
    summary: 'Run a process of a server with several workers',
    isInternal: true,
    run: async () => void (await (await import('./run-member.ts')).runMember()),
  },
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs work until it is done, or ends it at a signal. */
async function untilSignal(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const onSignal = (): void =>
    stop.abort(new StartError('stopped by a signal; the same command goes on from here'));
  for (const name of SIGNALS) process.once(name, onSignal);
  try {
    return await work(stop.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal);
  }
}

/** PostgreSQL allows 100, of which others need some. */
const MAX_DATABASE_CONNECTIONS = 80;

/** How many processes answer requests. */
function workerCount({ workers, databasePoolSize }: Settings): number {
  if (workers !== 'auto') return workers;
  const affordable = Math.floor(MAX_DATABASE_CONNECTIONS / databasePoolSize);
  return Math.max(1, Math.min(availableParallelism(), affordable));
}

async function serve(context: CommandContext, everything: boolean): Promise<undefined> {
  const settings = settingsOf(context);
  const { env, stdout: out } = context;
  const workers = workerCount(settings);
  if (workers === 1) await (await import('./serve.ts')).serve({ settings, everything, out });
  else {
    const command = everything ? 'start' : 'serve';
    await (await import('./workers.ts')).serveWithWorkers({ settings, workers, command, env, out });
  }
}

async function generate(
  what: 'openapi' | 'settings',
  args: readonly string[],
  { stdout }: CommandContext,
): Promise<number> {
  const unknown = args.find((arg) => arg !== '--check' && arg !== '--write');
  if (unknown !== undefined)
    throw new UsageError(`${what}: unknown argument ${unknown}; see tongate ${what} --help`);
  const { generatedFiles, writeGenerated } = await import('./generated-files.ts');
  return writeGenerated(await generatedFiles[what](), { check: args.includes('--check'), out: stdout });
}

/** Runs the command of the arguments; returns the exit code, or undefined if it keeps running. */
export async function runCommand(
  [name, ...args]: readonly string[],
  context: CommandContext = process,
): Promise<number | undefined> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    context.stdout.write(help());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === 'version') {
    context.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw unknownCommand(name);
    if (!command.hasOwnHelp && args.some((arg) => arg === '--help' || arg === '-h')) {
      context.stdout.write(helpOf(name, command));
      return 0;
    }
    if (command.usage === undefined && args.length > 0)
      throw new UsageError(
        `${name} takes no arguments, but got ${args.join(' ')}; settings are environment variables, for example PORT=8082`,
      );
    return await command.run(args, context);
  } catch (error) {
    return complain(error, context.stderr);
  }
}

/** Prints an error of the operator as one message without a stack, and any other with its stack. */
function complain(error: unknown, stderr: TextOutput): number {
  const isExpected =
    error instanceof UsageError || error instanceof SettingsError || error instanceof StartError;
  stderr.write(`tongate: ${isExpected ? error.message : ((error as Error)?.stack ?? String(error))}\n`);
  return error instanceof UsageError ? 2 : 1;
}

function unknownCommand(name: string): UsageError {
  const meant = closestName(name, Object.keys(COMMANDS));
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new UsageError(`unknown command ${name}${hint} (tongate --help lists all)`);
}

const SETTINGS_HINT = 'Settings are environment variables; tongate settings lists them.';

function help(): string {
  const shown = Object.entries(COMMANDS).filter(([, { isInternal }]) => isInternal !== true);
  const width = Math.max(...shown.map(([name]) => name.length));
  const rows = shown.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: tongate <command>\n\n${rows.join('\n')}\n\n${SETTINGS_HINT}\n`;
}

function helpOf(name: string, { summary, usage = '', details }: CommandEntry): string {
  const calls = usage.split('\n').map((line) => `tongate ${name} ${line}`.trimEnd());
  return `${[`Usage: ${calls.join('\n       ')}`, summary, details, SETTINGS_HINT].filter((part) => part !== undefined).join('\n\n')}\n`;
}
