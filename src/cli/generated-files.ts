import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyPluginAsync } from 'fastify';
import { settingsPage } from '../config/settings-page.ts';
import { FIXED_VALUES } from '../http/example-values.ts';
import { createLocalnetRoutes } from '../http/localnet-routes.ts';
import { documentOf } from '../http/openapi.ts';
import type { TextOutput } from '../lib/log.ts';
import { createV2Interface } from '../v2/interface.ts';
import { createEmulateInterface } from '../v3/emulate-interface.ts';
import { createV3Interface } from '../v3/interface.ts';
import { documentedRoutes } from './documented-routes.ts';

const ROOT = new URL('../../', import.meta.url);

const json = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

/** The routes are added, and never called. */
const NO_SERVICES = {} as never;
const SERVER = { routerOptions: { ignoreTrailingSlash: true } };
const LIMITS = { defaultLimit: 10, maxLimit: 1000 };

async function servedDocument(prefix: string, plugin: FastifyPluginAsync): Promise<string> {
  const app = Fastify(SERVER);
  await app.register(plugin, { prefix });
  const response = await app.inject(`${prefix}/openapi.json`);
  await app.close();
  if (response.statusCode !== 200) throw new Error(`${prefix}/openapi.json: ${response.body}`);
  return json(response.json());
}

async function documentAt(prefix: keyof typeof documentedRoutes): Promise<string> {
  const { options, routes } = documentedRoutes[prefix];
  return json(await documentOf(options, routes()));
}

/** Generated files of the repository, by command. */
export const generatedFiles = {
  openapi: async (): Promise<Record<string, string>> => ({
    'openapi/v2.json': await servedDocument(
      '/api/v2',
      createV2Interface({ ports: NO_SERVICES, maxBatch: 1 }),
    ),
    'openapi/v3.json': await servedDocument(
      '/api/v3',
      createV3Interface({ ports: NO_SERVICES, limits: LIMITS }),
    ),
    'openapi/emulate.json': await servedDocument(
      '/api/emulate',
      createEmulateInterface({ ports: NO_SERVICES, emulation: NO_SERVICES }),
    ),
    'openapi/localnet.json': await servedDocument(
      '/localnet',
      createLocalnetRoutes({
        control: NO_SERVICES,
        docs: { exampleValues: async () => FIXED_VALUES },
      }),
    ),
    'openapi/streaming.json': await documentAt('/api/streaming/v2'),
    'openapi/account.json': await documentAt('/api/me'),
    'openapi/admin.json': await documentAt('/api/admin'),
  }),
  settings: async (): Promise<Record<string, string>> => ({ 'docs/operate/settings.md': settingsPage() }),
};

/** Writes the files, or with `check` only lists those that differ; returns the exit code. */
export async function writeGenerated(
  files: Record<string, string>,
  { check, out, root = ROOT }: { check: boolean; out: TextOutput; root?: URL },
): Promise<number> {
  let stale = 0;
  for (const [name, content] of Object.entries(files)) {
    const path = fileURLToPath(new URL(name, root));
    const current = await readFile(path, 'utf8').catch(() => '');
    if (current === content) continue;
    stale += 1;
    if (!check) await writeFile(path, content);
    out.write(`${name} ${check ? 'is out of date' : 'written'}\n`);
  }
  return check && stale > 0 ? 1 : 0;
}
