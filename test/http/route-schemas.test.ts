import { readFileSync } from 'node:fs';
import type { RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { expect, it } from 'vitest';
import { createAdminRoutes } from '../../src/admin/admin-routes.ts';
import { createDashboardRoutes } from '../../src/admin/dashboard-routes.ts';
import { createMeRoutes } from '../../src/admin/me-routes.ts';
import { documentedRoutes } from '../../src/cli/documented-routes.ts';
import type { MountedInterface } from '../../src/http/app.ts';
import { createDocs } from '../../src/http/docs.ts';
import { createLocalnetRoutes } from '../../src/http/localnet-routes.ts';
import { addServiceRoutes } from '../../src/http/service-routes.ts';
import { createStreamingInterface } from '../../src/streaming/interface.ts';
import { createV2Interface } from '../../src/v2/interface.ts';
import { createEmulateInterface } from '../../src/v3/emulate-interface.ts';
import { createV3Interface } from '../../src/v3/interface.ts';
import { createWebRoutes } from '../../src/web/web-routes.ts';
import { createWebhookRoutes } from '../../src/webhooks/routes.ts';
import { createTestApp, testAccess } from '../support/app.ts';

/** The routes are added, and never called. */
const none = {} as never;

const streamDocs = documentedRoutes['/api/streaming/v2'];

const interfaces: readonly MountedInterface[] = [
  { prefix: '/api/v2', plugin: createV2Interface({ ports: none, maxBatch: 1 }) },
  {
    prefix: '/api/v3',
    plugin: createV3Interface({ ports: none, limits: { defaultLimit: 10, maxLimit: 1000 } }),
  },
  { prefix: '/api/emulate', plugin: createEmulateInterface({ ports: none, emulation: none }) },
  {
    prefix: '/api/streaming',
    plugin: createStreamingInterface({
      streaming: none,
      slots: none,
      metrics: none,
      limitsOf: () => none,
      health: none,
    }),
  },
  { prefix: '/api/streaming/v2', plugin: createDocs(streamDocs.options, streamDocs.routes) },
  { prefix: '/api/webhooks', plugin: createWebhookRoutes(none) },
  { prefix: '/api/me', plugin: createMeRoutes(none) },
  { prefix: '/api/admin', plugin: createAdminRoutes(none, none) },
  { prefix: '/api/dashboard', plugin: createDashboardRoutes(none, none) },
  {
    prefix: '/localnet',
    plugin: createLocalnetRoutes({
      control: none,
      docs: { exampleValues: async () => none },
    }),
  },
  {
    prefix: '/',
    plugin: createWebRoutes({
      version: '0',
      network: 'localnet',
      coin: 'TON',
      testOnly: true,
      hasLocalChain: true,
      hasStreaming: true,
    }),
  },
];

/** All routes of the server. */
async function routesOfServer(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = [];
  const access = testAccess();
  const app = await createTestApp({
    access: fp(async (scope) => {
      scope.addHook('onRoute', (route) => void routes.push(route));
      await scope.register(access);
    }),
    overrides: {
      interfaces,
      service: async (service) =>
        addServiceRoutes(service, {
          ready: none,
          status: none,
          metrics: { contentType: 'text/plain', render: none, needKey: false },
        }),
    },
  });
  await app.close();
  return routes;
}

/** Files and pages for people; their bytes have no schema. */
function isPage({ config, url }: RouteOptions): boolean {
  return config?.interface === 'docs' || (config?.interface === 'web' && !url.endsWith('.json'));
}

it('every route of the server has a schema, except for pages and files', async () => {
  const routes = await routesOfServer();
  expect(routes.length).toBeGreaterThan(250);
  const without = routes
    .filter((route) => !isPage(route) && route.schema?.response === undefined)
    .map(({ method, url }) => `${method} ${url}`);
  expect(without).toEqual([]);
});

it('the interfaces of this test are those of the server', () => {
  const source = readFileSync(new URL('../../src/cli/http-server.ts', import.meta.url), 'utf8');
  const prefixes = [...source.matchAll(/^ {4}'(\/[^']*)':/gm)].map(([, prefix]) => prefix!);
  expect(prefixes.sort()).toEqual(interfaces.map(({ prefix }) => prefix).sort());
});
