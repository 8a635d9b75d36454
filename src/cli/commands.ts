import { readSettings, SettingsError } from '../config/settings.ts';
import { StartError, UsageError } from '../lib/errors.ts';
import { createLogger } from '../observe/logger.ts';
import { packageVersion } from './package-version.ts';

/** Where a command reads its settings and writes its output. Commands that run until a signal log to standard output. */
interface CommandStreams {
  readonly env: NodeJS.ProcessEnv;
  readonly out: Output;
  readonly err: Output;
}

interface Output {
  readonly write: (text: string) => unknown;
}

type Command = (args: readonly string[], streams: CommandStreams) => Promise<number | undefined>;

const settingsOf = ({ env }: CommandStreams) => readSettings(env);
const quietLog = ({ err }: CommandStreams) => createLogger({ level: 'warn', destination: err });

/** Commands load their code on demand: most need a small part of it. */
const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly run: Command }>> = {
  start: {
    summary: 'Run everything in one process: database, local chain, indexer, HTTP API',
    run: (_args, streams) => serve(streams, true),
  },
  serve: {
    summary: 'Run the HTTP API only; any number of processes can share a database',
    run: (_args, streams) => serve(streams, false),
  },
  index: {
    summary: 'Run the indexer only; any number of processes share the work (--to-head exits when done)',
    run: async (args, streams) => {
      const { indexCommand } = await import('./index-command.ts');
      return void (await indexCommand({ args, settings: settingsOf(streams) }));
    },
  },
  verify: {
    summary: 'Compare the index with the chain (--from, --to)',
    run: async (args, streams) => {
      const { openForVerify } = await import('./verify.ts');
      return openForVerify(settingsOf(streams), { args, log: quietLog(streams), out: streams.out });
    },
  },
  reclassify: {
    summary: 'Classify traces again while the service runs (--from, --to, --type, --trace)',
    run: async (args, streams) => {
      const { reclassifyCommand } = await import('./reclassify.ts');
      const settings = settingsOf(streams);
      return reclassifyCommand({ args, settings, log: quietLog(streams), out: streams.out });
    },
  },
  sizes: {
    summary: 'Show the disk usage of the index by table and partition',
    run: async (_args, streams) => {
      const { openForCommand } = await import('./open-database.ts');
      const { sizesCommand } = await import('./sizes.ts');
      return openForCommand(settingsOf(streams), quietLog(streams), async ({ database }) =>
        sizesCommand({ database: await database(), out: streams.out }),
      );
    },
  },
  migrate: {
    summary: 'Migrate the database schema',
    run: async (_args, streams) => void (await (await import('./migrate.ts')).migrate(settingsOf(streams))),
  },
  keys: {
    summary: 'Create, list and revoke API keys (keys --help)',
    run: async (args, streams) => {
      const { openForCommand } = await import('./open-database.ts');
      const { keysCommand } = await import('./keys.ts');
      return openForCommand(settingsOf(streams), quietLog(streams), (ports) =>
        keysCommand({ args, ...ports, out: streams.out }),
      );
    },
  },
  localnet: {
    summary: 'Run the local chain only, or control it (localnet --help)',
    run: async (args, streams) => {
      const { localnetCommand } = await import('./localnet.ts');
      return localnetCommand({
        args,
        settings: () => settingsOf(streams),
        log: quietLog(streams),
        out: streams.out,
        run: async (...call) => (await import('./localnet-run.ts')).runLocalnet(...call),
        replay: async (...call) => (await import('./localnet-run.ts')).replayRecording(...call),
      });
    },
  },
  doctor: {
    summary: 'Check the database, the disk and every lite server',
    run: async (_args, streams) => {
      const { doctorCommand } = await import('./doctor.ts');
      return doctorCommand({ settings: settingsOf(streams), log: quietLog(streams), out: streams.out });
    },
  },
  openapi: {
    summary: 'Write openapi/*.json, or check that they are up to date (--check)',
    run: (args, streams) => generate('openapi', args, streams),
  },
  settings: {
    summary: 'Write docs/operate/settings.md, or check that it is up to date (--check)',
    run: (args, streams) => generate('settings', args, streams),
  },
};

async function serve(streams: CommandStreams, everything: boolean): Promise<undefined> {
  const settings = settingsOf(streams);
  await (await import('./serve.ts')).serve({ settings, everything });
}

async function generate(
  what: 'openapi' | 'settings',
  args: readonly string[],
  { out }: CommandStreams,
): Promise<number> {
  const { generatedFiles, writeGenerated } = await import('./generated-files.ts');
  return writeGenerated(generatedFiles[what](), { check: args.includes('--check'), out });
}

const PROCESS_STREAMS: CommandStreams = { env: process.env, out: process.stdout, err: process.stderr };

/** Runs the command of the arguments; returns the exit code, or undefined if it keeps running. */
export async function runCommand(
  [name, ...args]: readonly string[],
  streams = PROCESS_STREAMS,
): Promise<number | undefined> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    streams.out.write(help());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === 'version') {
    streams.out.write(`${packageVersion()}\n`);
    return 0;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new UsageError(`unknown command ${name}: see tongate --help`);
    return await command.run(args, streams);
  } catch (error) {
    return complain(error, streams.err);
  }
}

/** Prints an error of the operator as one message without a stack, and any other with its stack. */
function complain(error: unknown, err: Output): number {
  const known = error instanceof UsageError || error instanceof SettingsError || error instanceof StartError;
  err.write(`tongate: ${known ? error.message : ((error as Error)?.stack ?? String(error))}\n`);
  return error instanceof UsageError ? 2 : 1;
}

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `Usage: tongate <command>\n\n${rows.join('\n')}\n\nSettings are environment variables: docs/operate/settings.md\n`;
}
