import { readSettings, SettingsError } from '../config/settings.ts';
import { StartError, UsageError } from '../lib/errors.ts';
import { createLogger } from '../observe/logger.ts';
import { packageVersion } from './package-version.ts';

type Command = (args: readonly string[]) => Promise<number | undefined>;

const settings = () => readSettings(process.env);
const quietLog = () => createLogger({ level: 'warn', destination: process.stderr });

/** Commands load their code on demand: most need a small part of it. */
const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly run: Command }>> = {
  start: {
    summary: 'Run everything in one process: database, local chain, indexer, HTTP API',
    run: () => serve(true),
  },
  serve: {
    summary: 'Run the HTTP API only; any number of processes can share a database',
    run: () => serve(false),
  },
  index: {
    summary: 'Run the indexer only; any number of processes share the work (--to-head exits when done)',
    run: async (args) =>
      void (await (await import('./index-command.ts')).indexCommand({ args, settings: settings() })),
  },
  verify: {
    summary: 'Compare the index with the chain (--from, --to)',
    run: async (args) => {
      const { openForVerify } = await import('./verify.ts');
      return openForVerify(settings(), { args, log: quietLog(), out: process.stdout });
    },
  },
  reclassify: {
    summary: 'Classify traces again while the service runs (--from, --to, --type, --trace)',
    run: async (args) => {
      const { reclassifyCommand } = await import('./reclassify.ts');
      return reclassifyCommand({ args, settings: settings(), log: quietLog(), out: process.stdout });
    },
  },
  sizes: {
    summary: 'Show the disk usage of the index by table and partition',
    run: async () => {
      const { openForCommand } = await import('./open-database.ts');
      const { sizesCommand } = await import('./sizes.ts');
      return openForCommand(settings, async ({ database }) =>
        sizesCommand({ database: await database(), out: process.stdout }),
      );
    },
  },
  migrate: {
    summary: 'Migrate the database schema',
    run: async () => void (await (await import('./migrate.ts')).migrate(settings())),
  },
  keys: {
    summary: 'Create, list and revoke API keys (keys --help)',
    run: async (args) => {
      const { openForCommand } = await import('./open-database.ts');
      const { keysCommand } = await import('./keys.ts');
      return openForCommand(settings, (ports) => keysCommand({ args, ...ports, out: process.stdout }));
    },
  },
  localnet: {
    summary: 'Run the local chain only, or control it (localnet --help)',
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
    summary: 'Check the database, the disk and every lite server',
    run: async () => {
      const { doctorCommand } = await import('./doctor.ts');
      return doctorCommand({ settings: settings(), log: quietLog(), out: process.stdout });
    },
  },
  openapi: {
    summary: 'Write openapi/*.json, or check that they are up to date (--check)',
    run: (args) => generate('openapi', args),
  },
  settings: {
    summary: 'Write docs/operate/settings.md, or check that it is up to date (--check)',
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

/** Runs the command of the arguments; returns the exit code, or undefined if it keeps running. */
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

/** Prints an error of the operator as one message without a stack, and any other with its stack. */
function complain(error: unknown): number {
  const known = error instanceof UsageError || error instanceof SettingsError || error instanceof StartError;
  process.stderr.write(`tongate: ${known ? error.message : ((error as Error)?.stack ?? String(error))}\n`);
  return error instanceof UsageError ? 2 : 1;
}

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `Usage: tongate <command>\n\n${rows.join('\n')}\n\nSettings are environment variables: docs/operate/settings.md\n`;
}
