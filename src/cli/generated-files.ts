import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyPluginAsync } from 'fastify';
import { adminDocument, createAdminRoutes } from '../admin/admin-routes.ts';
import { createDashboardRoutes } from '../admin/dashboard-routes.ts';
import { accountDocument, createMeRoutes } from '../admin/me-routes.ts';
import { settingsPage } from '../config/settings-page.ts';
import { FIXED_VALUES } from '../http/example-values.ts';
import { createLocalnetRoutes } from '../http/localnet-routes.ts';
import { addDocument, type DocumentOptions } from '../http/openapi.ts';
import type { TextOutput } from '../lib/log.ts';
import { createV2Interface } from '../v2/interface.ts';
import { createEmulateInterface } from '../v3/emulate-interface.ts';
import { createV3Interface } from '../v3/interface.ts';
import { createWebhookRoutes } from '../webhooks/routes.ts';

const ROOT = new URL('../../', import.meta.url);

const json = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

/** The routes are added, and never called. */
const NO_SERVICES = {} as never;
const SERVER = { routerOptions: { ignoreTrailingSlash: true } };
const LIMITS = { defaultLimit: 10, maxLimit: 1000 };

type Plugins = Readonly<Record<string, FastifyPluginAsync>>;

async function servedDocument(prefix: string, plugin: FastifyPluginAsync): Promise<string> {
  const app = Fastify(SERVER);
  await app.register(plugin, { prefix });
  const response = await app.inject(`${prefix}/openapi.json`);
  await app.close();
  if (response.statusCode !== 200) throw new Error(`${prefix}/openapi.json: ${response.body}`);
  return json(response.json());
}

/** The document of interfaces that serve none, by prefix. */
async function documentOf(options: DocumentOptions, plugins: Plugins): Promise<string> {
  const app = Fastify(SERVER);
  await addDocument(app, options);
  for (const [prefix, plugin] of Object.entries(plugins)) await app.register(plugin, { prefix });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return json(document);
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
    'openapi/account.json': await documentOf(accountDocument, {
      '/api/me': createMeRoutes(NO_SERVICES),
      '/api/webhooks': createWebhookRoutes(NO_SERVICES),
    }),
    'openapi/admin.json': await documentOf(adminDocument, {
      '/api/admin': createAdminRoutes(NO_SERVICES, NO_SERVICES),
      '/api/dashboard': createDashboardRoutes(NO_SERVICES, NO_SERVICES),
    }),
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
