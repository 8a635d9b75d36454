import lock from '../package-lock.json' with { type: 'json' };

// Says when npm has a newer @ton/sandbox, whose emulator may know newer rules of the network. It never fails: a newer one
// is taken on purpose, and without npm nothing can be said.

const NAME = '@ton/sandbox';
const WAIT_MS = 5000;
const registry = process.env.npm_config_registry ?? 'https://registry.npmjs.org/';
const { version } = lock.packages[`node_modules/${NAME}`];

process.stdout.write(`${await notice()}\n`);

async function notice(): Promise<string> {
  try {
    const url = new URL(`${NAME.replace('/', '%2f')}/latest`, registry.replace(/\/?$/, '/'));
    const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { version: latest } = (await response.json()) as { readonly version: string };
    if (latest === version) return `${NAME} ${version} is the newest one`;
    return `${NAME} ${version} is locked, npm has ${latest}: see whether its emulator knows a newer version of the network`;
  } catch (error) {
    return `${NAME} ${version} is locked; npm did not say which one is newest: ${(error as Error).message}`;
  }
}
