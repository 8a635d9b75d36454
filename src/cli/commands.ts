import { readSettings, SettingsError } from '../config/settings.ts';
import { StartError, UsageError } from '../lib/errors.ts';
import { createLogger } from '../observe/logger.ts';
import { packageVersion } from './package-version.ts';

type Command = (args: readonly string[]) => Promise<number | undefined>;

const settings = () => readSettings(process.env);
const quietLog = () => createLogger({ level: 'warn', destination: process.stderr });

/** A command loads its code when it is run: most need a small part of the whole. */
const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly run: Command }>> = {
  start: {
    summary: 'Everything in one process: database, local chain, both interfaces',
    run: () => serve(true),
  },
  serve: {
    summary: 'Only the HTTP interfaces, for several processes on one database',
    run: () => serve(false),
  },
  index: {
    summary: 'Only the indexer; any number of processes share the work (--to-head ends when it is done)',
    run: async (args) =>
      void (await (await import('./index-command.ts')).indexCommand({ args, settings: settings() })),
  },
  verify: {
    summary: 'Compare the index, or a part of it, with the chain (--from, --to)',
    run: async (args) => {
      const { openForVerify } = await import('./verify.ts');
      return openForVerify(settings(), { args, log: quietLog(), out: process.stdout });
    },
  },
  reclassify: {
    summary:
      'Work out actions again, of a range or of traces, beside the service (--from, --to, --type, --trace)',
    run: async (args) => {
      const { reclassifyCommand } = await import('./reclassify.ts');
      return reclassifyCommand({ args, settings: settings(), log: quietLog(), out: process.stdout });
    },
  },
  sizes: {
    summary: 'Show what the index takes, by table and partition',
    run: async () => {
      const { openForCommand } = await import('./open-database.ts');
      const { sizesCommand } = await import('./sizes.ts');
      return openForCommand(settings, async ({ database }) =>
        sizesCommand({ database: await database(), out: process.stdout }),
      );
    },
  },
  migrate: {
    summary: 'Bring the database schema up to date',
    run: async () => void (await (await import('./migrate.ts')).migrate(settings())),
  },
  keys: {
    summary: 'Make, list and revoke API keys (keys --help)',
    run: async (args) => {
      const { openForCommand } = await import('./open-database.ts');
      const { keysCommand } = await import('./keys.ts');
      return openForCommand(settings, (ports) => keysCommand({ args, ...ports, out: process.stdout }));
    },
  },
  localnet: {
    summary: 'Run the local chain alone, or give it a command (localnet --help)',
    run: async (args) => {
      const { localnetCommand } = await import('./localnet.ts');
      return localnetCommand({
        args,
        settings,
        log: quietLog(),
        out: process.stdout,
        run: async (...call) => (await import('./localnet-run.ts')).runLocalnet(...call),
        replay: async (...call) => (await import('./localnet-run.ts')).replayRecording(...call),
      });
    },
  },
  doctor: {
    summary: 'Look at database, disk and every lite server, and say what is wrong',
    run: async () => {
      const { doctorCommand } = await import('./doctor.ts');
      return doctorCommand({ settings: settings(), log: quietLog(), out: process.stdout });
    },
  },
  openapi: {
    summary: 'Write openapi/*.json; with --check say whether they are current',
    run: (args) => generate('openapi', args),
  },
  settings: {
    summary: 'Write docs/operate/settings.md; with --check say whether it is current',
    run: (args) => generate('settings', args),
  },
};

async function serve(everything: boolean): Promise<undefined> {
  const read = settings();
  await (await import('./serve.ts')).serve({ settings: read, everything });
}

async function generate(what: 'openapi' | 'settings', args: readonly string[]): Promise<number> {
  const { generatedFiles, writeGenerated } = await import('./generated-files.ts');
  return writeGenerated(generatedFiles[what](), { check: args.includes('--check') });
}

/** Runs the command that the arguments name; returns the exit code, or undefined while it goes on running. */
export async function runCommand([name, ...args]: readonly string[]): Promise<number | undefined> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === 'version') {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new UsageError(`unknown command ${name}: see tongate --help`);
    return await command.run(args);
  } catch (error) {
    return complain(error);
  }
}

/** What the operator can mend is one message without a stack; anything else is ours and shows where. */
function complain(error: unknown): number {
  const known = error instanceof UsageError || error instanceof SettingsError || error instanceof StartError;
  process.stderr.write(`tongate: ${known ? error.message : ((error as Error)?.stack ?? String(error))}\n`);
  return error instanceof UsageError ? 2 : 1;
}

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `Usage: tongate <command>\n\n${rows.join('\n')}\n\nSettings are environment variables: docs/operate/settings.md\n`;
}
